/** Hostile IPC messages to every call of the bridge, with the real handlers and services. */
import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { channelOf, CALLS, IPC_METHODS, type BridgeCalls } from '../../electron/contract/bridge.ts'
import { DEFAULT_SLIP_SETTINGS } from '../../electron/contract/settings.ts'
import { customer } from '../unit/main/loyalty/samples.ts'
import { openAppHarness, type AppHarness } from './app-harness.ts'
import { handlers, ownPage, STRANGERS } from './fake-electron.ts'
import { hostileClone, mutationsOf } from './hostile.ts'
import { runs, SEEDS } from './runs.ts'
import { expectPrototypesUnchanged, watchForUnhandledErrors } from './no-side-effects.ts'
import { networkPrinter } from '../support/network-printer.ts'

vi.mock('electron', () => import('./fake-electron.ts'))
watchForUnhandledErrors()

/** `npm run test:fuzz` renders ten thousand previews. */
const TIMEOUT_MS = 10 * 60_000

const intentId = randomUUID()
const batchId = randomUUID()
const printer = {
  destination: networkPrinter({ host: '127.0.0.1', port: 9100 }),
  paperSize: '80mm'
}

/** A valid input of each call. */
const VALID: {
  readonly [Group in keyof BridgeCalls]: { readonly [Call in keyof BridgeCalls[Group]]: unknown }
} = {
  till: {
    state: undefined,
    rendererReady: undefined,
    startTraining: undefined,
    leaveTraining: undefined,
    set: {
      language: 'el',
      country: 'GR',
      printer: { destination: { kind: 'folder' }, paperSize: '80mm' },
      copies: 1,
      oneJob: false,
      pointsRule: { pointsPerUnit: '0.5', rounding: 'down', minimum: '0', currency: 'EUR' },
      slip: DEFAULT_SLIP_SETTINGS
    },
    dismissNotice: { kind: 'token-unreadable' },
    saveDraft: {
      intentId,
      pressed: false,
      way: 'slip',
      customer,
      points: '250',
      bill: '',
      copies: null,
      linkedBill: {
        amount: { value: '12.50', currency: 'EUR' },
        points: null,
        reference: 'R-1042',
        phone: null
      },
      search: 'Ada',
      registration: { name: 'Ada Lovelace', phone: '690 000 0123' }
    },
    draft: undefined
  },
  connection: {
    check: { baseUrl: 'https://points.example/api', token: 'a-token' },
    save: { acceptUnencrypted: true },
    forget: undefined,
    refresh: undefined,
    retryConnection: undefined
  },
  customers: {
    find: { box: 'till', text: '694 123 4567', page: 1 },
    recent: undefined,
    list: { page: 1 },
    read: { id: 'c-1' },
    standing: { id: 'c-1' },
    register: { name: 'Ada Lovelace', phone: '+306900000123' },
    linkPhone: { id: 'cus_1', digits: '123456' }
  },
  rewards: { catalogue: undefined, read: undefined, stop: undefined, detail: { id: 'r-1' } },
  slips: {
    issue: { intentId, points: 250, customer: { id: 'c-1', name: 'Ada Lovelace' }, copies: 1 },
    print: { intentId },
    reprint: { intentId },
    reprintLast: undefined,
    markGiven: { intentId, note: 'Handed over' },
    cancelPrint: { jobId: intentId },
    discard: { intentId, reason: 'Typed wrongly' },
    list: {
      offset: 0,
      search: {
        text: 'Ada',
        from: '2026-01-01',
        to: '2026-12-31',
        customerId: 'c-1',
        states: ['printed'],
        batchId
      }
    },
    exportCollections: { range: { from: '2026-11-21', to: '2026-11-22' }, by: 'cashier' },
    exportCsv: { search: { text: 'Ada' } },
    report: { from: '2026-11-01', to: '2026-11-21' },
    printReport: { from: '2026-11-21', to: '2026-11-21' },
    attention: undefined,
    attentionList: { offset: 0 },
    check: { code: 'AB12CD' }
  },
  redemptions: {
    redeem: {
      intentId,
      customer: { id: 'c-1', name: 'Ada Lovelace' },
      reward: { id: 'r-1', name: 'Coffee' },
      cost: 120,
      balanceBefore: 300
    },
    undo: { intentId, reason: 'Wrong reward' },
    ofCustomer: { id: 'c-1' }
  },
  credits: {
    credit: {
      intentId,
      customer: { id: 'c-1', name: 'Ada Lovelace' },
      points: 250,
      balanceBefore: 300,
      reference: 'R-1041'
    },
    undo: { intentId, reason: 'Wrong customer' },
    ofCustomer: { id: 'c-1' }
  },
  returns: {
    take: {
      intentId,
      purchase: { by: 'code', code: 'AR7K' },
      part: { points: 100 },
      customer: { id: 'c-1', name: 'Ada Lovelace' },
      atMost: 250,
      reason: 'Goods returned'
    }
  },
  operations: {
    print: { intentId },
    discard: { key: intentId, reason: 'Looked it up' },
    attention: undefined,
    attentionList: undefined,
    askAgain: undefined
  },
  billLinks: { take: undefined },
  batches: {
    start: { batchId, points: 5, count: 2, oneJob: false },
    pause: { batchId },
    resume: { batchId, issueUnknownAgain: false },
    cancel: { batchId, unprinted: 'discard' },
    printRest: { batchId },
    unfinished: undefined
  },
  staff: {
    lock: undefined,
    lockManager: undefined,
    active: undefined,
    unlock: { cashierId: 'k-1', pin: null },
    unlockManager: { pin: '2468' },
    setManagerPin: { current: null, pin: null },
    addCashier: { name: 'Ada', pin: null },
    changeCashier: { id: 'k-1', name: 'Ada Lovelace' },
    removeCashier: { id: 'k-1' },
    reset: { token: null }
  },
  customerDisplay: {
    serving: { customerId: 'c-1' },
    screens: undefined,
    showNumbers: undefined,
    previews: undefined,
    askForPhone: undefined,
    stopAskingForPhone: undefined
  },
  privacy: { exportCustomer: { id: 'c-1', name: 'Ana' }, forgetCustomer: { id: 'c-1', name: 'Ana' } },
  localInterface: {
    startPairing: undefined,
    stopPairing: undefined,
    setCaller: { id: intentId, mayIssueWhileLocked: true },
    removeCaller: { id: intentId }
  },
  about: { read: undefined },
  diagnostics: { read: undefined, save: undefined },
  updates: { check: undefined, install: { serving: false } },
  printers: {
    list: undefined,
    printTestPage: { jobId: intentId, printer },
    preview: { paperSize: '80mm', slip: DEFAULT_SLIP_SETTINGS },
    startFinding: undefined,
    stopFinding: undefined
  }
}

const ALL = Object.entries(IPC_METHODS).flatMap(([group, calls]) =>
  calls.map((call) => {
    const inputs: Readonly<Record<string, unknown>> = VALID[group as keyof BridgeCalls]
    return [channelOf(group, call), inputs[call]] as const
  })
)

const send = (channel: string, event: ReturnType<typeof ownPage>, input: unknown): Promise<unknown> => {
  const handler = handlers.get(channel)
  if (!handler) throw new Error(`No handler for ${channel}`)
  // IPC copies the input.
  return handler(event, structuredClone(input))
}

/** Whether a page can send the value. */
const isCloneable = (value: unknown): boolean => {
  try {
    structuredClone(value)
    return true
  } catch {
    return false
  }
}

const isResult = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (('ok' in value && value.ok === true && 'value' in value) ||
    ('ok' in value && value.ok === false && 'failure' in value))

let till: AppHarness
beforeAll(async () => {
  till = await openAppHarness()
})
afterAll(() => till.close())

describe.each(SEEDS)('with %s', (_name, seed) => {
  it.each(ALL)(
    '%s returns a result for any input',
    async (channel, valid) => {
      // Some calls leave training mode.
      await send(channelOf('till', 'startTraining'), ownPage(), undefined)
      await fc.assert(
        fc.asyncProperty(mutationsOf(valid, hostileClone).filter(isCloneable), async (input) => {
          const answer = await send(channel, ownPage(), input)
          expect(isResult(answer)).toBe(true)
          // The page receives a structured clone.
          structuredClone(answer)
        }),
        { seed, numRuns: runs(10_000, 12) }
      )
      expectPrototypesUnchanged()
      expect(till.isAlive()).toBe(true)
    },
    TIMEOUT_MS
  )
})

describe('a message of another sender', () => {
  it.each(Object.entries(STRANGERS))(
    '%s, gets the failure internal without details',
    async (_name, stranger) => {
      for (const [channel, valid] of ALL)
        expect(await send(channel, stranger(), valid)).toEqual({ ok: false, failure: { kind: 'internal' } })
    }
  )
})

it.each(ALL)('%s accepts the valid input that the test changes', (channel, valid) => {
  const [group = '', call = ''] = channel.split('.')
  const calls: Readonly<Record<string, { readonly input: v.GenericSchema }>> =
    CALLS[group as keyof BridgeCalls]
  expect(v.safeParse(calls[call]?.input ?? v.never(), valid).success).toBe(true)
})
