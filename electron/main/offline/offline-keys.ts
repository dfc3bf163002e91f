/** The key with which this till makes codes without a connection, sealed in the settings as the token is. */
import type { OfflineKeyAnswer } from '../../contract/offline.ts'
import type { ServiceClock } from '../session/service-clock.ts'
import type { Session } from '../session/session.ts'
import type { Settings, TokenStore } from '../settings/index.ts'
import type { StoredOfflineKey } from '../settings/settings-schema.ts'

/** Longer than a slip takes to the printer: until then the page leaves it the processors. */
const TELL_DELAY_MS = 1000

/** A key that can be used. */
export interface OfflineKey extends Omit<StoredOfflineKey, 'sealed'> {
  /** 32 bytes */
  readonly secret: Uint8Array
}

export interface OfflineKeysDependencies {
  readonly session: Pick<Session, 'mode' | 'accepted' | 'offlineSince' | 'businessKey'>
  readonly settings: Pick<Settings, 'values' | 'update'>
  readonly tokens: Pick<TokenStore, 'seal' | 'open'>
  readonly clock: Pick<ServiceClock, 'aheadMs'>
  /** called when `TillState.offlineSlips` differs: there is a key, or none any more, or points were issued */
  readonly onChange: () => void
}

/** Without encryption in the system, unless a manager accepted that, the key lasts until the till closes. */
export class OfflineKeys {
  readonly #dependencies: OfflineKeysDependencies
  #key: OfflineKey | null = null
  #isTelling = false

  constructor(dependencies: OfflineKeysDependencies) {
    this.#dependencies = dependencies
  }

  /** Whether it is known that the service cannot be reached, and the till is still its. */
  get isOffline(): boolean {
    const { mode, accepted, offlineSince } = this.#dependencies.session
    return mode === 'business' && accepted && offlineSince !== null
  }

  /** Whose key is asked for now. */
  get owner(): string {
    return this.#dependencies.session.businessKey
  }

  /** The key of the business that is served now; null: none, or not opened yet. */
  get current(): OfflineKey | null {
    return this.#key?.owner === this.owner ? this.#key : null
  }

  /** Decrypts the stored key. The system may ask for the password of its keyring, as for the token. */
  async open(): Promise<void> {
    const { settings, tokens } = this.#dependencies
    const stored = settings.values.offlineKey
    if (stored === null || this.#key?.owner === stored.owner) return
    const { sealed, ...key } = stored
    const secret = await tokens.open(sealed)
    if (secret === null || this.#key !== null) return
    this.#key = { ...key, secret: Buffer.from(secret, 'base64url') }
    this.#dependencies.onChange()
  }

  /** What the till says of itself when it asks for a key. */
  get asked(): { readonly key?: string; readonly ticket?: string } {
    const { current } = this
    return current === null ? {} : { key: current.key, ticket: current.ticket }
  }

  /**
   * Keeps the answer to `asked`. One that has neither a secret nor the key that the till has is ignored.
   * @param owner as it was when the key was asked for
   */
  async accept({ secret, ...answer }: OfflineKeyAnswer, owner: string): Promise<void> {
    const { settings, tokens, clock } = this.#dependencies
    const sealing =
      secret === undefined ? null : await tokens.seal(secret, settings.values.token?.weak ?? false)
    const before = this.#key?.owner === owner ? this.#key : null
    const kept = { ...answer, owner, aheadMs: clock.aheadMs, spent: before?.spent ?? null }
    if (secret !== undefined) {
      settings.update({ offlineKey: sealing?.kind === 'sealed' ? { ...kept, sealed: sealing.sealed } : null })
      this.#key = { ...kept, secret: Buffer.from(secret, 'base64url') }
    } else if (before?.key === answer.key) {
      const stored = settings.values.offlineKey
      if (stored?.key === answer.key) settings.update({ offlineKey: { ...kept, sealed: stored.sealed } })
      this.#key = { ...kept, secret: before.secret }
    }
  }

  /** Forgets the key: the owner has switched it off. */
  drop(): void {
    if (this.#key === null) return
    this.#key = null
    this.#dependencies.settings.update({ offlineKey: null })
    this.#dependencies.onChange()
  }

  /**
   * Keeps what was issued on a day, in points, beside the journal: a backup of the journal may know of less. It is on disk before
   * the code is on paper. The page is told when the slip is on its way to the printer.
   */
  spend(day: string, points: number): void {
    if (this.#key === null) return
    const spent = { day, points }
    this.#key = { ...this.#key, spent }
    const { settings, onChange } = this.#dependencies
    const stored = settings.values.offlineKey
    if (stored?.key === this.#key.key) settings.update({ offlineKey: { ...stored, spent } })
    if (this.#isTelling) return
    this.#isTelling = true
    setTimeout(() => {
      this.#isTelling = false
      onChange()
    }, TELL_DELAY_MS).unref()
  }
}
