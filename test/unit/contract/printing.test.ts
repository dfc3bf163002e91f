import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { DEFAULT_PRINTER_SETTINGS, printerSettingsSchema } from '../../../electron/contract/printing.ts'

const accepts = (destination: unknown, paperSize: unknown = '80mm'): boolean =>
  v.is(printerSettingsSchema, { destination, paperSize })
const network = { kind: 'network-printer', host: '192.168.1.40', port: 9100, code: 'raster' }

describe('printer settings', () => {
  test('begin with the folder', () => {
    expect(v.parse(printerSettingsSchema, DEFAULT_PRINTER_SETTINGS)).toEqual(DEFAULT_PRINTER_SETTINGS)
  })

  test.each(['192.168.1.40', 'printer.local', 'fe80::1%eth0', '::1', 'kasse-drucker'])(
    'take the host %s',
    (host) => {
      expect(accepts({ ...network, host })).toBe(true)
    }
  )

  test.each([
    ['an empty host', { ...network, host: '' }],
    ['a web address', { ...network, host: 'http://printer/' }],
    ['a host with a space', { ...network, host: 'my printer' }],
    ['port 0', { ...network, port: 0 }],
    ['port 70000', { ...network, port: 70_000 }],
    ['a queue without a name', { kind: 'queue', name: '' }],
    ['an unknown kind', { kind: 'fax' }]
  ])('refuse %s', (_what, destination) => {
    expect(accepts(destination)).toBe(false)
  })

  test('refuse unknown paper', () => {
    expect(accepts({ kind: 'folder' }, 'Letter')).toBe(false)
  })
})
