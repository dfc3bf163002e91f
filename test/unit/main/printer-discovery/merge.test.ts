import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { PAPER_SIZES } from '../../../../electron/contract/paper.ts'
import type { Printer } from '../../../../electron/contract/printing.ts'
import type { Announcement } from '../../../../electron/main/printer-discovery/announcements.ts'
import { mergeWays, type FoundWays } from '../../../../electron/main/printer-discovery/merge.ts'

const announcement = (
  service: 'pdl-datastream' | 'printer' | 'ipp' | 'ipps',
  txt: Readonly<Record<string, string>>,
  change: Partial<Announcement> = {}
): Announcement => ({
  service: `_${service}._tcp.local`,
  label: 'Counter',
  host: 'epson1.local',
  port: service === 'pdl-datastream' ? 9100 : 631,
  addresses: ['192.168.1.20'],
  txt: new Map(Object.entries(txt)),
  ...change
})
const queue = (name: string, deviceUri: string, change: Partial<Printer> = {}): Printer => ({
  kind: 'queue',
  name,
  description: '',
  state: { kind: 'ready' },
  isDefault: false,
  isRaw: false,
  offered: { papers: PAPER_SIZES, sizes: [] },
  reportsDeletedJobs: true,
  deviceUri,
  ...change
})
const merge = (ways: Partial<FoundWays>) =>
  mergeWays({ announcements: [], usbPrinters: [], serialPorts: [], queues: [], ...ways })
const rows = (ways: Partial<FoundWays>) => merge(ways).map(({ name, address }) => `${name} @ ${address}`)

const receipt = announcement('pdl-datastream', { ty: 'EPSON TM-T88VII' })
const laser = announcement('ipp', { ty: 'HP LaserJet', uuid: 'u-1', pdl: 'application/pdf' })
const usb = {
  path: '/dev/usb/lp0',
  make: 'EPSON',
  model: 'TM-T20III',
  serialNumber: '583',
  languages: 'ESC/POS'
}

describe('one row for each printer', () => {
  test('joins the services of one name, of one UUID, and of one model on a host', () => {
    const uuid = announcement('ipp', { ty: 'EPSON TM-T88VII', uuid: 'u-1' })
    const renamed = announcement('ipps', { uuid: 'u-1' }, { label: 'Renamed', host: 'other.local' })
    const model = announcement('printer', { ty: 'EPSON TM-T88VII' }, { label: 'EPSON' })
    expect(rows({ announcements: [receipt, renamed, model, uuid] })).toEqual([
      'EPSON TM-T88VII @ 192.168.1.20'
    ])
  })

  test('keeps the printers of a print server apart', () => {
    const server = ['u-1', 'u-2'].map((uuid) =>
      announcement('ipp', { ty: 'EPSON TM-T88VII', uuid }, { label: `Queue ${uuid}` })
    )
    expect(rows({ announcements: server })).toHaveLength(2)
  })

  test.each([
    'socket://192.168.1.20:9100',
    'lpd://epson1.local/queue',
    'ipp://192.168.1.20:631/ipp/print',
    'dnssd://Counter._ipp._tcp.local/?uuid=u-9'
  ])('joins the queue at %s with its network printer', (uri) => {
    expect(merge({ announcements: [receipt], queues: [queue('Bar', uri)] })).toMatchObject([
      { name: 'EPSON TM-T88VII', destination: { connection: { host: '192.168.1.20' } } }
    ])
  })

  test.each(['Büro 1. Stock', 'v1.2 \\ "A"', 'Öffnen._ipp'])(
    'joins the queue of the announced name %s',
    (label) => {
      const announced = announcement('ipp', {}, { label })
      const uri = `dnssd://${encodeURIComponent(label)}._ipp._tcp.local/`
      expect(rows({ announcements: [announced], queues: [queue('Bar', uri)] })).toEqual([`${label} @ Bar`])
    }
  )

  test.each(['dnssd://100%._ipp._tcp.local/', 'usb://EPSON/100%zz'])(
    'keeps the queue at %s, which is malformed',
    (uri) => {
      expect(rows({ announcements: [receipt], usbPrinters: [usb], queues: [queue('Bar', uri)] })).toContain(
        'Bar @ Bar'
      )
    }
  )

  test.each(['usb://EPSON/TM-T20III?serial=583', 'usb://EPSON/TM-T20III'])(
    'joins the queue at %s with its device',
    (uri) => {
      expect(rows({ usbPrinters: [usb], queues: [queue('Bar', uri)] })).toEqual([
        'EPSON TM-T20III @ /dev/usb/lp0'
      ])
    }
  )

  test('keeps a queue of another printer of the same model', () => {
    const other = queue('Bar', 'usb://EPSON/TM-T20III?serial=999')
    expect(rows({ usbPrinters: [usb], queues: [other] })).toEqual([
      'Bar @ Bar',
      'EPSON TM-T20III @ /dev/usb/lp0'
    ])
  })

  test('joins a queue at a serial port, and lists ports last', () => {
    const ports = [{ path: '/dev/ttyUSB0', name: 'Prolific USB-Serial' }]
    expect(
      rows({ serialPorts: ports, queues: [queue('A', 'serial:/dev/ttyUSB0?baud=9600'), queue('Z', '')] })
    ).toEqual(['Z @ Z', 'Prolific USB-Serial @ /dev/ttyUSB0'])
  })

  test('joins the queues of Windows with the printer of their address and with their serial port', () => {
    const ports = [{ path: 'COM3', name: 'Prolific USB-to-Serial' }]
    const queues = [
      queue('Network', 'socket://192.168.1.20:9100'),
      queue('Host', 'socket://EPSON1.local:9100'),
      queue('Serial', 'serial:COM3'),
      queue('Other', 'serial:COM30'),
      queue('USB', '')
    ]
    expect(rows({ announcements: [receipt], serialPorts: ports, queues })).toEqual([
      'EPSON TM-T88VII @ 192.168.1.20',
      'Other @ Other',
      'USB @ USB',
      'Prolific USB-to-Serial @ COM3'
    ])
  })
})

describe('many services and queues take work in proportion to their number', () => {
  /** How often announcements and queues are read, and URIs decoded, to merge `count` of each. */
  const reads = (count: number, txt: (index: number) => Readonly<Record<string, string>>): number => {
    let read = 0
    const counted = <Value extends object>(value: Value): Value =>
      new Proxy(value, {
        get: (target, key): unknown => {
          read++
          return Reflect.get(target, key)
        }
      })
    const announcements = Array.from({ length: count }, (_, index) =>
      counted(announcement('ipp', txt(index), { label: `P${index}`, host: `h${index}.local` }))
    )
    const queues = Array.from({ length: count }, (_, index) =>
      counted(queue(`Q${index}`, `dnssd://Q${index}._ipp._tcp.local/?uuid=q-${index}`))
    )
    const decode = vi.spyOn(globalThis, 'decodeURIComponent')
    onTestFinished(() => decode.mockRestore())
    decode.mockClear()
    merge({ announcements, queues })
    return read + decode.mock.calls.length
  }

  test.each([
    ['of printers of their own', (index: number) => ({ uuid: `u-${index}` })],
    ['of one printer', () => ({ uuid: 'u-1' })]
  ])('%s', (_whose, txt) => {
    expect(reads(400, txt)).toBeLessThan(3 * reads(200, txt))
  })
})

describe('the best way', () => {
  test('to a printer of documents is its queue', () => {
    expect(merge({ announcements: [laser] })).toMatchObject([{ destination: null }])
    expect(
      merge({ announcements: [laser], queues: [queue('Office', 'ipp://epson1.local/ipp/print')] })
    ).toMatchObject([
      { name: 'HP LaserJet', address: 'Office', destination: { kind: 'queue', name: 'Office' } }
    ])
  })

  test('to a raw queue is its bytes', () => {
    expect(merge({ queues: [queue('Raw', 'file:/dev/null', { isRaw: true })] })).toMatchObject([
      { destination: { kind: 'receipt-printer', connection: { kind: 'raw-queue', name: 'Raw' } } }
    ])
  })

  test('to a Star printer is its own language', () => {
    const star = announcement('pdl-datastream', { usb_mfg: 'Star', usb_mdl: 'mC-Print3' })
    expect(merge({ announcements: [star] })).toMatchObject([
      { name: 'Star mC-Print3', destination: { language: 'star-prnt' } }
    ])
  })

  test('to a USB printer of documents without a queue does not exist', () => {
    expect(merge({ usbPrinters: [{ ...usb, languages: 'PJL,PCL,POSTSCRIPT' }] })).toMatchObject([
      { destination: null }
    ])
  })
})

describe('names that another computer or a device chose', () => {
  test('are cut to one line', () => {
    const name = `\u202E${'Bon\n'.repeat(40)}`
    const [row] = merge({ queues: [queue(name, '')] })
    expect(row?.name).toMatch(/^(Bon )+Bo?n?…$/u)
    expect(Array.from(row?.name ?? '')).toHaveLength(60)
    expect(row?.address).toBe(row?.name)
    // The queue has its own name.
    expect(row?.destination).toEqual({ kind: 'queue', name })
  })

  test('are left out where the settings cannot store them', () => {
    const serialPorts = ['CNCA0', 'COM1000', '/dev/../etc/passwd', 'COM3'].map((path) => ({ path, name: '' }))
    expect(rows({ serialPorts, queues: [queue('Q'.repeat(256), '')] })).toEqual([' @ COM3'])
  })
})
