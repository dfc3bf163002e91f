/** The phone that a customer types on the customer display. Its page sends single keys: the digits are here alone. */
import type { PhoneEntryEnd, PhoneKey, TypedPhone } from '../../contract/customer-display.ts'
import { formatTypedPhone, parsePhone } from '../../contract/phone.ts'
import type { ShopCountry } from '../loyalty/country.ts'
import type { Clock } from '../session/reachability.ts'

/** After this time without a key the entry ends. */
export const PHONE_ENTRY_TIMEOUT_MS = 60_000

/** E.164 has at most 15 digits; `00` may stand before them. */
const MAX_DIGITS = 17

interface PhoneEntryDependencies {
  /** of phones without a country code */
  readonly country: Pick<ShopCountry, 'code'>
  readonly clock: Clock
  /** called after each key, and at the end */
  readonly onChange: (phone: TypedPhone) => void
}

/** One phone at a time, from `start` to its end. Keys are ignored before and after. */
export class PhoneEntry {
  readonly #dependencies: PhoneEntryDependencies
  /** digits, perhaps after a plus sign; null while no phone is asked for */
  #typed: string | null = null
  #isInvalid = false
  #cancelTimer: (() => void) | null = null

  constructor(dependencies: PhoneEntryDependencies) {
    this.#dependencies = dependencies
  }

  /** What the display shows; null while no phone is asked for. */
  get shown(): { readonly prefix: string; readonly text: string; readonly isInvalid: boolean } | null {
    if (this.#typed === null) return null
    const { country } = this.#dependencies
    return { ...formatTypedPhone(this.#typed, country.code), isInvalid: this.#isInvalid }
  }

  /** Asks for a phone, anew if one is being typed. */
  start(): void {
    this.#change('')
  }

  /** Takes a key that the customer pressed. */
  press(key: PhoneKey): void {
    const typed = this.#typed
    if (typed === null) return
    if (key === 'cancel') this.end('cancelled')
    else if (key === 'done') this.#finish(typed)
    else if (key === 'delete') this.#change(typed.slice(0, -1))
    else if (key === '+') this.#change(typed === '' ? '+' : typed)
    else this.#change(typed.replace('+', '').length < MAX_DIGITS ? typed + key : typed)
  }

  /** Ends the entry, and forgets the digits. Does nothing while no phone is asked for. */
  end(end: PhoneEntryEnd): void {
    if (this.#typed === null) return
    const text = this.#formatted()
    this.#cancelTimer?.()
    this.#typed = null
    this.#isInvalid = false
    this.#dependencies.onChange({ text, end })
  }

  #finish(typed: string): void {
    if (parsePhone(typed, this.#dependencies.country.code) === null) this.#change(typed, true)
    else this.end('done')
  }

  #change(typed: string, isInvalid = false): void {
    const { clock, onChange } = this.#dependencies
    this.#typed = typed
    this.#isInvalid = isInvalid
    this.#cancelTimer?.()
    this.#cancelTimer = clock.after(PHONE_ENTRY_TIMEOUT_MS, () => this.end('timed-out'))
    onChange({ text: this.#formatted(), end: null })
  }

  /** The phone with its country code, as the till shows it; empty while nothing is typed. */
  #formatted(): string {
    const { shown } = this
    return shown === null || shown.text === '' ? '' : `${shown.prefix} ${shown.text}`.trim()
  }
}
