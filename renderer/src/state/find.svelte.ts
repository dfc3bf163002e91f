import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Phone, SearchBox, SearchResult } from '../../../electron/contract/customers.ts'
import type { Customer } from '../../../electron/contract/loyalty.ts'
import type { CheckedCode } from '../../../electron/contract/slips.ts'
import type { Answers } from './answers.svelte.ts'
import { Asking } from './asking.svelte.ts'

/** How long a pause in typing lasts before the service is asked, in ms. */
export const TYPING_PAUSE = 150

/**
 * How long a part of what was found is held back once Enter was pressed, in ms: the rest is mostly there by then, and
 * a row that is drawn meanwhile would only keep the customer waiting.
 */
export const HOLD = 60

/** What a text was found to be. `text` is what was asked, trimmed. */
interface Finding {
  readonly text: string
  readonly customers: readonly Customer[]
  readonly page: number
  readonly hasMore: boolean
  readonly phone: Phone | null
  readonly code: CheckedCode | null
}

interface Waiting {
  readonly text: string
  readonly then: () => void
}

/**
 * Finds customers as the cashier types: by phone, name, e-mail, or a scanned points code. Only the newest question
 * counts: main aborts the older one down to its requests, and an answer that comes all the same is dropped here.
 */
export class Find {
  readonly #bridge: Bridge
  readonly #box: SearchBox
  readonly #asking: Asking
  #text = $state('')
  #finding = $state.raw<Finding | null>(null)
  #timer: ReturnType<typeof setTimeout> | undefined
  #asked = ''
  #underWay: Promise<void> | null = null
  /** what waits for the answer to a text */
  #waiting: readonly Waiting[] = []
  #held: ReturnType<typeof setTimeout> | undefined

  /** `box` is the search box on the screen that this is behind. */
  constructor(bridge: Bridge, answers: Answers, box: SearchBox) {
    this.#bridge = bridge
    this.#box = box
    this.#asking = new Asking(answers.hear)
  }

  /** Hears what is found before all of it is. Gives what ends the hearing. */
  start(): () => void {
    return this.#bridge.onPartialSearchResult(({ box, text, found }) => {
      const isWanted = (): boolean => box === this.#box && text === this.#asked && this.#asking.running
      if (!isWanted()) return
      clearTimeout(this.#held)
      if (this.#waiting.length === 0) this.#show(text, found)
      else
        this.#held = setTimeout(() => {
          if (isWanted()) this.#show(text, found)
        }, HOLD)
    })
  }

  get text(): string {
    return this.#text
  }

  /** Typing: asks after a pause. */
  set text(text: string) {
    this.#text = text
    clearTimeout(this.#timer)
    const wanted = text.trim()
    if (wanted === '') {
      this.#forget()
    } else if (wanted !== this.#asked) {
      // What is under way answers a text that is no longer there.
      this.#asking.drop()
      this.#asked = ''
      this.#timer = setTimeout(() => void this.#askOnce(), TYPING_PAUSE)
    }
  }

  /** Whether the cashier is looking for somebody. */
  get active(): boolean {
    return this.#text.trim() !== ''
  }

  get asking(): Asking {
    return this.#asking
  }

  /** What was found last; it stays in sight until the next answer is there. null while nothing was. */
  get finding(): Finding | null {
    return this.#finding
  }

  /** Whether all of what was found is there, and belongs to the text that stands in the box. */
  get settled(): boolean {
    return this.#finding !== null && this.#finding.text === this.#text.trim() && !this.#asking.running
  }

  /**
   * Asks without waiting for a pause, once per text. Resolves when the answer, or the failure, is there. `then` is
   * called in the same moment: what it does is drawn instead of what was found, and not after it.
   */
  async now(then: () => void = () => undefined): Promise<void> {
    const mine = { text: this.#text.trim(), then }
    this.#waiting = [...this.#waiting, mine]
    await this.#askOnce()
    // Unless the answer called it: it was there before, or none came.
    this.#call((one) => one === mine)
  }

  #call(which: (one: Waiting) => boolean): void {
    const called = this.#waiting.filter(which)
    this.#waiting = this.#waiting.filter((one) => !which(one))
    for (const { then } of called) then()
  }

  async #askOnce(): Promise<void> {
    clearTimeout(this.#timer)
    const text = this.#text.trim()
    if (text === '' || this.settled) return
    if (this.#underWay && this.#asking.running && text === this.#asked) return this.#underWay
    this.#asked = text
    this.#underWay = this.#ask(text)
    return this.#underWay
  }

  async #ask(text: string): Promise<void> {
    const found = await this.#asking.ask(() => this.#bridge.customers.find({ box: this.#box, text, page: 1 }))
    if (found) {
      this.#show(text, found)
      this.#call((one) => one.text === text)
    } else if (this.#asking.failure?.kind === 'aborted') this.#asking.drop()
    else if (this.#asking.failure) this.#finding = null
  }

  /** Shows what was found for a text. Rows that are in sight for it stay where they are: a finger may be on its way. */
  #show(text: string, found: SearchResult): void {
    const before = this.#finding?.text === text ? this.#finding.customers : []
    const finding: Finding = { ...EMPTY, text, ...partsOf(found) }
    this.#finding = { ...finding, customers: inOrderOf(before, finding.customers) }
  }

  /** Adds the next page to what was found. */
  async more(): Promise<void> {
    const before = this.#finding
    if (!before?.hasMore || !this.settled) return
    const found = await this.#asking.ask(() =>
      this.#bridge.customers.find({ box: this.#box, text: before.text, page: before.page + 1 })
    )
    if (found?.kind !== 'customers') return
    this.#finding = {
      ...before,
      ...found,
      customers: [...before.customers, ...newcomers(before.customers, found.customers)]
    }
  }

  /** Empties the box and forgets what was found. */
  clear(): void {
    clearTimeout(this.#timer)
    this.#text = ''
    this.#forget()
  }

  /**
   * The one customer that is meant, once the search has settled: the only one found, or the only one whose phone or
   * e-mail this is. null when there are none, or several.
   */
  get only(): Customer | null {
    const finding = this.settled ? this.#finding : null
    if (!finding) return null
    const { customers, text, phone } = finding
    const email = text.toLowerCase()
    const meant = customers.filter((customer) =>
      phone ? customer.phone === phone.display : customer.email?.toLowerCase() === email
    )
    const [one, ...others] = customers.length === 1 ? customers : meant
    return others.length === 0 ? (one ?? null) : null
  }

  #forget(): void {
    // Nobody waits for what is under way: an empty text ends it in main too.
    if (this.#asking.running) void this.#bridge.customers.find({ box: this.#box, text: '', page: 1 })
    this.#asked = ''
    this.#asking.drop()
    this.#finding = null
  }
}

const EMPTY = { customers: [], page: 1, hasMore: false, phone: null, code: null } as const

const partsOf = (found: SearchResult) =>
  found.kind === 'code'
    ? { code: found.code }
    : { customers: found.customers, page: found.page, hasMore: found.hasMore, phone: found.phone }

/** A page that moved while it was read may repeat a row. */
const newcomers = (before: readonly Customer[], after: readonly Customer[]): Customer[] =>
  after.filter((customer) => !before.some((known) => known.id === customer.id))

/** The customers of `after`: first those that `before` has, in its order, then the others. */
const inOrderOf = (before: readonly Customer[], after: readonly Customer[]): Customer[] => [
  ...before.flatMap(({ id }) => after.find((customer) => customer.id === id) ?? []),
  ...newcomers(before, after)
]
