/**
 * The interface between the page and the main process: every call that the page can make, and every event that main
 * sends. A call takes at most one plain value and resolves to a `Result`; it never rejects. Each group of calls is an
 * interface, which a file in `electron/main/ipc/` implements, followed by the schemas that main parses its inputs
 * with. The page is untrusted, so the lengths in the schemas are bounds, not rules for the user.
 */
import * as v from 'valibot'
import { type LinkedBill, type PairingCode, referenceSchema } from './local-interface.ts'
import type { CustomerDisplayView, CustomerScreen, TypedPhone } from './customer-display.ts'
import {
  SEARCH_BOXES,
  type FindInput,
  type PartialSearchResult,
  type SearchResult
} from './customer-search.ts'
import type { AboutTill, Diagnostics } from './diagnostics.ts'
import type { Result } from './failure.ts'
import type { Catalogue, Customer, Page, RewardDetail } from './loyalty.ts'
import {
  type FoundPrinters,
  type MovedPrinter,
  type Printer,
  type PrinterSettings,
  printerSettingsSchema
} from './printing.ts'
import type { CustomerReference, ForgettingProgress, ForgettingResult } from './privacy.ts'
import {
  redeemRequestSchema,
  redemptionReasonSchema,
  type RedeemRequest,
  type Redemption,
  type RedemptionReason
} from './redemptions.ts'
import {
  copiesSchema,
  settingsChangeSchema,
  slipPreviewInputSchema,
  type SlipPreviewImage,
  type SlipPreviewInput,
  type TillSettings
} from './settings.ts'
import {
  COLLECTION_GROUPINGS,
  type CollectionsExport,
  type PrintedReport,
  type ReportRange,
  type SlipsReport
} from './slip-report.ts'
import {
  MAX_BATCH_SLIPS,
  SEARCHED_STATES,
  type AttentionSlip,
  type Batch,
  type CheckedCode,
  type ExportResult,
  type IssuedSlip,
  type IssueRequest,
  type Slip,
  type SlipSearch
} from './slips.ts'
import { checkoutDraftSchema, type Business, type CheckoutDraft, type TillState } from './till.ts'
import type { InstallResult } from './updates.ts'

/** A schema for the input of each method of an interface. */
type InputSchemas<Api> = {
  readonly [Method in keyof Api]: Api[Method] extends (...input: infer Input) => unknown
    ? v.GenericSchema<unknown, Input[0]>
    : never
}

const none = v.undefined()
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

export interface TillApi {
  state(): Promise<Result<TillState>>
  /** Reports that the page has painted and is idle. Main then starts its deferred work. */
  rendererReady(): Promise<Result<null>>
  /** Switches from onboarding, or from the business, to training mode. */
  startTraining(): Promise<Result<TillState>>
  /** Leaves training mode: back to the connected business, or to onboarding if there is none. */
  leaveTraining(): Promise<Result<TillState>>
  /** Changes the given settings and keeps the others. */
  set(change: Partial<TillSettings>): Promise<Result<TillState>>
  /** Removes the notice of a kind: there is one at most, and it may be gone meanwhile. */
  dismissNotice(input: { kind: string }): Promise<Result<TillState>>
  /** Replaces the draft of the checkout, which main keeps in memory until the till closes or changes its service. */
  saveDraft(draft: CheckoutDraft): Promise<Result<null>>
  /** Returns the last draft to a page that was reloaded after a crash; null if there is none. */
  draft(): Promise<Result<CheckoutDraft | null>>
}

const tillInputs = {
  state: none,
  rendererReady: none,
  startTraining: none,
  leaveTraining: none,
  set: settingsChangeSchema,
  dismissNotice: v.strictObject({ kind: text(100) }),
  saveDraft: checkoutDraftSchema,
  draft: none
} satisfies InputSchemas<TillApi>

export interface ConnectionApi {
  /** Reads the account of this token (`GET /account`). Main keeps the pair in memory until `save`. */
  check(input: { baseUrl: string; token: string }): Promise<Result<Business>>
  /** Stores the pair that was checked last. Fails with `no-encryption` unless `acceptUnencrypted` is set. */
  save(input: { acceptUnencrypted: boolean }): Promise<Result<TillState>>
  /** Deletes the business and its token from this till. */
  forget(): Promise<Result<TillState>>
  /** Reads the profile of the business again. */
  refresh(): Promise<Result<TillState>>
  /** Checks at once whether the service answers; see `TillState.offlineSince`. Does nothing without a connected business. */
  retryConnection(): Promise<Result<TillState>>
}

const connectionInputs = {
  check: v.strictObject({ baseUrl: text(2000), token }),
  save: v.strictObject({ acceptUnencrypted: v.boolean() }),
  forget: none,
  refresh: none,
  retryConnection: none
} satisfies InputSchemas<ConnectionApi>

export interface CustomersApi {
  /**
   * Finds customers by phone in any format, by e-mail, name or the code of their phone, or checks a scanned points code. A newer search from
   * the same search box cancels this one with its requests, and this one then fails with `aborted`. Partial results
   * are sent with `onPartialSearchResult`.
   */
  find(input: FindInput): Promise<Result<SearchResult>>
  /**
   * Returns the customers this till issued slips to last, newest first, at most 20. Sends no request: of those served before
   * the start it has only id and name.
   */
  recent(): Promise<Result<readonly Customer[]>>
  /** Returns one page of all customers, in the order of the service. */
  list(input: { page: number }): Promise<Result<Page<Customer>>>
  /** Reads one customer again, for a fresh balance. */
  read(input: { id: string }): Promise<Result<Customer>>
  /** Registers a customer, or returns the existing one with this phone (`existed`). */
  register(input: { name: string; phone: string }): Promise<Result<{ customer: Customer; existed: boolean }>>
  /** Links the phone that shows six digits to a customer (extension `devices/1`). Fails with `digits-unknown` or `busy`. */
  linkPhone(input: { id: string; digits: string }): Promise<Result<null>>
}

const customersInputs = {
  find: v.strictObject({ box: v.picklist(SEARCH_BOXES), text: text(500), page }),
  recent: none,
  list: v.strictObject({ page }),
  read: v.strictObject({ id }),
  register: v.strictObject({ name: text(500), phone: text(100) }),
  linkPhone: v.strictObject({ id, digits: text(100) })
} satisfies InputSchemas<CustomersApi>

export interface RewardsApi {
  /** Returns the cached catalogue, and reads it again unless it is fresh. Progress is sent with `onRewards`. */
  catalogue(): Promise<Result<Catalogue>>
  /** Reads the catalogue again unless it is being read. */
  read(): Promise<Result<Catalogue>>
  /** Stops reading the catalogue, and keeps what was read. */
  stop(): Promise<Result<Catalogue>>
  /** Reads one reward with its dates and whether it is enabled. */
  detail(input: { id: string }): Promise<Result<RewardDetail>>
}

const rewardsInputs = {
  catalogue: none,
  read: none,
  stop: none,
  detail: v.strictObject({ id })
} satisfies InputSchemas<RewardsApi>

export interface SlipsApi {
  /**
   * Issues points, once per intent id: a second call with the same id returns the result of the first. Resolves when
   * the code is on disk and its print has started; the end of the print is sent with `onSlip`.
   */
  issue(input: IssueRequest): Promise<Result<IssuedSlip>>
  /** Prints a slip that has a code and was not printed. Resolves when the print ended. Never calls the service. */
  print(input: { intentId: string }): Promise<Result<IssuedSlip>>
  /**
   * Prints the same code again, marked COPY with its number, and resolves when the print ended. A slip that was not
   * printed yet is printed for the first time instead. Never calls the service.
   */
  reprint(input: { intentId: string }): Promise<Result<IssuedSlip>>
  /** Reprints the slip that was issued last. Fails with `not-found` if there is none. */
  reprintLast(): Promise<Result<IssuedSlip>>
  /** Marks a slip as given to the customer. Fails with `not-found` unless it has a code and was not printed. */
  markGiven(input: { intentId: string; note?: string }): Promise<Result<Slip>>
  /** Discards a slip that needs attention. Its code, if it has one, is never printed. */
  discard(input: { intentId: string; reason: string }): Promise<Result<Slip>>
  /** Returns slips of this till, newest first, from `offset` on. */
  list(input: {
    offset: number
    search?: SlipSearch
  }): Promise<Result<{ slips: readonly Slip[]; hasMore: boolean }>>
  /** Writes the slips of a search as CSV to a file that the cashier chooses in the system's dialog. */
  exportCsv(input: { search?: SlipSearch }): Promise<Result<ExportResult>>
  /**
   * Writes which slips of a range were collected as CSV, one row for each period, batch, cashier or program, to a file that
   * the cashier chooses; `file` is null when the dialog was cancelled. Fails with `not-found` when that is not known.
   */
  exportCollections(input: CollectionsExport): Promise<Result<{ readonly file: string | null }>>
  /** Returns the totals of a range of days. */
  report(range: ReportRange): Promise<Result<SlipsReport>>
  /** Prints that report on the slip printer, or saves it to the folder. Resolves when that ended. */
  printReport(range: ReportRange): Promise<Result<PrintedReport>>
  /** Returns the number of slips that need attention: unknown outcomes, and codes that were not printed. */
  attention(): Promise<Result<number>>
  /** Returns those slips, newest first, each with the action to offer. */
  attentionList(input: {
    offset: number
  }): Promise<Result<{ slips: readonly AttentionSlip[]; hasMore: boolean }>>
  /** Reads the points of a code and whether it was used (`GET /qr/{code}`). Accepts a code or the URL of the QR code. */
  check(input: { code: string }): Promise<Result<CheckedCode>>
}

const search = v.strictObject({
  text: v.exactOptional(text(500)),
  from: v.exactOptional(day),
  to: v.exactOptional(day),
  customerId: v.exactOptional(id),
  cashierId: v.exactOptional(text(100)),
  states: v.exactOptional(v.pipe(v.array(v.picklist(SEARCHED_STATES)), v.maxLength(SEARCHED_STATES.length))),
  batchId: v.exactOptional(uuid)
})
const reportRange = v.pipe(
  v.strictObject({ from: day, to: day }),
  v.check(({ from, to }) => from <= to)
)

const slipsInputs = {
  issue: v.strictObject({
    intentId: uuid,
    /** validated by the slip service, which has a failure for each fault */
    points: v.number(),
    customer: v.nullable(v.strictObject({ id, name: text(500) })),
    copies: v.exactOptional(copiesSchema),
    reference: v.exactOptional(referenceSchema)
  }),
  print: v.strictObject({ intentId: uuid }),
  reprint: v.strictObject({ intentId: uuid }),
  reprintLast: none,
  markGiven: v.strictObject({ intentId: uuid, note: v.exactOptional(text(200)) }),
  discard: v.strictObject({ intentId: uuid, reason: v.pipe(text(200), v.trim(), v.nonEmpty()) }),
  list: v.strictObject({ offset, search: v.exactOptional(search) }),
  exportCsv: v.strictObject({ search: v.exactOptional(search) }),
  exportCollections: v.strictObject({ range: reportRange, by: v.picklist(COLLECTION_GROUPINGS) }),
  report: reportRange,
  printReport: reportRange,
  attention: none,
  attentionList: v.strictObject({ offset }),
  check: v.strictObject({ code: text(2000) })
} satisfies InputSchemas<SlipsApi>

export interface RedemptionsApi {
  /**
   * Redeems a reward, once per intent id: a second call with the same id returns what came of the first. Resolves when the
   * answer is on disk: the redemption is `redeemed`. Failures: `redemption-refused`, `not-offered`, `offline` and others when
   * nothing was taken; `unknown-outcome` when the answer was lost: the till asks again by itself, and `onRedemption` has the
   * answer.
   */
  redeem(request: RedeemRequest): Promise<Result<Redemption>>
  /**
   * Gives the points of a redemption back, with a reason. Resolves when it is `undone`. Fails as `redeem`; it stays
   * `redeemed` unless the answer was lost. `not-found` for one that is not `redeemed` or `undo-unknown`.
   */
  undo(input: RedemptionReason): Promise<Result<Redemption>>
  /** Ends an `unknown` redemption without an answer: the till does not ask any more. `not-found` for any other. */
  discard(input: RedemptionReason): Promise<Result<Redemption>>
  /** Prints a confirmation for the customer on the slip printer, or saves it to the folder. Resolves when that ended. */
  print(input: { intentId: string }): Promise<Result<PrintedReport>>
  /** Returns the redemptions of a customer at this till, newest first, at most 20. */
  ofCustomer(input: { id: string }): Promise<Result<readonly Redemption[]>>
  /** Returns the number of redemptions whose answer was lost. */
  attention(): Promise<Result<number>>
  /** Returns those redemptions, newest first, at most 50. */
  attentionList(): Promise<Result<readonly Redemption[]>>
  /** Asks for the lost answers now, and returns the redemptions that still have none. */
  askAgain(): Promise<Result<readonly Redemption[]>>
}

const redemptionsInputs = {
  redeem: redeemRequestSchema,
  undo: redemptionReasonSchema,
  discard: redemptionReasonSchema,
  print: v.strictObject({ intentId: uuid }),
  ofCustomer: v.strictObject({ id }),
  attention: none,
  attentionList: none,
  askAgain: none
} satisfies InputSchemas<RedemptionsApi>

export interface BillLinksApi {
  /**
   * Returns the bill of another program that waits (`TillState.billWaiting`), which then waits no longer; its phone has
   * the spelling of `Phone.display`. null if there is none, or if it does not fit this shop, which is a notice. `issued`
   * is the newest slip of this till with its reference; null if there is none.
   */
  take(): Promise<Result<{ bill: LinkedBill; issued: Slip | null } | null>>
}

const billLinksInputs = { take: none } satisfies InputSchemas<BillLinksApi>

export interface BatchesApi {
  /**
   * Starts to issue `count` slips of `points` each, at most `MAX_BATCH_REQUESTS` at a time. The page makes the batch id
   * when its form opens; a second call with the same id returns the running batch. Progress is sent with `onBatch`.
   */
  start(input: { batchId: string; points: number; count: number; oneJob: boolean }): Promise<Result<Batch>>
  /** Sends no more requests. Resolves when the pending ones ended. */
  pause(input: { batchId: string }): Promise<Result<Batch>>
  /**
   * Continues a batch that paused or stopped, also after a restart. Slips with an unknown outcome are kept, or with
   * `issueUnknownAgain` discarded and issued again.
   */
  resume(input: { batchId: string; issueUnknownAgain: boolean }): Promise<Result<Batch>>
  /** Ends a batch. Codes that were not printed are printed or discarded, as `unprinted` says. */
  cancel(input: { batchId: string; unprinted: 'print' | 'discard' }): Promise<Result<Batch>>
  /** Prints all slips of a batch that have a code and were not printed. Resolves when the print started. */
  printRest(input: { batchId: string }): Promise<Result<Batch>>
  /** Returns the unfinished batches of the current business, newest first. */
  unfinished(): Promise<Result<readonly Batch[]>>
}

const batchesInputs = {
  start: v.strictObject({
    batchId: uuid,
    /** validated by the slip service */
    points: v.number(),
    count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_BATCH_SLIPS)),
    oneJob: v.boolean()
  }),
  pause: v.strictObject({ batchId: uuid }),
  resume: v.strictObject({ batchId: uuid, issueUnknownAgain: v.boolean() }),
  cancel: v.strictObject({ batchId: uuid, unprinted: v.picklist(['print', 'discard']) }),
  printRest: v.strictObject({ batchId: uuid }),
  unfinished: none
} satisfies InputSchemas<BatchesApi>

export interface PrintersApi {
  /** Returns the print queues of this machine. */
  list(): Promise<Result<readonly Printer[]>>
  /** Prints a test page with these settings. Resolves when the print ended. */
  printTestPage(settings: PrinterSettings): Promise<Result<null>>
  /** Lays out a sample slip with these settings, saved or not, and returns it as an image. */
  preview(input: SlipPreviewInput): Promise<Result<SlipPreviewImage>>
  /**
   * Looks for printers in the network and on this computer until `stopFinding`, or until the page goes away. What was found
   * is sent with `onFoundPrinters`, from the beginning again if a search was running.
   */
  startFinding(): Promise<Result<null>>
  stopFinding(): Promise<Result<null>>
}

const printersInputs = {
  list: none,
  printTestPage: printerSettingsSchema,
  preview: slipPreviewInputSchema,
  startFinding: none,
  stopFinding: none
} satisfies InputSchemas<PrintersApi>

export interface DiagnosticsApi {
  /** Returns versions, printers, statistics of the journal and the last errors, redacted. */
  read(): Promise<Result<Diagnostics>>
  /** Saves them with the logs as a zip file that the manager chooses; `file` is null when the dialog was cancelled. */
  save(): Promise<Result<{ readonly file: string | null }>>
}

const diagnosticsInputs = { read: none, save: none } satisfies InputSchemas<DiagnosticsApi>

export interface UpdatesApi {
  /** Checks for an update and downloads it in the background; see `TillState.update`. */
  check(): Promise<Result<null>>
  /** Restarts into the downloaded update unless a customer is served (`serving`) or slips are under way. */
  install(input: { serving: boolean }): Promise<Result<InstallResult>>
}

const updatesInputs = {
  check: none,
  install: v.strictObject({ serving: v.boolean() })
} satisfies InputSchemas<UpdatesApi>

export interface CustomerDisplayApi {
  /** Sets the customer who is served; null for none. Ignores an id that was never sent to the page. */
  serving(input: { customerId: string } | null): Promise<Result<null>>
  /** Returns the screens of this machine. They can change with every `onState`. */
  screens(): Promise<Result<readonly CustomerScreen[]>>
  /** Shows each screen's number on it for some seconds. */
  showNumbers(): Promise<Result<null>>
  /** Returns what the display shows when idle, with a sample customer and with sample points, for the settings. */
  previews(): Promise<Result<readonly CustomerDisplayView[]>>
  /** Lets the customer type a phone on the display. `onTypedPhone` has what is typed, and the end. */
  askForPhone(): Promise<Result<null>>
  stopAskingForPhone(): Promise<Result<null>>
}

const customerDisplayInputs = {
  serving: v.nullable(v.strictObject({ customerId: id })),
  screens: none,
  showNumbers: none,
  previews: none,
  askForPhone: none,
  stopAskingForPhone: none
} satisfies InputSchemas<CustomerDisplayApi>

export interface StaffApi {
  /** Locks the till. Does nothing on a till without cashiers and manager PIN. */
  lock(): Promise<Result<TillState>>
  /** Ends the manager session early. */
  lockManager(): Promise<Result<TillState>>
  /** Restarts the idle timer, and makes ready what prints. The page calls it on user input, at most every few seconds. */
  active(): Promise<Result<null>>
  /** Unlocks the till, or changes the cashier. `pin` is null for a cashier without PIN. */
  unlock(input: { cashierId: string; pin: string | null }): Promise<Result<TillState>>
  /** Starts a manager session; a locked till is unlocked without a cashier. */
  unlockManager(input: { pin: string }): Promise<Result<TillState>>
  /** Sets, changes or (null) removes the manager PIN; `current` is the present one, if there is one. */
  setManagerPin(input: { current: string | null; pin: string | null }): Promise<Result<TillState>>
  addCashier(input: { name: string; pin: string | null }): Promise<Result<TillState>>
  /** Changes the given fields. A null PIN removes the PIN. */
  changeCashier(input: { id: string; name?: string; pin?: string | null }): Promise<Result<TillState>>
  removeCashier(input: { id: string }): Promise<Result<TillState>>
  /**
   * Removes a forgotten manager PIN and unlocks the till. The token of the connected business proves the manager; the
   * token of another one fails with `other-business`. Without a connected business `token` is null.
   */
  reset(input: { token: string | null }): Promise<Result<TillState>>
}

const cashierId = text(100)

const staffInputs = {
  lock: none,
  lockManager: none,
  active: none,
  unlock: v.strictObject({ cashierId, pin: v.nullable(pin) }),
  unlockManager: v.strictObject({ pin }),
  setManagerPin: v.strictObject({ current: v.nullable(pin), pin: v.nullable(pin) }),
  addCashier: v.strictObject({ name: text(500), pin: v.nullable(pin) }),
  changeCashier: v.strictObject({
    id: cashierId,
    name: v.exactOptional(text(500)),
    pin: v.exactOptional(v.nullable(pin))
  }),
  removeCashier: v.strictObject({ id: cashierId }),
  reset: v.strictObject({ token: v.nullable(token) })
} satisfies InputSchemas<StaffApi>

export interface PrivacyApi {
  /**
   * Writes what this till holds of a customer as JSON to a file that the manager chooses in the system's dialog; `file` is
   * null when it was cancelled.
   */
  exportCustomer(customer: CustomerReference): Promise<Result<{ readonly file: string | null }>>
  /**
   * Removes name and id of a customer from every file of this till. Points and codes stay. Slips cannot be issued
   * meanwhile; progress is sent with `onForgettingProgress`.
   */
  forgetCustomer(customer: CustomerReference): Promise<Result<ForgettingResult>>
}

const customerReference = v.strictObject({ id, name: text(500) })

const privacyInputs = {
  exportCustomer: customerReference,
  forgetCustomer: customerReference
} satisfies InputSchemas<PrivacyApi>

export interface LocalInterfaceApi {
  /**
   * Makes a one-time code with which one program can be paired, and replaces the previous one. `TillState.localInterface`
   * has the new program, or the end of the code.
   */
  startPairing(): Promise<Result<PairingCode>>
  /** Withdraws the code. */
  stopPairing(): Promise<Result<TillState>>
  /** Fails with `not-found` when the program was removed. */
  setCaller(input: { id: string; mayIssueWhileLocked: boolean }): Promise<Result<TillState>>
  /** Removes a program: its token is refused from now on, and its event streams end. */
  removeCaller(input: { id: string }): Promise<Result<TillState>>
}

const localInterfaceInputs = {
  startPairing: none,
  stopPairing: none,
  setCaller: v.strictObject({ id: uuid, mayIssueWhileLocked: v.boolean() }),
  removeCaller: v.strictObject({ id: uuid })
} satisfies InputSchemas<LocalInterfaceApi>

export interface AboutApi {
  /** Returns versions and third-party licences. */
  read(): Promise<Result<AboutTill>>
}

const aboutInputs = { read: none } satisfies InputSchemas<AboutApi>

/** All calls, in groups. */
export interface BridgeCalls {
  readonly till: TillApi
  readonly connection: ConnectionApi
  readonly customers: CustomersApi
  readonly rewards: RewardsApi
  readonly slips: SlipsApi
  readonly redemptions: RedemptionsApi
  readonly billLinks: BillLinksApi
  readonly batches: BatchesApi
  readonly printers: PrintersApi
  readonly diagnostics: DiagnosticsApi
  readonly updates: UpdatesApi
  readonly customerDisplay: CustomerDisplayApi
  readonly staff: StaffApi
  readonly privacy: PrivacyApi
  readonly localInterface: LocalInterfaceApi
  readonly about: AboutApi
}

/** All events. Each method adds a listener and returns a function that removes it. */
export interface BridgeEvents {
  /** The till's state changed. */
  onState(listener: (state: TillState) => void): () => void
  /** A search that is still running found something. */
  onPartialSearchResult(listener: (result: PartialSearchResult) => void): () => void
  /** The catalogue changed; sent a few times a second while it is read. */
  onRewards(listener: (catalogue: Catalogue) => void): () => void
  /** The journal row of a slip changed. */
  onSlip(listener: (slip: Slip) => void): () => void
  /** A redemption changed: it was requested, answered, undone or discarded. */
  onRedemption(listener: (redemption: Redemption) => void): () => void
  /** A batch made progress. */
  onBatch(listener: (batch: Batch) => void): () => void
  /** The search for printers found something else. */
  onFoundPrinters(listener: (found: FoundPrinters) => void): () => void
  /** A network printer that did not respond was found at another address. Sent again with each slip that waits for it. */
  onMovedPrinter(listener: (moved: MovedPrinter) => void): () => void
  /** The customer typed on the display, or does not type any more. */
  onTypedPhone(listener: (phone: TypedPhone) => void): () => void
  /** A step of forgetting a customer ended. */
  onForgettingProgress(listener: (progress: ForgettingProgress) => void): () => void
}

/** The groups of the calls that show or change what is kept for a business, its customers and its slips. */
export const OWNED_GROUPS = [
  'till',
  'customers',
  'rewards',
  'slips',
  'redemptions',
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

/** The input schema of each call. */
export const INPUT_SCHEMAS = {
  till: tillInputs,
  connection: connectionInputs,
  customers: customersInputs,
  rewards: rewardsInputs,
  slips: slipsInputs,
  redemptions: redemptionsInputs,
  billLinks: billLinksInputs,
  batches: batchesInputs,
  printers: printersInputs,
  diagnostics: diagnosticsInputs,
  updates: updatesInputs,
  customerDisplay: customerDisplayInputs,
  staff: staffInputs,
  privacy: privacyInputs,
  localInterface: localInterfaceInputs,
  about: aboutInputs
} satisfies { readonly [Group in keyof BridgeCalls]: InputSchemas<BridgeCalls[Group]> }

/** The names of the calls of each group. */
export const IPC_METHODS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(INPUT_SCHEMAS).map(([group, schemas]) => [group, Object.keys(schemas)])
)

/** The IPC channel of a call. */
export const channelOf = (group: string, method: string): string => `${group}.${method}`

/** The IPC channels of the events. */
export const EVENT_CHANNELS = {
  onState: 'state',
  onPartialSearchResult: 'partial-search-result',
  onRewards: 'rewards',
  onSlip: 'slip',
  onRedemption: 'redemption',
  onBatch: 'batch',
  onFoundPrinters: 'found-printers',
  onMovedPrinter: 'moved-printer',
  onTypedPhone: 'typed-phone',
  onForgettingProgress: 'forgetting-progress'
} as const satisfies Readonly<Record<keyof BridgeEvents, string>>

/** The preload's own: the page gives unused memory back. */
export const RELEASE_MEMORY_CHANNEL = 'release-memory'

/** The name of the bridge on the page's `window`. */
export const BRIDGE_NAME = 'tillpoints'
