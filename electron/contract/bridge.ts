/**
 * The interface between the page and the main process: every call that the page can make, and every event that main
 * sends. A call takes at most one plain value and resolves to a `Result`; it never rejects. Each group of calls is
 * implemented in `electron/main/ipc/`. The page is untrusted, so the lengths in the schemas are bounds, not rules for the user.
 */
import { calculationSchema } from './points-calculation.ts'
import * as v from 'valibot'
import { type LinkedBill, type PairingCode, referenceSchema } from './local-interface.ts'
import { creditRequestSchema, type Credit } from './credits.ts'
import type { CustomerDisplayView, CustomerScreen, TypedPhone } from './customer-display.ts'
import { SEARCH_BOXES, type PartialSearchResult, type SearchResult } from './customer-search.ts'
import type { AboutTill, Diagnostics } from './diagnostics.ts'
import type { Standing } from './earning-rules.ts'
import type { Result } from './failure.ts'
import type { Customer, Page, RewardDetail } from './loyalty.ts'
import type { Catalogue } from './catalogue.ts'
import { type FoundPrinters, type MovedPrinter, type Printer, testPrintSchema } from './printing.ts'
import { operationReasonSchema, undoReasonSchema, type UnansweredOperation } from './operations.ts'
import type { ForgettingProgress, ForgettingResult } from './privacy.ts'
import { redeemRequestSchema, type Redemption } from './redemptions.ts'
import { returnRequestSchema, type Return } from './returns.ts'
import {
  copiesSchema,
  settingsChangeSchema,
  slipPreviewInputSchema,
  type SlipPreviewImage
} from './settings.ts'
import { COLLECTION_GROUPINGS, type PrintedReport, type SlipsReport } from './slip-report.ts'
import {
  MAX_BATCH_SLIPS,
  slipSearchSchema,
  type AttentionSlip,
  type Batch,
  type CheckedCode,
  type ExportResult,
  type IssuedSlip,
  type Slip
} from './slips.ts'
import { checkoutDraftSchema, type Business, type CheckoutDraft, type TillState } from './till.ts'
import type { InstallResult } from './updates.ts'

/** A call: the schema that main parses its input with, and the type of its result. */
interface Call<Input, Output> {
  readonly input: v.GenericSchema<unknown, Input>
  /** a type only: no call has the property */
  readonly output?: Output
}

const takes = <Input>(input: v.GenericSchema<unknown, Input>) => ({
  returns: <Output>(): Call<Input, Output> => ({ input })
})
const nothing = takes(v.undefined())

const text = (maxLength: number) => v.pipe(v.string(), v.maxLength(maxLength))
const id = text(500)
const uuid = v.pipe(v.string(), v.uuid())
/** Any short text: main answers with a failure when it is not a valid PIN. */
const pin = text(64)
const token = text(8000)
const page = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000))
const offset = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000_000))
/** A calendar day, `YYYY-MM-DD`. */
const day = v.pipe(v.string(), v.isoDate())

const reportRange = v.pipe(
  v.strictObject({ from: day, to: day }),
  v.check(({ from, to }) => from <= to)
)
const cashierId = text(100)
const customerReference = v.strictObject({ id, name: text(500) })
const intent = v.strictObject({ intentId: uuid })
const batch = v.strictObject({ batchId: uuid })

const till = {
  state: nothing.returns<TillState>(),
  /** Reports that the page has painted and is idle. Main then starts its deferred work. */
  rendererReady: nothing.returns<null>(),
  /** Switches from onboarding, or from the business, to training mode. */
  startTraining: nothing.returns<TillState>(),
  /** Leaves training mode: back to the connected business, or to onboarding if there is none. */
  leaveTraining: nothing.returns<TillState>(),
  /** Changes the given settings and keeps the others. */
  set: takes(settingsChangeSchema).returns<TillState>(),
  /** Removes the notice of a kind: there is one at most, and it may be gone meanwhile. */
  dismissNotice: takes(v.strictObject({ kind: text(100) })).returns<TillState>(),
  /** Replaces the draft of the checkout, which main keeps in memory until the till closes or changes its service. */
  saveDraft: takes(checkoutDraftSchema).returns<null>(),
  /** Returns the last draft to a page that was reloaded after a crash; null if there is none. */
  draft: nothing.returns<CheckoutDraft | null>()
}

const connection = {
  /** Reads the account of this token (`GET /account`). Main keeps the pair in memory until `save`. */
  check: takes(v.strictObject({ baseUrl: text(2000), token })).returns<Business>(),
  /** Stores the pair that was checked last. Fails with `no-encryption` unless `acceptUnencrypted` is set. */
  save: takes(v.strictObject({ acceptUnencrypted: v.boolean() })).returns<TillState>(),
  /** Deletes the business and its token from this till. */
  forget: nothing.returns<TillState>(),
  /** Reads the profile of the business again. */
  refresh: nothing.returns<TillState>(),
  /** Checks at once whether the service answers; see `TillState.offlineSince`. Does nothing without a connected business. */
  retryConnection: nothing.returns<TillState>()
}

const customers = {
  /**
   * Finds customers by phone in any format, by e-mail, name or the code of their phone, or checks a scanned points code. A newer search from
   * the same search box cancels this one with its requests, and this one then fails with `aborted`. Partial results
   * are sent with `onPartialSearchResult`.
   */
  find: takes(
    v.strictObject({ box: v.picklist(SEARCH_BOXES), text: text(500), page })
  ).returns<SearchResult>(),
  /**
   * Returns the customers this till issued slips to last, newest first, at most 20. Sends no request: of those served before
   * the start it has only id and name.
   */
  recent: nothing.returns<readonly Customer[]>(),
  /** Returns one page of all customers, in the order of the service. */
  list: takes(v.strictObject({ page })).returns<Page<Customer>>(),
  /** Reads one customer again, for a fresh balance. */
  read: takes(v.strictObject({ id })).returns<Customer>(),
  /** Returns what a customer has by the shop's rules, or what it was last; null: not known. */
  standing: takes(v.strictObject({ id })).returns<Standing | null>(),
  /** Registers a customer, or returns the existing one with this phone (`existed`). */
  register: takes(v.strictObject({ name: text(500), phone: text(100) })).returns<{
    customer: Customer
    existed: boolean
  }>(),
  /** Links the phone that shows six digits to a customer (extension `devices/1`). Fails with `digits-unknown` or `busy`. */
  linkPhone: takes(v.strictObject({ id, digits: text(100) })).returns<null>()
}

const rewards = {
  /** Returns the cached catalogue, and reads it again unless it is fresh. Progress is sent with `onRewards`. */
  catalogue: nothing.returns<Catalogue>(),
  /** Reads the catalogue again unless it is being read. */
  read: nothing.returns<Catalogue>(),
  /** Stops reading the catalogue, and keeps what was read. */
  stop: nothing.returns<Catalogue>(),
  /** Reads one reward with its dates and whether it is enabled. */
  detail: takes(v.strictObject({ id })).returns<RewardDetail>()
}

const slips = {
  /**
   * Issues points, once per intent id: a second call with the same id returns the result of the first. Resolves when
   * the code is on disk and its print has started; the end of the print is sent with `onSlip`.
   */
  issue: takes(
    v.strictObject({
      intentId: uuid,
      /** validated by the slip service, which has a failure for each fault */
      points: v.number(),
      customer: v.nullable(v.strictObject({ id, name: text(500) })),
      copies: v.exactOptional(copiesSchema),
      calculation: v.exactOptional(calculationSchema),
      reference: v.exactOptional(referenceSchema)
    })
  ).returns<IssuedSlip>(),
  /** Prints a slip that has a code and was not printed. Resolves when the print ended. Never calls the service. */
  print: takes(intent).returns<IssuedSlip>(),
  /**
   * Prints the same code again, marked COPY with its number, and resolves when the print ended. A slip that was not
   * printed yet is printed for the first time instead. Never calls the service.
   */
  reprint: takes(intent).returns<IssuedSlip>(),
  /** Reprints the slip that was issued last. Fails with `not-found` if there is none. */
  reprintLast: nothing.returns<IssuedSlip>(),
  /**
   * Gives up a print job (`TillState.hinderedPrint`) or a test page: it is not printed. Does nothing when the job has ended.
   */
  cancelPrint: takes(v.strictObject({ jobId: uuid })).returns<null>(),
  /** Marks a slip as given to the customer. Fails with `not-found` unless it has a code and was not printed. */
  markGiven: takes(v.strictObject({ intentId: uuid, note: v.exactOptional(text(200)) })).returns<Slip>(),
  /** Discards a slip that needs attention. Its code, if it has one, is never printed. */
  discard: takes(
    v.strictObject({ intentId: uuid, reason: v.pipe(text(200), v.trim(), v.nonEmpty()) })
  ).returns<Slip>(),
  /** Returns slips of this till, newest first, from `offset` on. */
  list: takes(v.strictObject({ offset, search: v.exactOptional(slipSearchSchema) })).returns<{
    slips: readonly Slip[]
    hasMore: boolean
  }>(),
  /** Writes the slips of a search as CSV to a file that the cashier chooses in the system's dialog. */
  exportCsv: takes(v.strictObject({ search: v.exactOptional(slipSearchSchema) })).returns<ExportResult>(),
  /**
   * Writes which slips of a range were collected as CSV, one row for each period, batch, cashier or program, to a file that
   * the cashier chooses; `file` is null when the dialog was cancelled. Fails with `not-found` when that is not known.
   */
  exportCollections: takes(
    v.strictObject({ range: reportRange, by: v.picklist(COLLECTION_GROUPINGS) })
  ).returns<{ readonly file: string | null }>(),
  /** Returns the totals of a range of days. */
  report: takes(reportRange).returns<SlipsReport>(),
  /** Prints that report on the slip printer, or saves it to the folder. Resolves when that ended. */
  printReport: takes(reportRange).returns<PrintedReport>(),
  /** Returns the number of slips that need attention: unknown outcomes, and codes that were not printed. */
  attention: nothing.returns<number>(),
  /** Returns those slips, newest first, each with the action to offer. */
  attentionList: takes(v.strictObject({ offset })).returns<{
    slips: readonly AttentionSlip[]
    hasMore: boolean
  }>(),
  /** Reads the points of a code and whether it was used (`GET /qr/{code}`). Accepts a code or the URL of the QR code. */
  check: takes(v.strictObject({ code: text(2000) })).returns<CheckedCode>()
}

const redemptions = {
  /**
   * Redeems a reward, once per intent id: a second call with the same id returns what came of the first. Resolves when the
   * answer is on disk: the redemption is `redeemed`. Failures: `operation-refused`, `not-offered`, `offline` and others when
   * nothing was taken; `unknown-outcome` when the answer was lost: the till asks again by itself, and `onRedemption` has the
   * answer.
   */
  redeem: takes(redeemRequestSchema).returns<Redemption>(),
  /**
   * Gives the points of a redemption back, with a reason. Resolves when it is `undone`. Fails as `redeem`; it stays
   * `redeemed` unless the answer was lost. `not-found` for one that is not `redeemed` or `undo-unknown`.
   */
  undo: takes(undoReasonSchema).returns<Redemption>(),
  /** Returns the redemptions of a customer at this till, newest first, at most 20. */
  ofCustomer: takes(v.strictObject({ id })).returns<readonly Redemption[]>()
}

const credits = {
  /** Credits points to a customer, once per intent id; resolves and fails as `redemptions.redeem`, with `onCredit`. */
  credit: takes(creditRequestSchema).returns<Credit>(),
  /** Takes the points of a credit back, with a reason; as `redemptions.undo`. */
  undo: takes(undoReasonSchema).returns<Credit>(),
  /** Returns the credits of a customer at this till, newest first, at most 20. */
  ofCustomer: takes(v.strictObject({ id })).returns<readonly Credit[]>()
}

const returns = {
  /** Takes points of a purchase back, once per intent id; resolves and fails as `redemptions.redeem`, with `onReturn`. */
  take: takes(returnRequestSchema).returns<Return>()
}

const operations = {
  /**
   * Prints a slip without a code for the customer, which says what was redeemed, given, taken back or undone, on the slip printer,
   * or saves it to the folder. Resolves when that ended; `not-found` without an answer of the service.
   */
  print: takes(intent).returns<PrintedReport>(),
  /** Returns the number of operations whose answer was lost. */
  attention: nothing.returns<number>(),
  /** Returns those operations, newest first, at most 50. */
  attentionList: nothing.returns<readonly UnansweredOperation[]>(),
  /** Asks for the lost answers now, and returns the operations that still have none. */
  askAgain: nothing.returns<readonly UnansweredOperation[]>(),
  /** Ends one without an answer: the till does not ask any more. `not-found` for one that cannot be ended. */
  discard: takes(v.strictObject({ key: uuid, reason: operationReasonSchema })).returns<null>()
}

const billLinks = {
  /**
   * Returns the bill of another program that waits (`TillState.billWaiting`), which then waits no longer; its phone has
   * the spelling of `Phone.display`. null if there is none, or if it does not fit this shop, which is a notice. `issued`
   * is the newest slip of this till with its reference; null if there is none.
   */
  take: nothing.returns<{ bill: LinkedBill; issued: Slip | null } | null>()
}

const batches = {
  /**
   * Starts to issue `count` slips of `points` each, at most `MAX_BATCH_REQUESTS` at a time. The page makes the batch id
   * when its form opens; a second call with the same id returns the running batch. Progress is sent with `onBatch`.
   */
  start: takes(
    v.strictObject({
      batchId: uuid,
      /** validated by the slip service */
      points: v.number(),
      count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_BATCH_SLIPS)),
      oneJob: v.boolean()
    })
  ).returns<Batch>(),
  /** Sends no more requests. Resolves when the pending ones ended. */
  pause: takes(batch).returns<Batch>(),
  /**
   * Continues a batch that paused or stopped, also after a restart. Slips with an unknown outcome are asked for again with
   * their key; those without one are kept, or with `issueUnknownAgain` discarded and issued again.
   */
  resume: takes(v.strictObject({ batchId: uuid, issueUnknownAgain: v.boolean() })).returns<Batch>(),
  /** Ends a batch. Codes that were not printed are printed or discarded, as `unprinted` says. */
  cancel: takes(
    v.strictObject({ batchId: uuid, unprinted: v.picklist(['print', 'discard']) })
  ).returns<Batch>(),
  /** Prints all slips of a batch that have a code and were not printed. Resolves when the print started. */
  printRest: takes(batch).returns<Batch>(),
  /** Returns the unfinished batches of the current business, newest first. */
  unfinished: nothing.returns<readonly Batch[]>()
}

const printers = {
  /** Returns the print queues of this machine. */
  list: nothing.returns<readonly Printer[]>(),
  /** Prints a test page. Resolves when the print ended. */
  printTestPage: takes(testPrintSchema).returns<null>(),
  /** Lays out a sample slip with these settings, saved or not, and returns it as an image. */
  preview: takes(slipPreviewInputSchema).returns<SlipPreviewImage>(),
  /**
   * Looks for printers in the network and on this computer until `stopFinding`, or until the page goes away. What was found
   * is sent with `onFoundPrinters`, from the beginning again if a search was running.
   */
  startFinding: nothing.returns<null>(),
  stopFinding: nothing.returns<null>()
}

const diagnostics = {
  /** Returns versions, printers, statistics of the journal and the last errors, redacted. */
  read: nothing.returns<Diagnostics>(),
  /** Saves them with the logs as a zip file that the manager chooses; `file` is null when the dialog was cancelled. */
  save: nothing.returns<{ readonly file: string | null }>()
}

const updates = {
  /** Checks for an update and downloads it in the background; see `TillState.update`. */
  check: nothing.returns<null>(),
  /** Restarts into the downloaded update unless a customer is served (`serving`) or slips are under way. */
  install: takes(v.strictObject({ serving: v.boolean() })).returns<InstallResult>()
}

const customerDisplay = {
  /** Sets the customer who is served; null for none. Ignores an id that was never sent to the page. */
  serving: takes(v.nullable(v.strictObject({ customerId: id }))).returns<null>(),
  /** Returns the screens of this machine. They can change with every `onState`. */
  screens: nothing.returns<readonly CustomerScreen[]>(),
  /** Shows each screen's number on it for some seconds. */
  showNumbers: nothing.returns<null>(),
  /** Returns what the display shows when idle, with a sample customer and with sample points, for the settings. */
  previews: nothing.returns<readonly CustomerDisplayView[]>(),
  /** Lets the customer type a phone on the display. `onTypedPhone` has what is typed, and the end. */
  askForPhone: nothing.returns<null>(),
  stopAskingForPhone: nothing.returns<null>()
}

const staff = {
  /** Locks the till. Does nothing on a till without cashiers and manager PIN. */
  lock: nothing.returns<TillState>(),
  /** Ends the manager session early. */
  lockManager: nothing.returns<TillState>(),
  /** Restarts the idle timer, and makes ready what prints. The page calls it on user input, at most every few seconds. */
  active: nothing.returns<null>(),
  /** Unlocks the till, or changes the cashier. `pin` is null for a cashier without PIN. */
  unlock: takes(v.strictObject({ cashierId, pin: v.nullable(pin) })).returns<TillState>(),
  /** Starts a manager session; a locked till is unlocked without a cashier. */
  unlockManager: takes(v.strictObject({ pin })).returns<TillState>(),
  /** Sets, changes or (null) removes the manager PIN; `current` is the present one, if there is one. */
  setManagerPin: takes(
    v.strictObject({ current: v.nullable(pin), pin: v.nullable(pin) })
  ).returns<TillState>(),
  addCashier: takes(v.strictObject({ name: text(500), pin: v.nullable(pin) })).returns<TillState>(),
  /** Changes the given fields. A null PIN removes the PIN. */
  changeCashier: takes(
    v.strictObject({
      id: cashierId,
      name: v.exactOptional(text(500)),
      pin: v.exactOptional(v.nullable(pin))
    })
  ).returns<TillState>(),
  removeCashier: takes(v.strictObject({ id: cashierId })).returns<TillState>(),
  /**
   * Removes a forgotten manager PIN and unlocks the till. The token of the connected business proves the manager; the
   * token of another one fails with `other-business`. Without a connected business `token` is null.
   */
  reset: takes(v.strictObject({ token: v.nullable(token) })).returns<TillState>()
}

const privacy = {
  /**
   * Writes what this till holds of a customer as JSON to a file that the manager chooses in the system's dialog; `file` is
   * null when it was cancelled.
   */
  exportCustomer: takes(customerReference).returns<{ readonly file: string | null }>(),
  /**
   * Removes name and id of a customer from every file of this till. Points and codes stay. Slips cannot be issued
   * meanwhile; progress is sent with `onForgettingProgress`.
   */
  forgetCustomer: takes(customerReference).returns<ForgettingResult>()
}

const localInterface = {
  /**
   * Makes a one-time code with which one program can be paired, and replaces the previous one. `TillState.localInterface`
   * has the new program, or the end of the code.
   */
  startPairing: nothing.returns<PairingCode>(),
  /** Withdraws the code. */
  stopPairing: nothing.returns<TillState>(),
  /** Fails with `not-found` when the program was removed. */
  setCaller: takes(v.strictObject({ id: uuid, mayIssueWhileLocked: v.boolean() })).returns<TillState>(),
  /** Removes a program: its token is refused from now on, and its event streams end. */
  removeCaller: takes(v.strictObject({ id: uuid })).returns<TillState>()
}

const about = {
  /** Returns versions and third-party licences. */
  read: nothing.returns<AboutTill>()
}

/** All calls, in groups. */
export const CALLS = {
  till,
  connection,
  customers,
  rewards,
  slips,
  redemptions,
  credits,
  returns,
  operations,
  billLinks,
  batches,
  printers,
  diagnostics,
  updates,
  customerDisplay,
  staff,
  privacy,
  localInterface,
  about
}

/** The calls of a group, as the page makes them. */
export type Api<Group extends keyof typeof CALLS> = {
  readonly [Method in keyof (typeof CALLS)[Group]]: (typeof CALLS)[Group][Method] extends Call<
    infer Input,
    infer Output
  >
    ? (...input: [Input] extends [undefined] ? [] : [input: Input]) => Promise<Result<Output>>
    : never
}

/** The same as main implements it: what needs no wait is answered at once. */
export type Handlers<Group extends keyof typeof CALLS> = {
  readonly [Method in keyof Api<Group>]: Api<Group>[Method] extends (
    ...input: infer Input
  ) => Promise<infer Answer>
    ? (...input: Input) => Answer | Promise<Answer>
    : never
}

export type BridgeCalls = { readonly [Group in keyof typeof CALLS]: Api<Group> }
export type BridgeHandlers = { readonly [Group in keyof typeof CALLS]: Handlers<Group> }

/** An event, with the type of its value. */
interface Event<Value> {
  /** a type only: no event has the property */
  readonly value?: Value
}

const sends = <Value>(): Event<Value> => ({})

/** All events. Their names are their IPC channels. */
export const EVENTS = {
  /** The till's state changed. */
  onState: sends<TillState>(),
  /** A search that is still running found something. */
  onPartialSearchResult: sends<PartialSearchResult>(),
  /** The catalogue changed; sent a few times a second while it is read. */
  onRewards: sends<Catalogue>(),
  /** The journal row of a slip changed. */
  onSlip: sends<Slip>(),
  /** A redemption changed: it was requested, answered, undone or discarded. */
  onRedemption: sends<Redemption>(),
  /** A credit changed, as a redemption does. */
  onCredit: sends<Credit>(),
  onReturn: sends<Return>(),
  /** An operation of any kind changed; it has this key. */
  onOperation: sends<{ readonly key: string }>(),
  /** A batch made progress. */
  onBatch: sends<Batch>(),
  /** The search for printers found something else. */
  onFoundPrinters: sends<FoundPrinters>(),
  /** A network printer that did not respond was found at another address. Sent again with each slip that waits for it. */
  onMovedPrinter: sends<MovedPrinter>(),
  /** The customer typed on the display, or does not type any more. */
  onTypedPhone: sends<TypedPhone>(),
  /** A step of forgetting a customer ended. */
  onForgettingProgress: sends<ForgettingProgress>()
}

export type EventValue<Name extends keyof typeof EVENTS> = NonNullable<(typeof EVENTS)[Name]['value']>

/** Each adds a listener to its event, and returns a function that removes it. */
type BridgeEvents = {
  readonly [Name in keyof typeof EVENTS]: (listener: (value: EventValue<Name>) => void) => () => void
}

/** The groups of the calls that show or change what is kept for a business, its customers and its slips. */
export const OWNED_GROUPS = [
  'till',
  'customers',
  'rewards',
  'slips',
  'redemptions',
  'credits',
  'operations',
  'billLinks',
  'batches',
  'customerDisplay',
  'privacy'
] as const satisfies readonly (keyof BridgeCalls)[]

/** The object that the preload exposes to the page as `window.tillpoints`. */
export interface Bridge extends BridgeCalls, BridgeEvents {
  /**
   * Returns the calls for the owner with this number (`TillState.owner`). Once the till works with the data of another one they
   * do nothing, and fail with `not-connected`.
   */
  of(owner: number): Pick<BridgeCalls, (typeof OWNED_GROUPS)[number]>
}

/** The names of the calls of each group. */
export const IPC_METHODS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(CALLS).map(([group, calls]) => [group, Object.keys(calls)])
)

/** The IPC channel of a call. */
export const channelOf = (group: string, method: string): string => `${group}.${method}`

/** The preload's own: the page gives unused memory back. */
export const RELEASE_MEMORY_CHANNEL = 'release-memory'

/** The name of the bridge on the page's `window`. */
export const BRIDGE_NAME = 'tillpoints'
