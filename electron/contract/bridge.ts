/**
 * The whole conversation between the page and the till's main process: every call the page may make, every event
 * it may hear. A call takes at most one plain value and comes back as an `Answer`, never as an exception.
 */
import type { Answer } from './failure.ts'
import type { Customer, Page, Reward, RewardDetail } from './loyalty.ts'
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
    /** Issues points once per intent id and prints the slip; a second call with the same id gives the first's result. */
    issue(input: {
      intentId: string
      points: number
      customer: { id: string; name: string } | null
    }): Promise<Answer<IssuedSlip>>
    /** Prints a slip that has a code and no paper yet. Never calls the service. */
    print(input: { intentId: string }): Promise<Answer<IssuedSlip>>
    /** What this till issued, newest first, from `offset` on. */
    list(input: { offset: number }): Promise<Answer<{ slips: readonly Slip[]; hasMore: boolean }>>
    /** How many slips need attention: unknown outcomes, and codes without paper. */
    attention(): Promise<Answer<number>>
    /** Reads a code's points and whether it has been used (`GET /qr/{code}`). Takes a code or the URL in the QR. */
    check(input: { code: string }): Promise<Answer<CheckedCode>>
  }
  /** Hears the till's state whenever it changes; call what comes back to stop hearing. */
  onState(listener: (state: TillState) => void): () => void
  /** Hears each slip whose row changed. */
  onSlip(listener: (slip: Slip) => void): () => void
}

/** The groups of calls; what is left of the bridge are events. */
export type CallGroups = Omit<Bridge, 'onState' | 'onSlip'>

/** Names of the calls, for the preload and the wiring in main. Kept complete by `satisfies`. */
export const CALLS = {
  till: ['state', 'practise', 'leavePractice', 'set', 'dismissNotice'],
  connection: ['check', 'save', 'forget', 'refresh'],
  customers: ['find', 'list', 'read', 'register'],
  rewards: ['list', 'detail'],
  slips: ['issue', 'print', 'list', 'attention', 'check']
} as const satisfies { readonly [Group in keyof CallGroups]: readonly (keyof CallGroups[Group])[] }

/** The IPC channel of a call. */
export const channelOf = (group: string, call: string): string => `${group}.${call}`

/** Channels that main speaks on. */
export const EVENTS = { state: 'state', slip: 'slip' } as const

/** The name of the bridge on the page's `window`. */
export const BRIDGE_NAME = 'tillpoints'
