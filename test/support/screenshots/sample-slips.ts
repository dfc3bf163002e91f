import type { Batch, Slip } from '../../../electron/contract/slips.ts'
import type { Printer } from '../../../electron/contract/printing.ts'
import { customers } from './sample-data.ts'

/** Slips in every state, batches and printers, for pictures of the screen. */
const slip = (index: number, change: Partial<Slip>): Slip => ({
  intentId: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  state: 'printed',
  revision: 3,
  points: 50 * index,
  cashier: null,
  customer: {
    id: customers[index % customers.length]?.id ?? '',
    name: customers[index % customers.length]?.name ?? ''
  },
  code: `AR7K-${String(4821 + index * 37)}`,
  url: `https://points.example/q/AR7K-${String(4821 + index * 37)}`,
  requestedAt: new Date(Date.UTC(2026, 10, 21, 12, 2 - index * 7)).toISOString(),
  issuedAt: new Date(Date.UTC(2026, 10, 21, 12, 2 - index * 7, 1)).toISOString(),
  printedAt: new Date(Date.UTC(2026, 10, 21, 12, 2 - index * 7, 3)).toISOString(),
  shownAt: null,
  file: `/home/till/slips/AR7K-${String(4821 + index * 37)}.pdf`,
  destination: { kind: 'folder' },
  failure: null,
  ending: null,
  copies: 0,
  lastCopy: null,
  batch: null,
  training: false,
  ...change
})

export const slips: readonly Slip[] = [
  slip(1, {
    copies: 2,
    lastCopy: {
      number: 2,
      state: 'printed',
      startedAt: '2026-11-21T12:10:00.000Z',
      destination: null,
      failure: null
    }
  }),
  slip(2, {
    state: 'unknown',
    code: null,
    url: null,
    issuedAt: null,
    printedAt: null,
    failure: { kind: 'unknown-outcome', cause: 'timeout' }
  }),
  slip(3, { customer: null }),
  slip(4, {
    state: 'print-failed',
    printedAt: null,
    destination: { kind: 'queue', name: 'Counter' },
    failure: { kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: true }
  }),
  slip(5, { points: 9999999 }),
  slip(6, {
    state: 'refused',
    code: null,
    url: null,
    issuedAt: null,
    printedAt: null,
    failure: { kind: 'rejected', status: 422, message: 'Points are not allowed today' }
  }),
  slip(7, { state: 'issued', printedAt: null }),
  slip(8, { training: true }),
  slip(9, {
    state: 'discarded',
    printedAt: null,
    ending: { at: '2026-11-21T12:20:00.000Z', note: 'Typed twice' }
  }),
  slip(10, { state: 'given', ending: { at: '2026-11-21T12:20:00.000Z', note: '' } }),
  slip(220, {})
]

/** A batch that came a good way. */
export const batch: Batch = {
  batchId: '00000000-0000-4000-9000-000000000001',
  points: 250,
  count: 120,
  oneJob: false,
  state: 'running',
  reason: null,
  issued: 74,
  printed: 68,
  saved: 0,
  failed: 2,
  ended: 0,
  unknown: 0,
  waiting: 46,
  startedAt: '2026-11-21T12:00:00.000Z',
  endedAt: null,
  training: false
}

export const printers: readonly Printer[] = [
  {
    kind: 'queue',
    name: 'Counter',
    description: 'Receipt printer at the counter',
    state: { kind: 'ready' },
    isDefault: true
  },
  {
    kind: 'queue',
    name: 'Office_Laser',
    description: '',
    state: { kind: 'hindered', fault: 'out-of-paper' },
    isDefault: false
  }
]
