import { expect, test } from 'vitest'
import { err, ok, type Failure } from '../../../../electron/contract/failure.ts'
import type { FoundPrinter, PrinterSettings } from '../../../../electron/contract/printing.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { PrinterForm } from '../../../../renderer/src/state/printer-form.svelte.ts'
import { PrinterSearch } from '../../../../renderer/src/state/printer-search.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { networkPrinter } from '../../../support/network-printer.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWithSettings } from '../support/bridge.ts'

const printer: FoundPrinter = {
  id: 'a',
  name: 'EPSON',
  location: '',
  address: '10.0.0.5',
  destination: networkPrinter({ host: '10.0.0.5', port: 9100 })
}
const found = { printers: [printer], refused: 0 }
const offline: Failure = { kind: 'not-printed', fault: 'printer-offline', mayStillPrint: false }

function createSearch({ failure }: { readonly failure?: Failure } = {}) {
  const calls: string[] = []
  const tested: PrinterSettings[] = []
  const { bridge, state } = bridgeWithSettings(tillState(), {
    printers: {
      startFinding: () => {
        calls.push('start')
        return Promise.resolve(failure?.kind === 'locked' ? err(failure) : ok(null))
      },
      stopFinding: () => {
        calls.push('stop')
        return Promise.resolve(ok(null))
      },
      printTestPage: ({ printer: settings }) => {
        tested.push(settings)
        return Promise.resolve(failure ? err(failure) : ok(null))
      }
    }
  })
  const ipc = new IpcClient()
  const till = new Till(bridge, ipc)
  till.accept(state())
  const search = new PrinterSearch(bridge, ipc, new PrinterForm(bridge, ipc, till))
  return { search, bridge, calls, tested, saved: () => state().settings.printer, leave: search.follow() }
}

test('a search shows what was found until it is stopped, and keeps it then', async () => {
  const { search, bridge, calls } = createSearch()
  bridge.sendFoundPrinters(found)
  expect(search.found).toBeNull()
  await search.start()
  bridge.sendFoundPrinters(found)
  expect(search.found).toEqual(found)
  await search.stop()
  bridge.sendFoundPrinters({ printers: [], refused: 0 })
  expect(search).toMatchObject({ found, isOpen: false })
  expect(calls).toEqual(['start', 'stop'])
})

test('leaving the settings stops the search', async () => {
  const { search, calls, leave } = createSearch()
  await search.start()
  leave()
  expect(calls).toEqual(['start', 'stop'])
  leave()
  expect(calls).toHaveLength(2)
})

test('a search without the manager does not start', async () => {
  const { search } = createSearch({ failure: { kind: 'locked', needs: 'manager' } })
  await search.start()
  expect(search.isOpen).toBe(false)
  expect(search.starting.failure?.kind).toBe('locked')
})

test('a found printer is tested without being chosen, and then used', async () => {
  const { search, tested, saved } = createSearch()
  await search.test(printer)
  expect(tested).toEqual([{ ...saved(), destination: printer.destination }])
  expect(search.testPage.printed).toBe('printed')
  expect(search.isTested(printer)).toBe(true)
  expect(search.isUsed(printer)).toBe(false)
  await search.use(printer)
  expect(saved().destination).toEqual(printer.destination)
  expect(search.isUsed(printer)).toBe(true)
})

test('a test page that failed shows why', async () => {
  const { search } = createSearch({ failure: offline })
  await search.test(printer)
  expect(search.testPage.printed).toBeNull()
  expect(search.testPage.failure).toEqual(offline)
})

test('a printer of documents without a queue can be neither tested nor used', async () => {
  const { search, tested, saved } = createSearch()
  const documents = { ...printer, destination: null }
  await search.test(documents)
  await search.use(documents)
  expect(tested).toEqual([])
  expect(saved().destination.kind).toBe('folder')
})
