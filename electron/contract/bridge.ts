/**
 * The whole conversation between the page and the till's main process: every call the page may make, every event
 * it may hear. A call takes at most one plain value and comes back as an `Result`, never as an exception.
 */
import * as v from 'valibot'
import type { CustomerDisplayView, CustomerScreen } from './customer-display.ts'
import { SEARCH_BOXES, type FindInput, type PartialSearchResult, type SearchResult } from './customers.ts'
import type { AboutTill, Diagnostics } from './diagnostics.ts'
import type { Result } from './failure.ts'
import type { Catalogue, Customer, Page, RewardDetail } from './loyalty.ts'
import { printerSettingsSchema, type Printer, type PrinterSettings } from './printing.ts'
import {
  copiesSchema,
  settingsChangeSchema,
  slipPreviewInputSchema,
  type SlipPreview,
  type SlipPreviewInput,
  type TillSettings
} from './settings.ts'
import {
  MAX_BATCH_SLIPS,
  SLIP_STATES,
  type AttentionSlip,
  type Batch,
  type CheckedCode,
  type ExportResult,
  type IssuedSlip,
  type PrintedReport,
  type ReportRange,
  type Slip,
  type SlipSearch,
  type SlipsReport
} from './slips.ts'
import { checkoutDraftSchema, type Business, type CheckoutDraft, type TillState } from './till.ts'
import type { InstallResult } from './updates.ts'

export interface Bridge {
  readonly till: {
    /** How the till stands now. */
    state(): Promise<Result<TillState>>
    /** The page stands, and has nothing else to do: what nobody waits for may begin. */
    drawn(): Promise<Result<null>>
    /** Leaves the first start, or the business, for training. */
    startTraining(): Promise<Result<TillState>>
    /** Leaves training: back to the connected business, or to the first start if there is none. */
    leaveTraining(): Promise<Result<TillState>>
    /** Changes some settings and keeps the others. */
    set(change: Partial<TillSettings>): Promise<Result<TillState>>
    /** Takes a notice away; `index` is its place in `TillState.notices`. */
    dismissNotice(input: { index: number }): Promise<Result<TillState>>
    /** Keeps what stands on the counter, instead of what was kept before, until the till closes or serves another. */
    saveDraft(draft: CheckoutDraft): Promise<Result<null>>
    /** What was kept last, for a page that starts again after a crash; null where there is nothing. */
    draft(): Promise<Result<CheckoutDraft | null>>
  }
  readonly connection: {
    /** Asks the service whose token this is (`GET /account`). Keeps the pair in main until `save`; stores nothing. */
    check(input: { baseUrl: string; token: string }): Promise<Result<Business>>
    /** Stores the pair that was checked last. `no-encryption` unless the manager accepts that once. */
    save(input: { acceptUnencrypted: boolean }): Promise<Result<TillState>>
    /** Forgets the business and its token. */
    forget(): Promise<Result<TillState>>
    /** Reads the profile again. */
    refresh(): Promise<Result<TillState>>
    /**
     * Asks the connected service now whether it answers, out of turn; `offlineSince` of what comes back tells. Asks
     * nobody without a connected service, or in training.
     */
    retryConnection(): Promise<Result<TillState>>
  }
  readonly customers: {
    /**
     * Finds by phone in any spelling, e-mail, name, or a scanned points code. A newer find from the same box aborts
     * this one, down to its requests; it then comes back as `aborted`. What is there before the rest comes with
     * `onPartialSearchResult`.
     */
    find(input: FindInput): Promise<Result<SearchResult>>
    /** Whom this till issued slips to since it was started, last served first, at most 20. Asks nobody. */
    recent(): Promise<Result<readonly Customer[]>>
    /** The paged list, as the service orders it. */
    list(input: { page: number }): Promise<Result<Page<Customer>>>
    /** Reads one customer again, for a fresh balance. */
    read(input: { id: string }): Promise<Result<Customer>>
    /** Registers, or opens the customer who has this phone already (`existed`). */
    register(input: {
      name: string
      phone: string
    }): Promise<Result<{ customer: Customer; existed: boolean }>>
  }
  readonly rewards: {
    /**
     * What is known of the catalogue at once: kept from before, or nothing yet. It is read again meanwhile unless that
     * was done just now; how that goes on comes with `onRewards`.
     */
    catalogue(): Promise<Result<Catalogue>>
    /** Reads the catalogue again meanwhile, unless that is under way. */
    read(): Promise<Result<Catalogue>>
    /** Stops the reading under way; what is there stays. */
    stop(): Promise<Result<Catalogue>>
    /** One reward with its dates and whether it is enabled. */
    detail(input: { id: string }): Promise<Result<RewardDetail>>
  }
  readonly slips: {
    /**
     * Issues points once per intent id; a second call with the same id gives the first's result. Answers when the
     * code is on disk and its print has begun (`printing`): how the print ended comes with `onSlip`. `copies` papers
     * in all, 1 to 5, the settings' number unless given; from the second on they are marked COPY.
     */
    issue(input: {
      intentId: string
      points: number
      customer: { id: string; name: string } | null
      copies?: number
    }): Promise<Result<IssuedSlip>>
    /** Prints a slip that has a code and no paper yet; answers when that ended. Never calls the service. */
    print(input: { intentId: string }): Promise<Result<IssuedSlip>>
    /**
     * Prints the same code again, marked COPY with its number; answers when that ended, with the failure if the copy
     * did not come out. A slip without paper yet is printed for the first time instead. Never calls the service.
     */
    reprint(input: { intentId: string }): Promise<Result<IssuedSlip>>
    /** The same for the slip that was issued last; `not-found` when there is none. */
    reprintLast(): Promise<Result<IssuedSlip>>
    /** The customer has it, whatever the printer said: ends its need of attention. `not-found` unless it has a code and no paper. */
    markGiven(input: { intentId: string; note?: string }): Promise<Result<Slip>>
    /** Puts a slip away that needs attention; its code, if it has one, will not be printed. */
    discard(input: { intentId: string; reason: string }): Promise<Result<Slip>>
    /** What this till issued, newest first, from `offset` on. */
    list(input: {
      offset: number
      search?: SlipSearch
    }): Promise<Result<{ slips: readonly Slip[]; hasMore: boolean }>>
    /** Writes what a search finds as CSV, where the cashier says in the system's own dialog. */
    exportCsv(input: { search?: SlipSearch }): Promise<Result<ExportResult>>
    /** Adds up what this till issued on some days. */
    report(range: ReportRange): Promise<Result<SlipsReport>>
    /** Prints that report where slips are printed; answers when it is out, or with what went wrong. */
    printReport(range: ReportRange): Promise<Result<PrintedReport>>
    /** How many slips need attention: unknown outcomes, and codes without paper. */
    attention(): Promise<Result<number>>
    /** Those slips, newest first, each with its one right action. */
    attentionList(input: {
      offset: number
    }): Promise<Result<{ slips: readonly AttentionSlip[]; hasMore: boolean }>>
    /** Reads a code's points and whether it has been used (`GET /qr/{code}`). Takes a code or the URL in the QR. */
    check(input: { code: string }): Promise<Result<CheckedCode>>
  }
  readonly batches: {
    /**
     * Starts issuing `count` slips of `points` each, at most 4 requests at once. The page makes the batch id when its
     * form opens; a second call with the same id gives the batch as it stands. How it goes on comes with `onBatch`.
     */
    start(input: { batchId: string; points: number; count: number; oneJob: boolean }): Promise<Result<Batch>>
    /** Sends no more requests; answers when those on their way are in, or have failed. */
    pause(input: { batchId: string }): Promise<Result<Batch>>
    /**
     * Goes on exactly where a batch paused or stopped, also after a restart. Slips with an unknown outcome stay as
     * they are, or with `issueUnknownAgain` are discarded and asked for anew: the cashier decides.
     */
    resume(input: { batchId: string; issueUnknownAgain: boolean }): Promise<Result<Batch>>
    /** Ends a batch for good. Codes that have no paper yet are printed or discarded, as the cashier says. */
    cancel(input: { batchId: string; unprinted: 'print' | 'discard' }): Promise<Result<Batch>>
    /** Prints all slips of a batch that have a code and no paper; answers when it has begun. */
    printRest(input: { batchId: string }): Promise<Result<Batch>>
    /** Batches of the current business that are not finished or cancelled, newest first. */
    unfinished(): Promise<Result<readonly Batch[]>>
  }
  readonly printers: {
    /** The print queues of this machine. */
    list(): Promise<Result<readonly Printer[]>>
    /** Prints a test page there; answers when it is out, or with what went wrong. */
    printTestPage(input: PrinterSettings): Promise<Result<null>>
    /** Lays a sample slip of the business out as it would print with these settings, saved or not, and draws it. */
    preview(input: SlipPreviewInput): Promise<Result<SlipPreview>>
  }
  readonly diagnostics: {
    /** Versions, printers, numbers of the journal and the last errors, masked. */
    read(): Promise<Result<Diagnostics>>
    /** Writes them with the logs as a zip, where the manager says in the system's own dialog; null: it was closed. */
    save(): Promise<Result<{ readonly file: string | null }>>
  }
  readonly updates: {
    /** Looks for an update now, and fetches it in the background; the till's state tells what comes of it. */
    check(): Promise<Result<null>>
    /** Restarts into the update that lies here, unless that would disturb somebody; `serving`: a customer is served. */
    install(input: { serving: boolean }): Promise<Result<InstallResult>>
  }
  readonly customerDisplay: {
    /** This customer is served now, or nobody: the customer display greets whom the page was sent before. */
    serving(input: { customerId: string } | null): Promise<Result<null>>
    /** The screens of this machine. They may be others whenever the till's state was told. */
    screens(): Promise<Result<readonly CustomerScreen[]>>
    /** Shows each screen's number on it for some seconds. */
    showNumbers(): Promise<Result<null>>
    /** What the display shows with nobody, with a sample customer, and with sample points: for the settings. */
    previews(): Promise<Result<readonly CustomerDisplayView[]>>
  }
  readonly staff: {
    /** Locks the till until somebody unlocks it. Changes nothing on a till without cashiers and manager PIN. */
    lock(): Promise<Result<TillState>>
    /** Ends the manager's while before its time. */
    lockManager(): Promise<Result<TillState>>
    /** Somebody touched the till: the idle time begins anew. The page tells at most every few seconds. */
    active(): Promise<Result<null>>
    /** Unlocks the till, or hands it over: this cashier serves from now on. `pin` is null for one who has none. */
    unlock(input: { cashierId: string; pin: string | null }): Promise<Result<TillState>>
    /** Opens the manager's work for a short while; a locked till is unlocked, with no cashier. */
    unlockManager(input: { pin: string }): Promise<Result<TillState>>
    /** Sets, changes or (null) removes the manager's PIN; `current` is the one that holds now, if there is one. */
    setManagerPin(input: { current: string | null; pin: string | null }): Promise<Result<TillState>>
    addCashier(input: { name: string; pin: string | null }): Promise<Result<TillState>>
    /** What is absent stays as it is; a null PIN takes the PIN away. */
    changeCashier(input: { id: string; name?: string; pin?: string | null }): Promise<Result<TillState>>
    removeCashier(input: { id: string }): Promise<Result<TillState>>
    /**
     * For a forgotten PIN: the token of the till's own business proves the manager, removes the manager PIN and
     * unlocks. `other-business` for another one's token. A till that is connected to no business has nothing to
     * protect: there a null token does the same.
     */
    reset(input: { token: string | null }): Promise<Result<TillState>>
  }
  readonly about: {
    /** What this till is made of: versions, and whose work is in it. */
    read(): Promise<Result<AboutTill>>
  }
  /** Hears the till's state whenever it changes; call what comes back to stop hearing. */
  onState(listener: (state: TillState) => void): () => void
  /** Hears what a find has found so far, while its answer is still awaited. */
  onPartialSearchResult(listener: (soFar: PartialSearchResult) => void): () => void
  /** Hears the catalogue as far as it was read, a few times a second while it is read. */
  onRewards(listener: (catalogue: Catalogue) => void): () => void
  /** Hears each slip whose row changed. */
  onSlip(listener: (slip: Slip) => void): () => void
  /** Hears each batch that came a step further. */
  onBatch(listener: (batch: Batch) => void): () => void
}

/** The groups of calls; what is left of the bridge are events. */
export type CallGroups = Omit<
  Bridge,
  'onState' | 'onPartialSearchResult' | 'onRewards' | 'onSlip' | 'onBatch'
>

/** Names of the calls, for the preload and the wiring in main. Kept complete by `satisfies`. */
export const IPC_METHODS = {
  till: ['state', 'drawn', 'startTraining', 'leaveTraining', 'set', 'dismissNotice', 'saveDraft', 'draft'],
  connection: ['check', 'save', 'forget', 'refresh', 'retryConnection'],
  customers: ['find', 'recent', 'list', 'read', 'register'],
  rewards: ['catalogue', 'read', 'stop', 'detail'],
  slips: [
    'issue',
    'print',
    'reprint',
    'reprintLast',
    'markGiven',
    'discard',
    'list',
    'exportCsv',
    'report',
    'printReport',
    'attention',
    'attentionList',
    'check'
  ],
  batches: ['start', 'pause', 'resume', 'cancel', 'printRest', 'unfinished'],
  printers: ['list', 'printTestPage', 'preview'],
  diagnostics: ['read', 'save'],
  updates: ['check', 'install'],
  customerDisplay: ['serving', 'screens', 'showNumbers', 'previews'],
  staff: [
    'lock',
    'lockManager',
    'active',
    'unlock',
    'unlockManager',
    'setManagerPin',
    'addCashier',
    'changeCashier',
    'removeCashier',
    'reset'
  ],
  about: ['read']
} as const satisfies { readonly [Group in keyof CallGroups]: readonly (keyof CallGroups[Group])[] }

/** The IPC channel of a call. */
export const channelOf = (group: string, call: string): string => `${group}.${call}`

/** Channels that main speaks on. */
export const EVENTS = {
  state: 'state',
  found: 'found',
  rewards: 'rewards',
  slip: 'slip',
  batch: 'batch'
} as const

/** The channel on which main tells the preload alone that nobody works at the till. */
export const AT_REST = 'at-rest'

/** The name of the bridge on the page's `window`. */
export const BRIDGE_NAME = 'tillpoints'

/* from inputs.ts: What the page may send with each call, parsed in main: the page is outside. Lengths are bounds, not rules. */

const text = (most: number) => v.pipe(v.string(), v.maxLength(most))
/** A PIN as the page sends it: any short text. Whether it can be one, main says with a sentence. */
const pin = text(64)
const page = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000))
const intentId = v.pipe(v.string(), v.uuid())
const batchId = v.pipe(v.string(), v.uuid())
const offset = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000_000))
const nothing = v.undefined()

/** A day of the calendar, `YYYY-MM-DD`. */
const day = v.pipe(v.string(), v.isoDate())

const search = v.strictObject({
  text: v.exactOptional(text(500)),
  from: v.exactOptional(day),
  to: v.exactOptional(day),
  customerId: v.exactOptional(text(500)),
  cashierId: v.exactOptional(text(100)),
  states: v.exactOptional(v.pipe(v.array(v.picklist(SLIP_STATES)), v.maxLength(SLIP_STATES.length))),
  batchId: v.exactOptional(batchId)
})

/** Days of a report, the first one not after the last. */
const range = v.pipe(
  v.strictObject({ from: day, to: day }),
  v.check(({ from, to }) => from <= to)
)

/** One schema per call, in the shape of the bridge. */
export const INPUT_SCHEMAS = {
  till: {
    state: nothing,
    drawn: nothing,
    startTraining: nothing,
    leaveTraining: nothing,
    set: settingsChangeSchema,
    dismissNotice: v.strictObject({ index: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)) }),
    saveDraft: checkoutDraftSchema,
    draft: nothing
  },
  connection: {
    check: v.strictObject({ baseUrl: text(2000), token: text(8000) }),
    save: v.strictObject({ acceptUnencrypted: v.boolean() }),
    forget: nothing,
    refresh: nothing,
    retryConnection: nothing
  },
  customers: {
    find: v.strictObject({ box: v.picklist(SEARCH_BOXES), text: text(500), page }),
    recent: nothing,
    list: v.strictObject({ page }),
    read: v.strictObject({ id: text(500) }),
    register: v.strictObject({ name: text(500), phone: text(100) })
  },
  rewards: {
    catalogue: nothing,
    read: nothing,
    stop: nothing,
    detail: v.strictObject({ id: text(500) })
  },
  slips: {
    issue: v.strictObject({
      intentId,
      /** checked by the issuing itself, which has a sentence for each fault */
      points: v.number(),
      customer: v.nullable(v.strictObject({ id: text(500), name: text(500) })),
      copies: v.exactOptional(copiesSchema)
    }),
    print: v.strictObject({ intentId }),
    reprint: v.strictObject({ intentId }),
    reprintLast: nothing,
    markGiven: v.strictObject({ intentId, note: v.exactOptional(text(200)) }),
    discard: v.strictObject({ intentId, reason: v.pipe(text(200), v.trim(), v.nonEmpty()) }),
    list: v.strictObject({ offset, search: v.exactOptional(search) }),
    exportCsv: v.strictObject({ search: v.exactOptional(search) }),
    report: range,
    printReport: range,
    attention: nothing,
    attentionList: v.strictObject({ offset }),
    check: v.strictObject({ code: text(2000) })
  },
  batches: {
    start: v.strictObject({
      batchId,
      /** checked by the issuing itself */
      points: v.number(),
      count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_BATCH_SLIPS)),
      oneJob: v.boolean()
    }),
    pause: v.strictObject({ batchId }),
    resume: v.strictObject({ batchId, issueUnknownAgain: v.boolean() }),
    cancel: v.strictObject({ batchId, unprinted: v.picklist(['print', 'discard']) }),
    printRest: v.strictObject({ batchId }),
    unfinished: nothing
  },
  printers: {
    list: nothing,
    printTestPage: printerSettingsSchema,
    preview: slipPreviewInputSchema
  },
  updates: {
    check: nothing,
    install: v.strictObject({ serving: v.boolean() })
  },
  diagnostics: {
    read: nothing,
    save: nothing
  },
  customerDisplay: {
    serving: v.nullable(v.strictObject({ customerId: text(500) })),
    screens: nothing,
    showNumbers: nothing,
    previews: nothing
  },
  staff: {
    lock: nothing,
    lockManager: nothing,
    active: nothing,
    unlock: v.strictObject({ cashierId: text(100), pin: v.nullable(pin) }),
    unlockManager: v.strictObject({ pin }),
    setManagerPin: v.strictObject({ current: v.nullable(pin), pin: v.nullable(pin) }),
    addCashier: v.strictObject({ name: text(500), pin: v.nullable(pin) }),
    changeCashier: v.strictObject({
      id: text(100),
      name: v.exactOptional(text(500)),
      pin: v.exactOptional(v.nullable(pin))
    }),
    removeCashier: v.strictObject({ id: text(100) }),
    reset: v.strictObject({ token: v.nullable(text(8000)) })
  },
  about: { read: nothing }
} as const satisfies {
  readonly [Group in keyof CallGroups]: {
    readonly [Call in keyof CallGroups[Group]]: v.GenericSchema
  }
}
