/**
 * A bridge with sample data and no main process behind it, for pictures of the screen. It runs in the page, before
 * the page's own script. `globalThis.fakeState` says how things stand.
 */
import QRCode from 'qrcode'
import type { LinkedBill } from '../../../electron/contract/local-interface.ts'
import {
  attentionAction,
  type Batch,
  type CheckedCode,
  type IssuedSlip,
  type QrDrawing,
  type Slip
} from '../../../electron/contract/slips.ts'
import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { CustomerScreen, TypedPhone } from '../../../electron/contract/customer-display.ts'
import type { Standing } from '../../../electron/contract/earning-rules.ts'
import type { Customer } from '../../../electron/contract/loyalty.ts'
import type { Catalogue } from '../../../electron/contract/catalogue.ts'
import { err, ok, type Result, type Failure } from '../../../electron/contract/failure.ts'
import {
  deliveryLabel,
  outputOf,
  type FoundPrinters,
  type Printer
} from '../../../electron/contract/printing.ts'
import type { ForgettingResult } from '../../../electron/contract/privacy.ts'
import type { TillState } from '../../../electron/contract/till.ts'
import { currentDeliveryMethod } from '../../../renderer/src/state/issued-slips.svelte.ts'
import type { Credit } from '../../../electron/contract/credits.ts'
import type { Redemption } from '../../../electron/contract/redemptions.ts'
import type { UnansweredOperation } from '../../../electron/contract/operations.ts'
import type { DrawPreview } from './slip-preview.ts'
import { fakeCredit, fakeRedemption, fakeReport, fakeReturn, fakeStaff, fakeUndone } from './fake-calls.ts'
import { displayPreviews } from './screenshots-customer-display.ts'
import {
  batch as sampleBatch,
  business,
  customers,
  customerScreens,
  diagnostics,
  foundPrinters,
  movedPrinter,
  pairedCaller,
  printers,
  rewards,
  sampleLicences,
  slips,
  tillState
} from './sample-data.ts'

/** What a picture needs to be otherwise than usual. */
export interface FakeState {
  readonly state?: Partial<TillState>
  readonly issue?: Failure | 'print-failed' | 'printing' | 'copy-failed'
  /** settings that are otherwise than a till's first ones */
  readonly settings?: Partial<TillState['settings']>
  /** why the slip or its copy comes to nothing, where `issue` says so */
  readonly slipFailure?: Failure
  /** the code of a slip that is issued */
  readonly code?: string
  /** slips before those of the sample */
  readonly slips?: readonly Slip[]
  /** queues of the system instead of the sample's */
  readonly queues?: readonly Printer[]
  /** the failure of reading a chosen customer, or the customer whom they were merged into */
  readonly reading?: Failure | Customer
  /** an unfinished batch at the start of the till */
  readonly batch?: Partial<Batch>
  /** what a test page, a print or a reprint comes to */
  readonly paper?: Failure
  /** whether a test page never ends */
  readonly isTestPageSlow?: true
  /** what a PIN that is typed comes to */
  readonly pin?: Failure
  readonly find?: Failure
  /** what the chosen customer has by the shop's rules */
  readonly standing?: Standing
  /** whether customers are those that the till saw lately */
  readonly remembered?: true
  readonly check?: Failure
  readonly save?: Failure
  /** what is known of the rewards, where it is not the whole sample */
  readonly catalogue?: Partial<Catalogue>
  /** a business with thousands of rewards, and customers without an end */
  readonly many?: boolean
  readonly empty?: boolean
  /** screens of the machine, where they are other than two */
  readonly screens?: readonly CustomerScreen[]
  /** how many customers this till has served */
  readonly served?: number
  /** whether the till has not seen them since its start: only the journal knows them */
  readonly restarted?: boolean
  readonly waits?: boolean
  /** the printer of the settings has another address */
  readonly moved?: boolean
  /** the bill of another program, which arrives with the page's event `bill` */
  readonly bill?: LinkedBill
  /** how the pairing of a program ends at once */
  readonly pairing?: 'paired' | 'paired-again' | 'ended'
  /** the slip that this bill has already */
  readonly billIssued?: Slip
  /** what redeeming comes to, where it is not done */
  readonly redeem?: Failure | 'waits'
  /** what a credit comes to instead */
  readonly credit?: Failure | 'waits'
  /** points that are left of each credit; without it none went back */
  readonly creditRemaining?: number
  /** what linking a phone comes to, where it is not done */
  readonly linking?: Failure
  /** what taking points back comes to, where it is not done */
  readonly takeBack?: Failure
  /** what undoing a redemption comes to, where it is not done */
  readonly undo?: Failure
  /** what a customer who is asked for a phone does */
  readonly typedPhone?: TypedPhone
  /** what forgetting a customer comes to, where it is not done */
  readonly forgetting?: ForgettingResult | 'running'
}

/** Drawn outside of the page, by the till's own renderer. */
const { drawPreview } = globalThis as unknown as { drawPreview: DrawPreview }
const fakeState = (globalThis as { fakeState?: FakeState }).fakeState ?? {}

/** Where something is not printed, a printer is selected. */
const isHindered =
  fakeState.paper !== undefined ||
  (fakeState.slipFailure?.kind !== 'not-saved' &&
    (fakeState.issue === 'print-failed' || fakeState.issue === 'copy-failed'))
const printer = { destination: { kind: 'queue', name: 'Counter' }, paperSize: '80mm' } as const

let state: TillState = {
  ...tillState,
  settings: { ...tillState.settings, ...(isHindered ? { printer } : {}), ...fakeState.settings },
  ...fakeState.state
}
const stateListeners = new Set<(state: TillState) => void>()
const slipListeners = new Set<(slip: Slip) => void>()
const phoneListeners = new Set<(phone: TypedPhone) => void>()
const foundListeners = new Set<(found: FoundPrinters) => void>()
const NOTHING_FOUND: FoundPrinters = { printers: [], refused: 0 }
const batchListeners = new Set<(batch: Batch) => void>()
let redeemed: readonly Redemption[] = []
let credited: readonly Credit[] = []
const unanswered = (): readonly UnansweredOperation[] =>
  redeemed
    .filter(({ state: now }) => now === 'unknown')
    .map(({ intentId, customer, cost, reward, requestedAt, failure, training }) => ({
      key: intentId,
      kind: 'redeem',
      customer,
      points: cost,
      subject: reward.name,
      requestedAt,
      failure,
      canDiscard: true,
      training
    }))
const isSaving = (): boolean => outputOf(state.settings.printer.destination) === 'folder'
/** The sample with changes; what was delivered was delivered as the till does now. */
const createBatch = (change: Partial<Batch>): Batch => {
  const made = { ...sampleBatch, ...change }
  return { ...made, saved: isSaving() ? made.printed : 0 }
}
let batch: Batch | null = fakeState.batch ? createBatch(fakeState.batch) : null
const serving = state.staff.cashiers
let issued: Slip[] = fakeState.empty
  ? []
  : [...(fakeState.slips ?? []), ...slips].map((slip, index) => ({
      ...slip,
      cashier: slip.cashier ?? serving[index % serving.length] ?? null
    }))

/** The answer, or nothing for ever. */
const answer = <Value>(value: Value, failure?: Failure): Promise<Result<Value>> =>
  fakeState.waits ? new Promise(() => undefined) : Promise.resolve(failure ? err(failure) : ok(value))

const change = (next: Partial<TillState>): Promise<Result<TillState>> => {
  state = { ...state, ...next }
  for (const listener of stateListeners) listener(state)
  return Promise.resolve(ok(state))
}

function draw(text: string): QrDrawing {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' })
  let path = ''
  for (let y = 0; y < modules.size; y++) {
    for (let x = 0; x < modules.size; x++) if (modules.get(y, x)) path += `M${x} ${y}h1v1h-1z`
  }
  return { size: modules.size, path }
}

const page = <Item>(data: readonly Item[], number: number) => ({
  hasMore: data.length > 0 && number < 3,
  currentPage: number,
  pageSize: 20,
  data
})

const manyRewards = Array.from({ length: 420 }, (_, round) =>
  rewards.map((reward, place) => ({
    ...reward,
    id: `${reward.id}-${String(round)}`,
    name: `${reward.name}, no. ${String(round + 1)}`,
    cost: 50 + (((round * rewards.length + place) * 37) % 496) * 10
  }))
).flat()

const catalogue: Catalogue = {
  rewards: fakeState.empty || fakeState.find ? [] : fakeState.many ? manyRewards : rewards,
  complete: !fakeState.find,
  readAt: new Date().toISOString(),
  reading: null,
  failure: fakeState.find ?? null,
  ...fakeState.catalogue
}
const everybody = fakeState.empty ? [] : customers
const digits = (text: string): string => text.replace(/\D/gu, '')

const checked = (code: string): CheckedCode => ({
  code,
  qr: {
    code,
    qrURL: `https://points.example/q/${code}`,
    qrImageURL: null,
    rewardPoints: 250,
    status: code.endsWith('U') ? 'used' : 'open',
    usedDate: code.endsWith('U') ? '2026-11-20T17:11:00.000Z' : null,
    expiresAt: '2027-02-19T17:11:00.000Z',
    createdAt: '2026-11-19T09:30:00.000Z',
    updatedAt: null
  },
  used: code.endsWith('U') ? true : code.endsWith('X') ? null : false,
  slip: code.endsWith('X') ? null : (slips[0] ?? null)
})

const tell = (slip: Slip): Slip => {
  issued = issued.map((one) => (one.intentId === slip.intentId ? slip : one))
  for (const listener of slipListeners) listener(slip)
  return slip
}

/** What printing anything but a slip comes to. */
const printed = (name: string) => ({
  status: deliveryLabel(state.settings.printer.destination),
  file: isSaving() ? `/home/till/slips/${name}` : null
})

const copy = (slip: Slip | undefined): Promise<Result<IssuedSlip>> => {
  if (!slip) return Promise.resolve(err({ kind: 'not-found' }))
  if (fakeState.paper) return Promise.resolve(err(fakeState.paper))
  const number = slip.copies + 1
  const { destination } = slip
  const startedAt = new Date().toISOString()
  const lastCopy = { number, state: 'printed', startedAt, destination, failure: null } as const
  const copied = tell({ ...slip, copies: number, lastCopy, revision: slip.revision + 2 })
  return answer({ slip: copied, affordable: null, qr: draw(copied.url ?? '') })
}

const end = (intentId: string, ending: 'given' | 'discarded', note: string): Promise<Result<Slip>> => {
  const slip = issued.find((one) => one.intentId === intentId)
  if (!slip) return Promise.resolve(err({ kind: 'not-found' }))
  const at = new Date().toISOString()
  return answer(tell({ ...slip, state: ending, ending: { at, note }, revision: slip.revision + 1 }))
}

const sendBatch = (next: Batch): Promise<Result<Batch>> => {
  batch = next
  for (const listener of batchListeners) listener(next)
  return answer(next)
}

const changeBatch = (next: Partial<Batch>): Promise<Result<Batch>> =>
  batch ? sendBatch({ ...batch, ...next }) : Promise.resolve(err({ kind: 'not-found' }))

/** Ends the pairing. The page has shown the code before. */
function endPairing(pairing: FakeState['pairing']): void {
  const { callers } = state.localInterface
  const [first, ...others] = callers
  const again = first ? [...others, { ...first, pairedAt: '2026-11-23T12:00:00.000Z' }] : []
  void change({
    localInterface: {
      ...state.localInterface,
      pairingUntil: null,
      callers: pairing === 'paired' ? [...callers, pairedCaller] : pairing === 'ended' ? callers : again
    }
  })
}

addEventListener('bill', () => void change({ billWaiting: true }))

const bridge: Bridge = {
  of: () => bridge,
  localInterface: {
    startPairing: async () => {
      const expiresAt = new Date(Date.now() + 5 * 60_000).toISOString()
      await change({ localInterface: { ...state.localInterface, pairingUntil: expiresAt } })
      const { pairing } = fakeState
      if (pairing)
        setTimeout(() => {
          endPairing(pairing)
        })
      return ok({ code: '48271903', expiresAt })
    },
    stopPairing: () => change({ localInterface: { ...state.localInterface, pairingUntil: null } }),
    setCaller: () => change({}),
    removeCaller: ({ id }) =>
      change({
        localInterface: {
          ...state.localInterface,
          callers: state.localInterface.callers.filter((caller) => caller.id !== id)
        }
      })
  },
  till: {
    state: () => Promise.resolve(ok(state)),
    rendererReady: () => Promise.resolve(ok(null)),
    startTraining: () =>
      change({ mode: 'training', baseUrl: null, business: { ...business, name: 'Training café' } }),
    leaveTraining: () => change({ mode: 'onboarding', business: null }),
    set: (settings) => change({ settings: { ...state.settings, ...settings } }),
    dismissNotice: ({ kind }) => change({ notices: state.notices.filter((notice) => notice.kind !== kind) }),
    saveDraft: () => Promise.resolve(ok(null)),
    draft: () => Promise.resolve(ok(null))
  },
  connection: {
    check: () => answer(business, fakeState.check),
    save: ({ acceptUnencrypted }) =>
      fakeState.save && !acceptUnencrypted
        ? Promise.resolve(err(fakeState.save))
        : change({ mode: 'business', business, accepted: true, baseUrl: 'https://points.example/api' }),
    forget: () => change({ mode: 'onboarding', business: null, baseUrl: null }),
    refresh: () => change({}),
    retryConnection: () => (fakeState.waits ? new Promise(() => undefined) : change({}))
  },
  customers: {
    find: ({ text }) => {
      if (/^AR7K/iu.test(text)) return answer({ kind: 'code', code: checked(text) } as const, fakeState.find)
      const number = digits(text)
      const found = everybody.filter((customer) =>
        number.length > 3
          ? digits(customer.phone).includes(number.replace(/^0+/u, ''))
          : `${customer.name} ${customer.email ?? ''}`.toLowerCase().includes(text.toLowerCase())
      )
      const phone = number.length > 6 ? { e164: `+${number}`, display: text } : null
      return answer(
        {
          ...({ kind: 'customers', customers: found, page: 1, hasMore: found.length > 5, phone } as const),
          ...(fakeState.remembered && { hasMore: false, isOld: true })
        },
        fakeState.find
      )
    },
    recent: () => {
      const served = fakeState.served ? everybody.slice(0, fakeState.served) : []
      const before = { phone: '', email: null, avatar: null, balance: null, lifetimePoints: null }
      return Promise.resolve(ok(fakeState.restarted ? served.map((one) => ({ ...one, ...before })) : served))
    },
    list: ({ page: number }) =>
      answer({ ...page(everybody, number), ...(fakeState.many && { hasMore: true }) }, fakeState.find),
    read: ({ id }) => {
      const { reading } = fakeState
      if (reading) return Promise.resolve('kind' in reading ? err(reading) : ok(reading))
      const customer = customers.find((one) => one.id === id)
      return Promise.resolve(customer ? ok(customer) : err({ kind: 'not-found' }))
    },
    standing: () => answer(fakeState.standing ?? null),
    register: ({ name, phone }) => {
      if (state.isNameRequired && name === '') {
        const failure = { kind: 'invalid-input', field: 'name', fault: 'required-by-service' } as const
        return Promise.resolve(err(failure))
      }
      const known = customers.find((customer) => digits(customer.phone) === digits(phone))
      const customer = { id: 'new', name, phone, email: null, avatar: null, balance: 0, lifetimePoints: 0 }
      return Promise.resolve(ok({ customer: known ?? customer, existed: known !== undefined }))
    },
    linkPhone: () => answer(null, fakeState.linking)
  },
  rewards: {
    catalogue: () => answer(catalogue),
    read: () => answer(catalogue),
    stop: () => answer({ ...catalogue, reading: null }),
    detail: ({ id }) => {
      const reward = rewards.find((one) => one.id === id)
      if (!reward) return Promise.resolve(err({ kind: 'not-found' }))
      const { redeem } = fakeState
      const isDearer = typeof redeem === 'object' && 'reason' in redeem && redeem.reason === 'price-changed'
      return Promise.resolve(ok(isDearer ? { ...reward, cost: (reward.cost ?? 0) + 50 } : reward))
    }
  },
  slips: {
    issue: ({ intentId, points, customer }) => {
      if (typeof fakeState.issue === 'object') {
        return Promise.resolve(err(fakeState.issue))
      }
      const now = new Date().toISOString()
      const failed = fakeState.issue === 'print-failed'
      const way = currentDeliveryMethod(state)
      const onPaper = way !== 'show'
      const { code = 'AR7K-5093', slipFailure } = fakeState
      const printState = failed ? 'print-failed' : fakeState.issue === 'printing' ? 'printing' : 'printed'
      const slip: Slip = {
        intentId,
        state: onPaper ? printState : 'shown',
        points,
        remaining: null,
        customer,
        cashier: state.staff.cashier,
        caller: null,
        reference: null,
        code,
        url: `https://points.example/q/${code}?s=till`,
        requestedAt: now,
        issuedAt: now,
        expiresAt: '2027-02-19T12:00:00.000Z',
        printedAt: onPaper && !failed ? now : null,
        shownAt: way === 'print' ? null : now,
        returned: false,
        offline: null,
        collectedAt: null,
        takenBackAt: null,
        file: null,
        failure: failed
          ? (slipFailure ?? { kind: 'not-printed', fault: 'cover-open', mayStillPrint: false })
          : null,
        revision: 3,
        destination: state.settings.printer.destination,
        ending: null,
        copies: 0,
        lastCopy:
          fakeState.issue === 'copy-failed'
            ? {
                number: 1,
                state: 'print-failed',
                startedAt: now,
                destination: state.settings.printer.destination,
                failure: slipFailure ?? { kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false }
              }
            : null,
        batch: null,
        training: state.mode === 'training'
      }
      issued = [slip, ...issued]
      for (const listener of slipListeners) listener(slip)
      return answer<IssuedSlip>({ slip, affordable: null, qr: draw(slip.url ?? '') })
    },
    print: ({ intentId }) => {
      const slip = issued.find((one) => one.intentId === intentId)
      if (!slip) return Promise.resolve(err({ kind: 'not-found' }))
      const printed: Slip = { ...slip, state: 'printed', failure: null, printedAt: new Date().toISOString() }
      issued = issued.map((one) => (one === slip ? printed : one))
      return Promise.resolve(ok({ slip: printed, affordable: null, qr: draw(printed.url ?? '') }))
    },
    reprint: ({ intentId }) => copy(issued.find((one) => one.intentId === intentId)),
    reprintLast: () => copy(issued[0]),
    cancelPrint: () => change({ hinderedPrint: null }).then(() => ok(null)),
    markGiven: ({ intentId, note }) => end(intentId, 'given', note ?? ''),
    discard: ({ intentId, reason }) =>
      state.staff.manager === 'locked'
        ? Promise.resolve(err({ kind: 'locked', needs: 'manager' }))
        : end(intentId, 'discarded', reason),
    exportCsv: () => answer({ file: '/home/till/slips.csv', slips: issued.length }),
    exportCollections: () => answer({ file: '/home/till/collected 2026-11-21.csv' }),
    report: (range) => answer(fakeReport(range, issued)),
    printReport: () => answer(printed('report.pdf'), fakeState.paper),
    attentionList: () =>
      answer({
        slips: issued.flatMap((slip) => {
          const action = attentionAction(slip)
          return action ? [{ slip, action }] : []
        }),
        hasMore: false
      }),
    list: ({ search }) => {
      const text = search?.text?.toLowerCase()
      const found = issued.filter(
        ({ code, customer, cashier }) =>
          (!search?.cashierId || cashier?.id === search.cashierId) &&
          (!text || `${code ?? ''} ${customer?.name ?? ''}`.toLowerCase().includes(text)) &&
          (!search?.customerId || customer?.id === search.customerId)
      )
      return answer({ slips: found, hasMore: found.length > 5 })
    },
    attention: () =>
      Promise.resolve(
        ok(issued.filter(({ state: now }) => ['issued', 'print-failed', 'unknown'].includes(now)).length)
      ),
    check: ({ code }) => answer(checked(code), fakeState.check)
  },
  redemptions: {
    redeem: (request) => {
      const failure = fakeState.redeem
      if (failure === 'waits') return new Promise(() => undefined)
      const lost = failure?.kind === 'unknown-outcome' ? ({ state: 'unknown', failure } as const) : {}
      redeemed = [{ ...fakeRedemption(request), ...lost }, ...redeemed]
      return answer(fakeRedemption(request), failure)
    },
    undo: ({ intentId, reason }) => {
      const [one] = redeemed.filter((redemption) => redemption.intentId === intentId)
      return one
        ? answer(fakeUndone(one, reason), fakeState.undo)
        : Promise.resolve(err({ kind: 'not-found' }))
    },
    ofCustomer: () => Promise.resolve(ok(redeemed))
  },
  credits: {
    credit: (request) => {
      const failure = fakeState.credit
      if (failure === 'waits') return new Promise(() => undefined)
      credited = [fakeCredit(request), ...credited]
      return answer(fakeCredit(request), failure)
    },
    undo: ({ intentId, reason }) => {
      const [one] = credited.filter((credit) => credit.intentId === intentId)
      return one
        ? answer(fakeUndone(one, reason), fakeState.undo)
        : Promise.resolve(err({ kind: 'not-found' }))
    },
    ofCustomer: () =>
      Promise.resolve(
        ok(credited.map((credit) => ({ ...credit, remaining: fakeState.creditRemaining ?? null })))
      )
  },
  returns: {
    take: (request) => answer(fakeReturn(request), fakeState.takeBack)
  },
  operations: {
    print: () => answer(printed('redeemed.pdf'), fakeState.paper),
    discard: () => Promise.resolve(err({ kind: 'not-found' })),
    attention: () => Promise.resolve(ok(unanswered().length)),
    attentionList: () => Promise.resolve(ok(unanswered())),
    askAgain: () => Promise.resolve(ok(unanswered()))
  },
  billLinks: {
    take: async () => {
      await change({ billWaiting: false })
      return ok(fakeState.bill ? { bill: fakeState.bill, issued: fakeState.billIssued ?? null } : null)
    }
  },
  batches: {
    start: ({ batchId, points, count, oneJob }) =>
      sendBatch(
        createBatch({
          batchId,
          points,
          count,
          oneJob,
          issued: Math.ceil(count / 3),
          printed: Math.ceil(count / 3),
          failed: 0,
          waiting: count - Math.ceil(count / 3),
          ...fakeState.batch
        })
      ),
    pause: () => changeBatch({ state: 'paused' }),
    resume: () => changeBatch({ state: 'running' }),
    cancel: () => changeBatch({ state: 'cancelled', endedAt: new Date().toISOString() }),
    printRest: () => changeBatch({}),
    unfinished: () => answer(batch ? [batch] : [])
  },
  customerDisplay: {
    serving: () => answer(null),
    screens: () => Promise.resolve(ok(fakeState.screens ?? customerScreens)),
    showNumbers: () => answer(null),
    previews: () => answer(displayPreviews(state)),
    askForPhone: () => {
      const { typedPhone } = fakeState
      if (typedPhone) for (const listener of phoneListeners) listener(typedPhone)
      return answer(null)
    },
    stopAskingForPhone: () => answer(null)
  },
  printers: {
    list: () => answer(fakeState.empty ? [] : (fakeState.queues ?? printers)),
    printTestPage: () =>
      fakeState.isTestPageSlow ? new Promise(() => undefined) : answer(null, fakeState.paper),
    preview: async (input) => answer(await drawPreview(input, state.slipLanguage)),
    startFinding: () => {
      for (const listener of foundListeners) listener(fakeState.empty ? NOTHING_FOUND : foundPrinters)
      return answer(null)
    },
    stopFinding: () => answer(null)
  },
  updates: {
    check: () => answer(null),
    install: ({ serving }) =>
      answer(serving ? ({ kind: 'wait', for: 'customer' } as const) : ({ kind: 'restarting' } as const))
  },
  diagnostics: {
    read: () => answer(diagnostics),
    save: () => answer({ file: '/home/till/Documents/tillpoints diagnostics 2026-11-21.zip' })
  },
  about: {
    read: () =>
      answer({
        version: state.version,
        electron: '45.4.1',
        chromium: '152.0.7444.59',
        node: '24.21.0',
        system: 'Linux 6.1.0 x64',
        licences: sampleLicences,
        packages: []
      })
  },
  privacy: {
    exportCustomer: () => answer({ file: '/home/till/Documents/customer data 2026-11-21.json' }),
    forgetCustomer: () =>
      fakeState.forgetting === 'running'
        ? new Promise(() => undefined)
        : answer(fakeState.forgetting ?? { kind: 'forgotten', slips: 12, pdfs: 4, copies: 14 })
  },
  staff: fakeStaff({
    staff: () => state.staff,
    change: (staff) => change({ staff: { ...state.staff, ...staff } }),
    ...(fakeState.pin ? { pin: fakeState.pin } : {})
  }),
  onState: (listener) => {
    stateListeners.add(listener)
    return () => stateListeners.delete(listener)
  },
  onPartialSearchResult: () => () => undefined,
  onRewards: () => () => undefined,
  onRedemption: () => () => undefined,
  onCredit: () => () => undefined,
  onReturn: () => () => undefined,
  onOperation: () => () => undefined,
  onSlip: (listener) => {
    slipListeners.add(listener)
    return () => slipListeners.delete(listener)
  },
  onFoundPrinters: (listener) => {
    foundListeners.add(listener)
    return () => foundListeners.delete(listener)
  },
  onMovedPrinter: (listener) => {
    if (fakeState.moved) queueMicrotask(() => listener(movedPrinter))
    return () => undefined
  },
  onTypedPhone: (listener) => {
    phoneListeners.add(listener)
    return () => phoneListeners.delete(listener)
  },
  onForgettingProgress: (listener) => {
    if (fakeState.forgetting === 'running') queueMicrotask(() => listener({ done: 5, total: 17 }))
    return () => undefined
  },
  onBatch: (listener) => {
    batchListeners.add(listener)
    return () => batchListeners.delete(listener)
  }
}

Reflect.set(globalThis, 'tillpoints', bridge)
