import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Customer } from '../../../electron/contract/loyalty.ts'
import type { CheckedCode, Found, Phone } from '../../../electron/contract/till.ts'
import type { Answers } from './answers.svelte.ts'
import { Asking } from './asking.svelte.ts'

/** How long a pause in typing lasts before the service is asked, in ms. */
export const TYPING_PAUSE = 150

/** What a text was found to be. `text` is what was asked, trimmed. */
interface Finding {
  readonly text: string
  readonly customers: readonly Customer[]
  readonly page: number
  readonly hasMore: boolean
  readonly phone: Phone | null
  readonly code: CheckedCode | null
}

/** Finds customers as the cashier types: by phone, name, e-mail, or a scanned points code. */
export class Find {
  readonly #bridge: Bridge
  readonly #asking: Asking
  #text = $state('')
  #finding = $state.raw<Finding | null>(null)
  #timer: ReturnType<typeof setTimeout> | undefined
  #asked = ''
  #underWay: Promise<void> | null = null

  constructor(bridge: Bridge, answers: Answers) {
    this.#bridge = bridge
    this.#asking = new Asking(answers.ofService)
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
      this.#timer = setTimeout(() => void this.now(), TYPING_PAUSE)
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

  /** Whether what was found belongs to the text that stands in the box. */
  get settled(): boolean {
    return this.#finding !== null && this.#finding.text === this.#text.trim() && !this.#asking.running
  }

  /** Asks without waiting for a pause, once per text. Resolves when the answer, or the failure, is there. */
  async now(): Promise<void> {
    clearTimeout(this.#timer)
    const text = this.#text.trim()
    if (text === '' || this.settled) return
    if (this.#underWay && this.#asking.running && text === this.#asked) return this.#underWay
    this.#asked = text
    this.#underWay = this.#ask(text)
    return this.#underWay
  }

  async #ask(text: string): Promise<void> {
    const found = await this.#asking.ask(() => this.#bridge.customers.find({ text, page: 1 }))
    if (found) this.#finding = { ...EMPTY, text, ...partsOf(found) }
    else if (this.#asking.failure) this.#finding = null
  }

  /** Adds the next page to what was found. */
  async more(): Promise<void> {
    const before = this.#finding
    if (!before?.hasMore || !this.settled) return
    const found = await this.#asking.ask(() =>
      this.#bridge.customers.find({ text: before.text, page: before.page + 1 })
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

  /** The one customer that was found, once the search has settled; null when there are none, or several. */
  get only(): Customer | null {
    const customers = this.settled ? this.#finding?.customers : undefined
    return customers?.length === 1 ? (customers[0] ?? null) : null
  }

  #forget(): void {
    this.#asked = ''
    this.#asking.drop()
    this.#finding = null
  }
}

const EMPTY = { customers: [], page: 1, hasMore: false, phone: null, code: null } as const

const partsOf = (found: Found) =>
  found.kind === 'code'
    ? { code: found.code }
    : { customers: found.customers, page: found.page, hasMore: found.hasMore, phone: found.phone }

/** A page that moved while it was read may repeat a row. */
const newcomers = (before: readonly Customer[], after: readonly Customer[]): Customer[] =>
  after.filter((customer) => !before.some((known) => known.id === customer.id))
