import type { Batch, IssuedSlip, Slip } from '../../../../electron/contract/slips.ts'
import type { Catalogue, Customer } from '../../../../electron/contract/loyalty.ts'
import type { Bridge, BridgeCalls } from '../../../../electron/contract/bridge.ts'
import type { Result } from '../../../../electron/contract/failure.ts'
import type { PartialSearchResult } from '../../../../electron/contract/customers.ts'
import type { TillState } from '../../../../electron/contract/till.ts'
import { NO_STAFF } from '../../../../electron/contract/staff.ts'
import { DEFAULT_TILL_SETTINGS } from '../../../../electron/contract/settings.ts'

type Calls = { readonly [Group in keyof BridgeCalls]?: Partial<BridgeCalls[Group]> }

/** A bridge that answers the given calls; any other call of it throws with its name. */
export function bridgeWith(calls: Calls): Bridge & {
  sendPartialSearchResult(soFar: PartialSearchResult): void
  sendCatalogue(catalogue: Catalogue): void
  sendSlip(slip: Slip): void
  tellState(state: TillState): void
  sendBatch(batch: Batch): void
} {
  const founds = new Set<(soFar: PartialSearchResult) => void>()
  const states = new Set<(state: TillState) => void>()
  const catalogues = new Set<(catalogue: Catalogue) => void>()
  const slips = new Set<(slip: Slip) => void>()
  const batches = new Set<(batch: Batch) => void>()
  const group = (name: keyof BridgeCalls) =>
    new Proxy(calls[name] ?? {}, {
      get: (given, call): unknown =>
        Reflect.get(given, call) ??
        (() => {
          throw new Error(`The test expects no call of ${name}.${String(call)}`)
        })
    })
  return {
    till: group('till') as Bridge['till'],
    connection: group('connection') as Bridge['connection'],
    customers: group('customers') as Bridge['customers'],
    rewards: group('rewards') as Bridge['rewards'],
    slips: group('slips') as Bridge['slips'],
    batches: group('batches') as Bridge['batches'],
    printers: group('printers') as Bridge['printers'],
    diagnostics: group('diagnostics') as Bridge['diagnostics'],
    updates: group('updates') as Bridge['updates'],
    customerDisplay: group('customerDisplay') as Bridge['customerDisplay'],
    staff: group('staff') as Bridge['staff'],
    about: group('about') as Bridge['about'],
    onState: (listener) => {
      states.add(listener)
      return () => states.delete(listener)
    },
    onPartialSearchResult: (listener) => {
      founds.add(listener)
      return () => founds.delete(listener)
    },
    onRewards: (listener) => {
      catalogues.add(listener)
      return () => catalogues.delete(listener)
    },
    onSlip: (listener) => {
      slips.add(listener)
      return () => slips.delete(listener)
    },
    onBatch: (listener) => {
      batches.add(listener)
      return () => batches.delete(listener)
    },
    sendPartialSearchResult: (soFar) => {
      for (const listener of founds) listener(soFar)
    },
    sendBatch: (batch) => {
      for (const listener of batches) listener(batch)
    },
    sendCatalogue: (catalogue) => {
      for (const listener of catalogues) listener(catalogue)
    },
    sendSlip: (slip) => {
      for (const listener of slips) listener(slip)
    },
    tellState: (state) => {
      for (const listener of states) listener(state)
    }
  }
}

/** A call whose answers the test gives by hand, in any order. */
export function byHand<Input, Value>() {
  const asked: { readonly input: Input; readonly answer: (answer: Result<Value>) => void }[] = []
  return {
    asked,
    call: (input: Input): Promise<Result<Value>> =>
      new Promise((answer) => {
        asked.push({ input, answer })
      })
  }
}

/** Lets everything that is ready to run, run. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

export const customer = (id: string, change: Partial<Customer> = {}): Customer => ({
  id,
  name: `Customer ${id}`,
  email: null,
  phone: '+306901234567',
  avatar: null,
  balance: 100,
  lifetimePoints: 300,
  ...change
})

export const slip = (intentId: string, change: Partial<Slip> = {}): Slip => ({
  intentId,
  state: 'printed',
  revision: 3,
  points: 250,
  customer: null,
  cashier: null,
  code: 'AR7K',
  url: 'https://points.example/q/AR7K',
  requestedAt: '2026-11-21T12:00:00.000Z',
  issuedAt: '2026-11-21T12:00:01.000Z',
  printedAt: '2026-11-21T12:00:02.000Z',
  shownAt: null,
  file: null,
  destination: { kind: 'folder' },
  failure: null,
  ending: null,
  copies: 0,
  lastCopy: null,
  batch: null,
  training: false,
  ...change
})

export const issued = (intentId: string, change: Partial<Slip> = {}): IssuedSlip => ({
  slip: slip(intentId, change),
  qr: { size: 21, path: 'M0 0h1v1h-1z' }
})

export const tillState = (change: Partial<TillState> = {}): TillState => ({
  mode: 'business',
  accepted: true,
  baseUrl: 'https://points.example/api',
  business: null,
  settings: DEFAULT_TILL_SETTINGS,
  staff: NO_STAFF,
  language: 'en',
  slipLanguage: 'en',
  country: 'GR',
  offlineSince: null,
  customerDisplayOpen: false,
  notices: [],
  slipsFolder: '/slips',
  version: '0.1.0',
  update: { kind: 'off' },
  ...change
})
