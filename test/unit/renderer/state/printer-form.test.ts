import { describe, expect, test } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import {
  DEFAULT_RECEIPT_OPTIONS,
  DEFAULT_SERIAL_OPTIONS,
  type PrinterSettings
} from '../../../../electron/contract/printing.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { PrinterForm } from '../../../../renderer/src/state/printer-form.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWithSettings } from '../support/bridge.ts'
import { networkPrinter } from '../../../support/network-printer.ts'

const network = networkPrinter({ host: '10.0.0.5', port: 9100 }, { code: 'native-qr' })

const createForm = (printer: PrinterSettings, test: (tested: PrinterSettings) => boolean = () => true) => {
  const ipc = new IpcClient()
  const first = tillState()
  const tested: PrinterSettings[] = []
  const { bridge, state } = bridgeWithSettings(
    { ...first, settings: { ...first.settings, printer } },
    {
      printers: {
        printTestPage: ({ printer: settings }) => {
          tested.push(settings)
          return Promise.resolve(
            test(settings)
              ? ok(null)
              : err({ kind: 'not-printed', fault: 'printer-offline', mayStillPrint: false })
          )
        }
      }
    }
  )
  const till = new Till(bridge, ipc)
  till.accept(state())
  return { form: new PrinterForm(bridge, ipc, till), tested, saved: () => state().settings.printer }
}

describe('printer destination', () => {
  test('a queue or the folder is saved at once and the paper size stays', async () => {
    const { form, saved } = createForm({ destination: { kind: 'folder' }, paperSize: '58mm' })
    await form.choose({ kind: 'queue', name: 'Counter' })
    expect(saved()).toEqual({ destination: { kind: 'queue', name: 'Counter' }, paperSize: '58mm' })
    await form.choosePaper('A6')
    expect(saved()).toEqual({ destination: { kind: 'queue', name: 'Counter' }, paperSize: 'A6' })
  })

  test('a network printer is saved when its address is saved', async () => {
    const { form, saved } = createForm({ destination: { kind: 'folder' }, paperSize: '80mm' })
    form.chooseTyped()
    form.host = ' 10.0.0.5 '
    expect(form.isTyped).toBe(true)
    expect(form.unsaved).toBe(true)
    expect(saved().destination).toEqual({ kind: 'folder' })
    await form.saveTyped()
    expect(form.unsaved).toBe(false)
    expect(saved().destination).toEqual(networkPrinter({ host: '10.0.0.5', port: 9100 }))
  })

  test('reads an address with its port', async () => {
    const { form, saved } = createForm({ destination: { kind: 'folder' }, paperSize: '80mm' })
    form.chooseTyped()
    form.host = '10.0.0.5:9101'
    expect(form.isTyped).toBe(true)
    expect(form.unsaved).toBe(true)
    expect(saved().destination).toEqual({ kind: 'folder' })
    await form.saveTyped()
    expect(form.unsaved).toBe(false)
    expect(saved().destination).toEqual(networkPrinter({ host: '10.0.0.5', port: 9101 }))
  })

  test('an address that was typed while another one is saved stays', async () => {
    const { form, saved } = createForm({ destination: { kind: 'folder' }, paperSize: '80mm' })
    form.chooseTyped()
    form.host = '10.0.0.5'
    const saving = form.saveTyped()
    form.host = '10.0.0.6'
    await saving
    expect(saved().destination).toEqual(networkPrinter({ host: '10.0.0.5', port: 9100 }))
    expect(form).toMatchObject({ host: '10.0.0.6', unsaved: true })
  })

  test('the form starts with the saved network printer', () => {
    const { form } = createForm({ destination: network, paperSize: '80mm' })
    expect(form).toMatchObject({ isTyped: true, host: '10.0.0.5', port: '9100' })
  })

  test.each([
    ['', '9100', 'host'],
    ['two words', '9100', 'host'],
    ['10.0.0.5', '70000', 'port'],
    ['10.0.0.5', 'x', 'port']
  ] as const)('host %j with port %j is rejected: %s', async (host, port, fault) => {
    const { form, saved } = createForm({ destination: { kind: 'folder' }, paperSize: '80mm' })
    form.chooseTyped()
    Object.assign(form, { host, port })
    await form.saveTyped()
    expect(form.addressFault).toEqual(fault)
    expect(saved().destination.kind).toBe('folder')
  })
})

describe('receipt printer', () => {
  const serial = {
    kind: 'receipt-printer',
    connection: { kind: 'serial', path: 'COM3', ...DEFAULT_SERIAL_OPTIONS },
    ...DEFAULT_RECEIPT_OPTIONS
  } as const

  test('a typed port is saved with the usual settings of a line, and its options when they change', async () => {
    const { form, saved } = createForm({ destination: { kind: 'folder' }, paperSize: '80mm' })
    form.chooseTyped()
    form.connection = 'serial'
    form.path = ' COM3 '
    await form.saveTyped()
    expect(saved().destination).toEqual(serial)
    await form.setOptions({ cut: 'full', widthDots: 512, reportsState: false })
    await form.setSerial({ baudRate: 115_200 })
    expect(saved().destination).toEqual({
      ...serial,
      connection: { ...serial.connection, baudRate: 115_200 },
      cut: 'full',
      widthDots: 512,
      reportsState: false
    })
  })

  test('the settings of a line stay when its port is corrected', async () => {
    const line = { baudRate: 9600, parity: 'even', handshake: 'xon-xoff' } as const
    const destination = { ...serial, connection: { kind: 'serial', path: 'COM3', ...line } } as const
    const { form, saved, tested } = createForm({ destination, paperSize: '80mm' })
    form.path = 'COM4'
    await form.test()
    await form.saveTyped()
    const corrected = { ...destination, connection: { kind: 'serial', path: 'COM4', ...line } }
    expect(tested[0]?.destination).toEqual(corrected)
    expect(saved().destination).toEqual(corrected)
  })

  test.each([
    ['port is corrected', { port: '9101' }, { host: '10.0.0.5', port: 9101, announcedName: 'Counter' }],
    ['other host is typed', { host: '10.0.0.6' }, { host: '10.0.0.6', port: 9100, announcedName: null }]
  ])('the announced name belongs to its host: %s', async (_, typed, connection) => {
    const named = { ...network, connection: { ...network.connection, announcedName: 'Counter' } }
    const { form, saved } = createForm({ destination: named, paperSize: '80mm' })
    Object.assign(form, typed)
    await form.saveTyped()
    expect(saved().destination).toEqual({ ...network, connection: { kind: 'network', ...connection } })
  })

  test('options that are changed while another change is saved are all saved', async () => {
    const { form, saved } = createForm({ destination: serial, paperSize: '80mm' })
    await Promise.all([
      form.setOptions({ cut: 'full' }),
      form.setSerial({ baudRate: 115_200 }),
      form.setOptions({ widthDots: 512 }),
      form.choosePaper('58mm')
    ])
    expect(saved()).toEqual({
      destination: {
        ...serial,
        connection: { ...serial.connection, baudRate: 115_200 },
        cut: 'full',
        widthDots: 512
      },
      paperSize: '58mm'
    })
  })

  test('options stay when another address is typed', async () => {
    const { form, saved } = createForm({ destination: network, paperSize: '80mm' })
    form.host = '10.0.0.6'
    await form.saveTyped()
    expect(saved().destination).toEqual(
      networkPrinter({ host: '10.0.0.6', port: 9100 }, { code: 'native-qr' })
    )
  })

  test.each(['', '../etc', '/etc/passwd'])('the path %j is rejected', async (path) => {
    const { form, saved } = createForm({ destination: { kind: 'folder' }, paperSize: '80mm' })
    form.chooseTyped()
    Object.assign(form, { connection: 'device', path })
    await form.saveTyped()
    expect(form.addressFault).toBe('path')
    expect(saved().destination.kind).toBe('folder')
  })

  test('a queue without a driver is sent the commands of a receipt printer', async () => {
    const { form, saved } = createForm({ destination: { kind: 'folder' }, paperSize: '80mm' })
    const queue = {
      kind: 'queue',
      name: 'Raw',
      description: '',
      state: { kind: 'ready' },
      isDefault: false,
      offered: { papers: [], sizes: [] },
      reportsDeletedJobs: true,
      deviceUri: ''
    } as const
    await form.chooseQueue({ ...queue, isRaw: true })
    expect(saved().destination).toEqual({ ...serial, connection: { kind: 'raw-queue', name: 'Raw' } })
    expect(form).toMatchObject({ isTyped: true, connection: 'raw-queue', queue: 'Raw' })
    await form.chooseQueue({ ...queue, isRaw: false })
    expect(saved().destination).toEqual({ kind: 'queue', name: 'Raw' })
    expect(form.isTyped).toBe(false)
  })
})

describe('test page', () => {
  test('is sent to the displayed printer, saved or not', async () => {
    const { form, tested } = createForm({ destination: { kind: 'folder' }, paperSize: '80mm' })
    form.chooseTyped()
    form.host = '10.0.0.5'
    await form.test()
    const destination = networkPrinter({ host: '10.0.0.5', port: 9100 })
    expect(tested).toEqual([{ destination, paperSize: '80mm' }])
    expect(form.testPage.printed).toBe('printed')
  })

  test('is sent to a printer that reports nothing', async () => {
    const { form } = createForm({ destination: { ...network, reportsState: false }, paperSize: '80mm' })
    await form.test()
    expect(form.testPage.printed).toBe('sent')
    expect(form.testPage.destination).toEqual(form.saved.destination)
  })

  test('shows its failure until another printer is chosen', async () => {
    const { form } = createForm(
      { destination: { kind: 'queue', name: 'Counter' }, paperSize: '80mm' },
      () => false
    )
    await form.test()
    expect(form.testPage.printed).toBeNull()
    expect(form.testPage.failure?.kind).toBe('not-printed')
    await form.choose({ kind: 'folder' })
    expect(form.testPage.failure).toBeNull()
  })
})
