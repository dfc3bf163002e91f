import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  connectionName,
  DEFAULT_PRINTER_SETTINGS,
  DEFAULT_SERIAL_OPTIONS,
  deliveryLabel,
  deliveryStatus,
  printDestinationSchema,
  printerSettingsSchema
} from '../../../electron/contract/printing.ts'
import { networkPrinter } from '../../support/network-printer.ts'

const accepts = (destination: unknown, paperSize: unknown = '80mm'): boolean =>
  v.is(printerSettingsSchema, { destination, paperSize })
const network = networkPrinter({ host: '192.168.1.40', port: 9100 })
const through = (connection: unknown) => ({ ...network, connection })
const serial = { kind: 'serial', path: '/dev/ttyUSB0', ...DEFAULT_SERIAL_OPTIONS }

describe('printer settings', () => {
  test('begin with the folder', () => {
    expect(v.parse(printerSettingsSchema, DEFAULT_PRINTER_SETTINGS)).toEqual(DEFAULT_PRINTER_SETTINGS)
  })

  test.each(['192.168.1.40', 'printer.local', 'fe80::1%eth0', '::1', 'kasse-drucker'])(
    'take the host %s',
    (host) => {
      expect(accepts(through({ ...network.connection, host }))).toBe(true)
    }
  )

  test.each([
    ['a device', { kind: 'device', path: '/dev/usb/lp0' }],
    ['a serial line', serial],
    ['a serial line of Windows', { ...serial, path: 'COM3' }],
    ['a raw queue', { kind: 'raw-queue', name: 'Counter' }]
  ])('take %s', (_what, connection) => {
    expect(accepts(through(connection))).toBe(true)
  })

  test.each([
    ['an empty host', through({ ...network.connection, host: '' })],
    ['a web address', through({ ...network.connection, host: 'http://printer/' })],
    ['a host with a space', through({ ...network.connection, host: 'my printer' })],
    ['port 0', through({ ...network.connection, port: 0 })],
    ['port 70000', through({ ...network.connection, port: 70_000 })],
    ['a device outside /dev', through({ kind: 'device', path: '/etc/passwd' })],
    ['a device that leaves /dev', through({ kind: 'device', path: '/dev/../etc/passwd' })],
    ['a speed that no line has', through({ ...serial, baudRate: 12_345 })],
    ['a raw queue without a name', through({ kind: 'raw-queue', name: '' })],
    ['a head width that no printer has', { ...network, widthDots: 400 }],
    ['an unknown language', { ...network, language: 'zpl' }],
    ['a queue without a name', { kind: 'queue', name: '' }],
    ['an unknown kind', { kind: 'fax' }]
  ])('refuse %s', (_what, destination) => {
    expect(accepts(destination)).toBe(false)
  })

  test('of a version without the setting: the printer reports its state', () => {
    const stored = { ...network, reportsState: undefined }
    expect(v.parse(printDestinationSchema, JSON.parse(JSON.stringify(stored)))).toEqual(network)
    expect(network.reportsState).toBe(true)
  })

  test('refuse unknown paper', () => {
    expect(accepts({ kind: 'folder' }, 'Letter')).toBe(false)
  })
})

describe('connectionName', () => {
  test.each([
    [{ kind: 'network', host: '10.0.0.5', port: 9100, announcedName: null }, '10.0.0.5:9100'],
    [{ kind: 'network', host: 'fe80::1%eth0', port: 9100, announcedName: null }, '[fe80::1%eth0]:9100'],
    [{ kind: 'device', path: '/dev/usb/lp0' }, '/dev/usb/lp0'],
    [{ kind: 'raw-queue', name: 'Counter' }, 'Counter']
  ] as const)('%o: %s', (connection, name) => {
    expect(connectionName(connection)).toBe(name)
  })
})

describe('deliveryStatus and deliveryLabel', () => {
  const rawQueue = { ...network, connection: { kind: 'raw-queue', name: 'Counter' } } as const
  test.each([
    [{ kind: 'folder' }, 'saved', 'saved'],
    [{ kind: 'queue', name: 'Counter' }, 'printed', 'printed'],
    [network, 'printed', 'printed'],
    [{ ...network, reportsState: false }, 'handed-over', 'sent'],
    [rawQueue, 'handed-over', 'handed-over'],
    [{ ...rawQueue, reportsState: false }, 'handed-over', 'handed-over'],
    [null, 'printed', 'printed']
  ] as const)('%o: %s, %s', (destination, status, label) => {
    expect(deliveryStatus(destination)).toBe(status)
    expect(deliveryLabel(destination)).toBe(label)
  })
})

test('a serial line without handshake is slower than the slowest paper by default', () => {
  // 50 mm/s on the narrowest head: 48 bytes a row, 8 rows a millimetre. A byte takes ten bits on the line.
  const bytesPerSecond = 50 * 8 * 48
  expect(DEFAULT_SERIAL_OPTIONS).toEqual({ baudRate: 38_400, parity: 'none', handshake: 'none' })
  expect(DEFAULT_SERIAL_OPTIONS.baudRate / 10).toBeLessThan(bytesPerSecond)
})
