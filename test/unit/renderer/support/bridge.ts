import type { Bridge, BridgeCalls } from '../../../../electron/contract/bridge.ts'
import type { TypedPhone } from '../../../../electron/contract/customer-display.ts'
import type { PartialSearchResult } from '../../../../electron/contract/customer-search.ts'
import { ok, type Result } from '../../../../electron/contract/failure.ts'
import type { Customer, Reward } from '../../../../electron/contract/loyalty.ts'
import type { Catalogue } from '../../../../electron/contract/catalogue.ts'
import type { FoundPrinters, MovedPrinter } from '../../../../electron/contract/printing.ts'
import type { ForgettingProgress } from '../../../../electron/contract/privacy.ts'
import type { Redemption } from '../../../../electron/contract/redemptions.ts'
import type { Return } from '../../../../electron/contract/returns.ts'
import type { Credit } from '../../../../electron/contract/credits.ts'
import type { Batch, IssuedSlip, Slip } from '../../../../electron/contract/slips.ts'
import type { TillState } from '../../../../electron/contract/till.ts'

type Calls = { readonly [Group in keyof BridgeCalls]?: Partial<BridgeCalls[Group]> }

/** The functions of a test bridge that send an event to the listeners of the page. */
interface EventSenders {
  sendState(state: TillState): void
  sendPartialSearchResult(partial: PartialSearchResult): void
  sendCatalogue(catalogue: Catalogue): void
  sendSlip(slip: Slip): void
  sendRedemption(redemption: Redemption): void
  sendCredit(credit: Credit): void
  sendReturn(returned: Return): void
  sendOperation(operation: { readonly key: string }): void
  sendBatch(batch: Batch): void
  sendFoundPrinters(found: FoundPrinters): void
  sendMovedPrinter(moved: MovedPrinter): void
  sendTypedPhone(phone: TypedPhone): void
  sendForgettingProgress(progress: ForgettingProgress): void
}

/** Creates a bridge that implements the given calls. Any other call throws an error that names it. */
export function bridgeWith(calls: Calls): Bridge & EventSenders {
  const group = (name: keyof BridgeCalls) =>
    new Proxy(calls[name] ?? {}, {
      get: (given, call): unknown =>
        Reflect.get(given, call) ??
        (() => {
          throw new Error(`Unexpected call of ${name}.${String(call)}`)
        })
    })
  const states = createEvent<TillState>()
  const partialSearchResults = createEvent<PartialSearchResult>()
  const catalogues = createEvent<Catalogue>()
  const slips = createEvent<Slip>()
  const redemptions = createEvent<Redemption>()
  const credits = createEvent<Credit>()
  const returns = createEvent<Return>()
  const operations = createEvent<{ readonly key: string }>()
  const batches = createEvent<Batch>()
  const foundPrinters = createEvent<FoundPrinters>()
  const movedPrinters = createEvent<MovedPrinter>()
  const typedPhones = createEvent<TypedPhone>()
  const forgetting = createEvent<ForgettingProgress>()
  const groups: BridgeCalls = {
    till: group('till') as Bridge['till'],
    connection: group('connection') as Bridge['connection'],
    customers: group('customers') as Bridge['customers'],
    rewards: group('rewards') as Bridge['rewards'],
    slips: group('slips') as Bridge['slips'],
    redemptions: group('redemptions') as Bridge['redemptions'],
    credits: group('credits') as Bridge['credits'],
    returns: group('returns') as Bridge['returns'],
    operations: group('operations') as Bridge['operations'],
    billLinks: group('billLinks') as Bridge['billLinks'],
    batches: group('batches') as Bridge['batches'],
    printers: group('printers') as Bridge['printers'],
    diagnostics: group('diagnostics') as Bridge['diagnostics'],
    updates: group('updates') as Bridge['updates'],
    customerDisplay: group('customerDisplay') as Bridge['customerDisplay'],
    staff: group('staff') as Bridge['staff'],
    privacy: group('privacy') as Bridge['privacy'],
    localInterface: group('localInterface') as Bridge['localInterface'],
    about: group('about') as Bridge['about']
  }
  return {
    ...groups,
    of: () => groups,
    onState: states.on,
    onPartialSearchResult: partialSearchResults.on,
    onRewards: catalogues.on,
    onSlip: slips.on,
    onRedemption: redemptions.on,
    onCredit: credits.on,
    onReturn: returns.on,
    onOperation: operations.on,
    onBatch: batches.on,
    onFoundPrinters: foundPrinters.on,
    onMovedPrinter: movedPrinters.on,
    onTypedPhone: typedPhones.on,
    onForgettingProgress: forgetting.on,
    sendState: states.send,
    sendPartialSearchResult: partialSearchResults.send,
    sendCatalogue: catalogues.send,
    sendSlip: slips.send,
    sendRedemption: redemptions.send,
    sendCredit: credits.send,
    sendReturn: returns.send,
    sendOperation: operations.send,
    sendBatch: batches.send,
    sendFoundPrinters: foundPrinters.send,
    sendMovedPrinter: movedPrinters.send,
    sendTypedPhone: typedPhones.send,
    sendForgettingProgress: forgetting.send
  }
}

/**
 * Creates a bridge with these calls whose `till.set` changes the settings of `state`. `state()` returns the current
 * state.
 */
export function bridgeWithSettings(state: TillState, calls: Omit<Calls, 'till'> = {}) {
  let current = state
  const bridge = bridgeWith({
    ...calls,
    till: {
      set: (change) => {
        current = { ...current, settings: { ...current.settings, ...change } }
        return Promise.resolve(ok(current))
      }
    }
  })
  return { bridge, state: () => current }
}

/** One event of the bridge: `on` adds a listener and returns its removal, `send` calls all listeners. */
function createEvent<Value>() {
  const listeners = new Set<(value: Value) => void>()
  return {
    on: (listener: (value: Value) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    send: (value: Value): void => {
      for (const listener of listeners) listener(value)
    }
  }
}

/** A bridge call whose results the test resolves itself, in any order. `requests` holds one entry per call. */
export function deferredCalls<Input, Value>() {
  const requests: { readonly input: Input; readonly resolve: (result: Result<Value>) => void }[] = []
  return {
    requests,
    call: (input: Input): Promise<Result<Value>> => {
      const { promise, resolve } = Promise.withResolvers<Result<Value>>()
      requests.push({ input, resolve })
      return promise
    }
  }
}

/**
 * Resolves after all pending promise callbacks have run. For assertions that something did *not* happen; use
 * `vi.waitFor` for something that happens, and `vi.advanceTimersByTimeAsync(0)` with fake timers.
 */
export const flushPromises = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

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

export const reward = (id: string, cost: number, isEnable: boolean | null = null): Reward => ({
  id,
  name: id,
  cost,
  index: null,
  isEnable
})

export const slip = (intentId: string, change: Partial<Slip> = {}): Slip => ({
  intentId,
  state: 'printed',
  revision: 3,
  points: 250,
  remaining: null,
  customer: null,
  cashier: null,
  caller: null,
  reference: null,
  code: 'AR7K',
  url: 'https://points.example/q/AR7K',
  requestedAt: '2026-11-21T12:00:00.000Z',
  issuedAt: '2026-11-21T12:00:01.000Z',
  expiresAt: null,
  printedAt: '2026-11-21T12:00:02.000Z',
  shownAt: null,
  returned: false,
  offline: null,
  collectedAt: null,
  takenBackAt: null,
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
  affordable: null,
  qr: { size: 21, path: 'M0 0h1v1h-1z' }
})
