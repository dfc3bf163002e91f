/**
 * The whole conversation between the page and the till's main process: every call the page may make, every event
 * it may hear. A call takes at most one plain value and comes back as an `Answer`, never as an exception.
 */
import type { AttentionSlip } from './attention.ts'
import type { Batch } from './batch.ts'
import type { Answer } from './failure.ts'
import type { Exported, SlipSearch } from './history.ts'
import type { Customer, Page, Reward, RewardDetail } from './loyalty.ts'
import type { Printer, PrinterSettings } from './printing.ts'
import type { SlipPreview, SlipPreviewInput } from './slip-settings.ts'
import type { Business, CheckedCode, Found, IssuedSlip, Slip, TillSettings, TillState } from './till.ts'

export interface Bridge {
  readonly till: {
    /** How the till stands now. */
    state(): Promise<Answer<TillState>>
    /** Leaves the first start, or the business, for practice. */
    practise(): Promise<Answer<TillState>>
    /** Leaves practice: back to the connected business, or to the first start if there is none. */
    leavePractice(): Promise<Answer<TillState>>
    /** Changes some settings and keeps the others. */
    set(change: Partial<TillSettings>): Promise<Answer<TillState>>
    /** Takes a notice away; `index` is its place in `TillState.notices`. */
    dismissNotice(input: { index: number }): Promise<Answer<TillState>>
  }
  readonly connection: {
    /** Asks the service whose token this is (`GET /account`). Keeps the pair in main until `save`; stores nothing. */
    check(input: { baseUrl: string; token: string }): Promise<Answer<Business>>
    /** Stores the pair that was checked last. `no-encryption` unless the manager accepts that once. */
    save(input: { acceptUnencrypted: boolean }): Promise<Answer<TillState>>
    /** Forgets the business and its token. */
    forget(): Promise<Answer<TillState>>
    /** Reads the profile again. */
    refresh(): Promise<Answer<TillState>>
  }
  readonly customers: {
    /** Finds by phone in any spelling, e-mail, name, or a scanned points code. */
    find(input: { text: string; page: number }): Promise<Answer<Found>>
    /** The paged list, as the service orders it. */
    list(input: { page: number }): Promise<Answer<Page<Customer>>>
    /** Reads one customer again, for a fresh balance. */
    read(input: { id: string }): Promise<Answer<Customer>>
    /** Registers, or opens the customer who has this phone already (`existed`). */
    register(input: {
      name: string
      phone: string
    }): Promise<Answer<{ customer: Customer; existed: boolean }>>
  }
  readonly rewards: {
    /** One page of the catalogue. */
    list(input: { page: number }): Promise<Answer<Page<Reward>>>
    /** One reward with its dates and whether it is enabled. */
    detail(input: { id: string }): Promise<Answer<RewardDetail>>
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
    }): Promise<Answer<IssuedSlip>>
    /** Prints a slip that has a code and no paper yet; answers when that ended. Never calls the service. */
    print(input: { intentId: string }): Promise<Answer<IssuedSlip>>
    /**
     * Prints the same code again, marked COPY with its number; answers when that ended, with the failure if the copy
     * did not come out. A slip without paper yet is printed for the first time instead. Never calls the service.
     */
    reprint(input: { intentId: string }): Promise<Answer<IssuedSlip>>
    /** The same for the slip that was issued last; `not-found` when there is none. */
    reprintLast(): Promise<Answer<IssuedSlip>>
    /** The customer has it, whatever the printer said: ends its need of attention. `not-found` unless it has a code and no paper. */
    markGiven(input: { intentId: string; note?: string }): Promise<Answer<Slip>>
    /** Puts a slip away that needs attention; its code, if it has one, will not be printed. */
    discard(input: { intentId: string; reason: string }): Promise<Answer<Slip>>
    /** What this till issued, newest first, from `offset` on. */
    list(input: {
      offset: number
      search?: SlipSearch
    }): Promise<Answer<{ slips: readonly Slip[]; hasMore: boolean }>>
    /** Writes what a search finds as CSV, where the cashier says in the system's own dialog. */
    exportCsv(input: { search?: SlipSearch }): Promise<Answer<Exported>>
    /** How many slips need attention: unknown outcomes, and codes without paper. */
    attention(): Promise<Answer<number>>
    /** Those slips, newest first, each with its one right action. */
    attentionList(input: {
      offset: number
    }): Promise<Answer<{ slips: readonly AttentionSlip[]; hasMore: boolean }>>
    /** Reads a code's points and whether it has been used (`GET /qr/{code}`). Takes a code or the URL in the QR. */
    check(input: { code: string }): Promise<Answer<CheckedCode>>
  }
  readonly batches: {
    /**
     * Starts issuing `count` slips of `points` each, at most 4 requests at once. The page makes the batch id when its
     * form opens; a second call with the same id gives the batch as it stands. How it goes on comes with `onBatch`.
     */
    start(input: { batchId: string; points: number; count: number; oneJob: boolean }): Promise<Answer<Batch>>
    /** Sends no more requests; answers when those on their way are in, or have failed. */
    pause(input: { batchId: string }): Promise<Answer<Batch>>
    /**
     * Goes on exactly where a batch paused or stopped, also after a restart. Slips with an unknown outcome stay as
     * they are, or with `issueUnknownAgain` are discarded and asked for anew: the cashier decides.
     */
    resume(input: { batchId: string; issueUnknownAgain: boolean }): Promise<Answer<Batch>>
    /** Ends a batch for good. Codes that have no paper yet are printed or discarded, as the cashier says. */
    cancel(input: { batchId: string; unprinted: 'print' | 'discard' }): Promise<Answer<Batch>>
    /** Prints all slips of a batch that have a code and no paper; answers when it has begun. */
    printRest(input: { batchId: string }): Promise<Answer<Batch>>
    /** Batches of the current business that are not finished or cancelled, newest first. */
    unfinished(): Promise<Answer<readonly Batch[]>>
  }
  readonly printers: {
    /** The print queues of this machine. */
    list(): Promise<Answer<readonly Printer[]>>
    /** Prints a test page there; answers when it is out, or with what went wrong. */
    printTestPage(input: PrinterSettings): Promise<Answer<null>>
    /** Lays a sample slip of the business out as it would print with these settings, saved or not, and draws it. */
    preview(input: SlipPreviewInput): Promise<Answer<SlipPreview>>
  }
  /** Hears the till's state whenever it changes; call what comes back to stop hearing. */
  onState(listener: (state: TillState) => void): () => void
  /** Hears each slip whose row changed. */
  onSlip(listener: (slip: Slip) => void): () => void
  /** Hears each batch that came a step further. */
  onBatch(listener: (batch: Batch) => void): () => void
}

/** The groups of calls; what is left of the bridge are events. */
export type CallGroups = Omit<Bridge, 'onState' | 'onSlip' | 'onBatch'>

/** Names of the calls, for the preload and the wiring in main. Kept complete by `satisfies`. */
export const CALLS = {
  till: ['state', 'practise', 'leavePractice', 'set', 'dismissNotice'],
  connection: ['check', 'save', 'forget', 'refresh'],
  customers: ['find', 'list', 'read', 'register'],
  rewards: ['list', 'detail'],
  slips: [
    'issue',
    'print',
    'reprint',
    'reprintLast',
    'markGiven',
    'discard',
    'list',
    'exportCsv',
    'attention',
    'attentionList',
    'check'
  ],
  batches: ['start', 'pause', 'resume', 'cancel', 'printRest', 'unfinished'],
  printers: ['list', 'printTestPage', 'preview']
} as const satisfies { readonly [Group in keyof CallGroups]: readonly (keyof CallGroups[Group])[] }

/** The IPC channel of a call. */
export const channelOf = (group: string, call: string): string => `${group}.${call}`

/** Channels that main speaks on. */
export const EVENTS = { state: 'state', slip: 'slip', batch: 'batch' } as const

/** The name of the bridge on the page's `window`. */
export const BRIDGE_NAME = 'tillpoints'
