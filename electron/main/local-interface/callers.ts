/** The programs that are paired with this till: the one-time code, their tokens, as hashes, and what they may do. */
import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { type Caller, MAX_CALLERS, type PairingCode } from '../../contract/local-interface.ts'
import type { Settings } from '../settings/index.ts'
import { type StoredCaller, withoutToken } from '../settings/settings-schema.ts'
import { programId } from '../journal/intent-ids.ts'

export interface CallersDependencies {
  readonly settings: Pick<Settings, 'values' | 'update'>
  /** called whenever a program changed */
  readonly onChange: () => void
  /** called with the id of a program that was removed */
  readonly onRemoved: (id: string) => void
}

/** Random bytes of a token. */
const TOKEN_BYTES = 32

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The paired programs. A token is known to its program only. */
export class Callers {
  readonly #dependencies: CallersDependencies

  constructor(dependencies: CallersDependencies) {
    this.#dependencies = dependencies
  }

  list(): readonly Caller[] {
    return this.#stored().map(withoutToken)
  }

  /** Returns the program with this id, as it is now, or null. */
  find(id: string): Caller | null {
    return this.list().find((caller) => caller.id === id) ?? null
  }

  /**
   * Adds a program. Returns it with its token, which is not stored; null if there are `MAX_CALLERS` programs already. A
   * program of the same name is the same one, which lost its token: it keeps its id, and its earlier token ends.
   */
  add(name: string): { readonly caller: Caller; readonly token: string } | null {
    const { onRemoved } = this.#dependencies
    const before = this.#stored().find((caller) => caller.name === name)
    const callers = this.#stored().filter((caller) => caller !== before)
    if (callers.length >= MAX_CALLERS) return null
    if (before !== undefined) onRemoved(before.id)
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const caller: Caller = {
      id: before?.id ?? programId(name),
      name,
      pairedAt: new Date().toISOString(),
      lastUsedAt: null,
      mayIssueWhileLocked: false
    }
    this.#store([...callers, { ...caller, tokenHash: hashOf(token).toString('hex') }])
    return { caller, token }
  }

  /** Returns the program with this token, and records its use to the minute; null for a token of none. */
  authenticate(token: string): Caller | null {
    const hash = hashOf(token)
    let found: StoredCaller | undefined
    // All are compared: the time says nothing about which one matches.
    for (const caller of this.#stored()) {
      const stored = Buffer.from(caller.tokenHash, 'hex')
      if (stored.length === hash.length && timingSafeEqual(hash, stored)) found = caller
    }
    if (found === undefined) return null
    this.#recordUse(found)
    return withoutToken(found)
  }

  /**
   * Returns what only this till, and the program itself, can calculate of `text`, hex: HMAC-SHA-256 with the hash of the token
   * as its key. Null when there is no such program.
   */
  proofFor(id: string, text: string): string | null {
    const caller = this.#stored().find((one) => one.id === id)
    return caller === undefined ? null : createHmac('sha256', caller.tokenHash).update(text).digest('hex')
  }

  /** Returns false when there is no such program. */
  set(id: string, change: Pick<Caller, 'mayIssueWhileLocked'>): boolean {
    if (!this.#stored().some((caller) => caller.id === id)) return false
    this.#store(this.#stored().map((caller) => (caller.id === id ? { ...caller, ...change } : caller)))
    return true
  }

  /** Returns false when there is no such program. */
  remove(id: string): boolean {
    const rest = this.#stored().filter((caller) => caller.id !== id)
    if (rest.length === this.#stored().length) return false
    this.#store(rest)
    this.#dependencies.onRemoved(id)
    return true
  }

  /** The settings file is written whole: once a minute is often enough. */
  #recordUse({ id, lastUsedAt }: StoredCaller): void {
    const minute = `${new Date().toISOString().slice(0, 16)}:00.000Z`
    if (minute === lastUsedAt) return
    this.#store(
      this.#stored().map((caller) => (caller.id === id ? { ...caller, lastUsedAt: minute } : caller))
    )
  }

  #stored(): readonly StoredCaller[] {
    return this.#dependencies.settings.values.callers
  }

  #store(callers: readonly StoredCaller[]): void {
    this.#dependencies.settings.update({ callers })
    this.#dependencies.onChange()
  }
}

const CODE_DIGITS = 8
const LIFETIME_MS = 5 * 60_000
/** Five guesses among a hundred million codes. */
const MAX_TRIES = 5

interface OpenPairing extends PairingCode {
  readonly wrongTries: number
}

/** At most one code is valid, for one program, five minutes and five tries. */
export class Pairing {
  readonly #onChange: () => void
  #open: OpenPairing | null = null
  #timer: NodeJS.Timeout | undefined

  /** @param onChange called when a code begins or ends */
  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** When the code expires, ISO 8601, UTC; null: there is none. */
  get until(): string | null {
    return this.#open?.expiresAt ?? null
  }

  /** Makes a code, which replaces the previous one. */
  start(): PairingCode {
    const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
    const expiresAt = new Date(Date.now() + LIFETIME_MS).toISOString()
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
    if (new Date().toISOString() >= open.expiresAt) {
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
