import { expect, test } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import { DEFAULT_RECEIPT_OPTIONS, type MovedPrinter } from '../../../../electron/contract/printing.ts'
import type { TillState } from '../../../../electron/contract/till.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { MovedPrinterQuestion } from '../../../../renderer/src/state/printer-search.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith } from '../support/bridge.ts'

const from = { kind: 'network', host: '10.0.0.5', port: 9100, announcedName: 'EPSON' } as const
const moved: MovedPrinter = { from, to: { ...from, host: '10.0.0.9' }, intentIds: ['a', 'b'] }

function createQuestion(isManager = true) {
  const first = tillState()
  const destination = {
    kind: 'receipt-printer',
    connection: from,
    ...DEFAULT_RECEIPT_OPTIONS,
    cut: 'full'
  } as const
  let state: TillState = {
    ...first,
    settings: { ...first.settings, printer: { destination, paperSize: '80mm' } }
  }
  const printed: string[] = []
  const bridge = bridgeWith({
    till: {
      set: (change) => {
        if (!isManager) return Promise.resolve(err({ kind: 'locked', needs: 'manager' }))
        state = { ...state, settings: { ...state.settings, ...change } }
        return Promise.resolve(ok(state))
      }
    },
    slips: {
      print: ({ intentId }) => {
        printed.push(intentId)
        return Promise.resolve(err({ kind: 'not-found' }))
      }
    }
  })
  const ipc = new IpcClient()
  const till = new Till(bridge, ipc)
  till.accept(state)
  const question = new MovedPrinterQuestion(bridge, ipc, till)
  question.start()
  return { question, bridge, till, printed, connection: () => state.settings.printer.destination }
}

test('a yes saves the new address with the options, and prints the slips that wait', async () => {
  const { question, bridge, printed, connection } = createQuestion()
  bridge.sendMovedPrinter(moved)
  expect(question.open).toEqual(moved)
  await question.accept()
  expect(connection()).toMatchObject({ connection: moved.to, cut: 'full' })
  expect(printed).toEqual(['a', 'b'])
  expect(question.open).toBeNull()
})

test('without the manager nothing changes, and the question stays', async () => {
  const { question, bridge, printed, connection } = createQuestion(false)
  bridge.sendMovedPrinter(moved)
  await question.accept()
  expect(connection()).toMatchObject({ connection: from })
  expect(printed).toEqual([])
  expect(question.open).toEqual(moved)
})

test('a no closes the question until the next slip', () => {
  const { question, bridge } = createQuestion()
  bridge.sendMovedPrinter(moved)
  question.dismiss()
  expect(question.open).toBeNull()
  bridge.sendMovedPrinter(moved)
  expect(question.open).toEqual(moved)
})

test('another chosen printer closes the question', async () => {
  const { question, bridge, till } = createQuestion()
  bridge.sendMovedPrinter(moved)
  await till.set({ printer: { destination: { kind: 'folder' }, paperSize: '80mm' } })
  expect(question.open).toBeNull()
})
