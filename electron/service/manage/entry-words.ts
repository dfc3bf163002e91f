/** An entry of the ledger in words. */
import { html } from 'hono/html'
import { BY_SERVICE, type LedgerEntry } from '../domain/ledger.ts'
import type { StoredReward } from '../domain/rewards.ts'
import type { Html } from '../html/document.ts'
import { cashierMaker } from '../store/cashiers.ts'
import type { ManageLocale } from './manage-locale.ts'

/** What is known of an entry in one line; each part has its own direction, whatever was typed. */
export const inOneLine = (parts: readonly string[]): Html =>
  html`${parts
    .filter((part) => part !== '')
    .map((part, index) => html`${index === 0 ? '' : ' · '}<bdi>${part}</bdi>`)}`

export class EntryWords {
  readonly #m: ManageLocale['m']
  readonly #rewards: ReadonlyMap<string, string>
  readonly #makers: ReadonlyMap<string, string>

  /** @param makers names of staff, tills and cashiers by id */
  constructor(
    { m }: ManageLocale,
    rewards: readonly Pick<StoredReward, 'id' | 'name'>[],
    makers: ReadonlyMap<string, string>
  ) {
    this.#m = m
    this.#rewards = new Map(rewards.map(({ id, name }) => [id, name]))
    this.#makers = makers
  }

  /** What happened, such as *Redeemed: Coffee*. */
  what({ kind, code, reward }: Pick<LedgerEntry, 'kind' | 'code' | 'reward'>): string {
    const m = this.#m
    switch (kind) {
      case 'collected':
        return m.entryCollected({ code: code ?? '' })
      case 'credited':
        return m.entryCredited()
      case 'returned':
        return m.entryReturned()
      case 'redeemed':
        return m.entryRedeemed({ name: this.#rewards.get(reward ?? '') ?? '' })
      case 'adjusted':
        return m.entryAdjusted()
      case 'reversed':
        return m.entryReversal()
      case 'imported':
        return m.entryImported()
      case 'welcomed':
        return m.entryWelcomed()
      case 'birthday':
        return m.entryBirthday()
      case 'expired':
        return m.entryExpired()
    }
  }

  /** A cashier, by the name among those who make entries. */
  cashier(maker: string): string {
    return this.#m.byTill({ name: this.#makers.get(maker) ?? maker })
  }

  /** Who made it; empty for the customer, and for what happens by itself. */
  who({ by, cashier }: Pick<LedgerEntry, 'by'> & Partial<Pick<LedgerEntry, 'cashier'>>): string {
    if (by === 'customer' || by === BY_SERVICE) return ''
    const [kind = '', id = ''] = by.split(':')
    if (kind === 'staff') return this.#makers.get(id) ?? this.#m.roleStaff()
    if (kind === 'till') {
      const names = [this.#makers.get(id) ?? id, this.#makers.get(cashierMaker(cashier)) ?? '']
      return this.#m.byTill({ name: names.filter((name) => name !== '').join(', ') })
    }
    return this.#m.byCommandLine()
  }
}
