/** The one-time code with which a program gets its token. */
import { randomInt, timingSafeEqual } from 'node:crypto'
import type { PairingCode } from '../../contract/local-interface.ts'

const CODE_DIGITS = 8
const LIFETIME_MS = 5 * 60_000
/** Five guesses among a hundred million codes. */
const MAX_TRIES = 5

interface OpenPairing extends PairingCode {
  readonly wrongTries: number
}

/** At most one code is valid, for one program, five minutes and five tries. */
export class Pairing {
  readonly #now: () => Date
  readonly #onChange: () => void
  #open: OpenPairing | null = null
  #timer: NodeJS.Timeout | undefined

  /** @param onChange called when a code begins or ends */
  constructor(now: () => Date, onChange: () => void) {
    this.#now = now
    this.#onChange = onChange
  }

  /** When the code expires, ISO 8601, UTC; null: there is none. */
  get until(): string | null {
    return this.#open?.expiresAt ?? null
  }

  /** Makes a code, which replaces the previous one. */
  start(): PairingCode {
    const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
    const expiresAt = new Date(this.#now().getTime() + LIFETIME_MS).toISOString()
    this.#set({ code, expiresAt, wrongTries: 0 })
    this.#timer = setTimeout(() => this.stop(), LIFETIME_MS).unref()
    return { code, expiresAt }
  }

  /** Withdraws the code, if there is one. */
  stop(): void {
    if (this.#open !== null) this.#set(null)
  }

  /** Returns whether this is the code; spaces and dashes are ignored. A right code, and the last wrong try, end it. */
  redeem(text: string): boolean {
    const open = this.#open
    if (open === null) return false
    // A timer stands still while the machine sleeps.
    if (this.#now().toISOString() >= open.expiresAt) {
      this.stop()
      return false
    }
    const typed = Buffer.from(text.replace(/[\s-]/gu, ''))
    const code = Buffer.from(open.code)
    const isRight = typed.length === code.length && timingSafeEqual(typed, code)
    const wrongTries = open.wrongTries + 1
    if (isRight || wrongTries >= MAX_TRIES) this.stop()
    else this.#open = { ...open, wrongTries }
    return isRight
  }

  #set(open: OpenPairing | null): void {
    clearTimeout(this.#timer)
    this.#open = open
    this.#onChange()
  }
}
