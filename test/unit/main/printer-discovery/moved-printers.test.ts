import { expect, test } from 'vitest'
import {
  DEFAULT_RECEIPT_OPTIONS,
  type MovedPrinter,
  type NetworkConnection
} from '../../../../electron/contract/printing.ts'
import type { Slip } from '../../../../electron/contract/slips.ts'
import { MovedPrinters } from '../../../../electron/main/printer-discovery/moved-printers.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'
import { slip } from '../../renderer/support/bridge.ts'

const from: NetworkConnection = { kind: 'network', host: '192.168.1.50', port: 9100, announcedName: 'EPSON' }
const to: NetworkConnection = { ...from, host: '192.168.1.77' }

const failed = (intentId: string, change: Partial<Slip> = {}): Slip =>
  slip(intentId, {
    state: 'print-failed',
    failure: { kind: 'not-printed', fault: 'printer-offline', mayStillPrint: false },
    destination: { kind: 'receipt-printer', connection: from, ...DEFAULT_RECEIPT_OPTIONS },
    ...change
  })

/** Handles slips one after the other. Resolves with the searches and with what the page was asked. */
async function handle(slips: readonly Slip[], found: NetworkConnection | null = to) {
  const searches: NetworkConnection[] = []
  const sent: MovedPrinter[] = []
  const discovery = {
    findMoved(connection: NetworkConnection) {
      searches.push(connection)
      return Promise.resolve(found)
    }
  }
  const moved = new MovedPrinters({
    discovery: { get: () => Promise.resolve(discovery) },
    send: (question) => sent.push(question),
    log: noOpLogger
  })
  for (const each of slips) await moved.handleSlip(each)
  return { searches, sent }
}

test('a slip whose printer did not respond asks for its new address, with the slips that wait', async () => {
  const printed = failed('a', { state: 'printed', failure: null })
  const { sent } = await handle([failed('a'), failed('b'), printed, failed('c')])
  expect(sent.map(({ intentIds }) => intentIds)).toEqual([['a'], ['a', 'b'], ['b', 'c']])
  expect(sent[0]).toMatchObject({ from, to })
})

test('an address that refuses the connection may be another device’s by now', async () => {
  const { sent } = await handle([
    failed('a', { failure: { kind: 'not-printed', fault: 'printer-busy', mayStillPrint: false } })
  ])
  expect(sent).toEqual([{ from, to, intentIds: ['a'] }])
})

test('a printer that is where it was causes no question', async () => {
  const { searches, sent } = await handle([failed('a')], null)
  expect(searches).toEqual([from])
  expect(sent).toEqual([])
})

test('the slip of a batch is not printed by the answer', async () => {
  const { sent } = await handle([failed('a', { batch: { batchId: 'b', position: 1 } })])
  expect(sent.map(({ intentIds }) => intentIds)).toEqual([[]])
})

test.each([
  [
    'may have been printed in part',
    { failure: { kind: 'not-printed', fault: 'printer-offline', mayStillPrint: true } }
  ],
  [
    'failed for want of paper',
    { failure: { kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false } }
  ],
  ['went to a queue', { destination: { kind: 'queue', name: 'Bar' } }],
  [
    'went to a typed address',
    {
      destination: {
        kind: 'receipt-printer',
        connection: { ...from, announcedName: null },
        ...DEFAULT_RECEIPT_OPTIONS
      }
    }
  ]
] as const)('a slip that %s causes no search', async (_name, change) => {
  const { searches } = await handle([failed('a', change)])
  expect(searches).toEqual([])
})
