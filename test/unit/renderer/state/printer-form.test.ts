import { describe, expect, test } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { PrinterSettings } from '../../../../electron/contract/printing.ts'
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
        printTestPage: (settings) => {
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
    form.chooseNetwork()
    form.host = ' 10.0.0.5 '
    form.code = 'native-qr'
    expect(form.isNetwork).toBe(true)
    expect(form.unsaved).toBe(true)
    expect(saved().destination).toEqual({ kind: 'folder' })
    await form.saveNetwork()
    expect(form.unsaved).toBe(false)
    expect(saved().destination).toEqual(network)
  })

  test('the form starts with the saved network printer', () => {
    const { form } = createForm({ destination: network, paperSize: '80mm' })
    expect(form).toMatchObject({ isNetwork: true, host: '10.0.0.5', port: '9100', code: 'native-qr' })
  })

  test.each([
    ['', '9100', 'host'],
    ['two words', '9100', 'host'],
    ['10.0.0.5', '70000', 'port'],
    ['10.0.0.5', 'x', 'port']
  ] as const)('host %j with port %j is rejected: %s', async (host, port, fault) => {
    const { form, saved } = createForm({ destination: { kind: 'folder' }, paperSize: '80mm' })
    form.chooseNetwork()
    Object.assign(form, { host, port })
    await form.saveNetwork()
    expect(form.addressFault).toEqual(fault)
    expect(saved().destination.kind).toBe('folder')
  })
})

describe('test page', () => {
  test('is sent to the displayed printer, saved or not', async () => {
    const { form, tested } = createForm({ destination: { kind: 'folder' }, paperSize: '80mm' })
    form.chooseNetwork()
    Object.assign(form, { host: '10.0.0.5', code: 'native-qr' })
    await form.test()
    expect(tested).toEqual([{ destination: network, paperSize: '80mm' }])
    expect(form.tested).toBe(true)
  })

  test('shows its failure until another printer is chosen', async () => {
    const { form } = createForm(
      { destination: { kind: 'queue', name: 'Counter' }, paperSize: '80mm' },
      () => false
    )
    await form.test()
    expect(form.tested).toBe(false)
    expect(form.testing.failure?.kind).toBe('not-printed')
    await form.choose({ kind: 'folder' })
    expect(form.testing.failure).toBeNull()
  })
})
