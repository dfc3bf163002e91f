/** An entry of the ledger in words. */
import type { LedgerEntry } from '../domain/ledger.ts'
import type { StoredReward } from '../domain/rewards.ts'
import type { ManageLocale } from './manage-locale.ts'

export class EntryWords {
  readonly #m: ManageLocale['m']
  readonly #rewards: ReadonlyMap<string, string>
  readonly #staff: ReadonlyMap<string, string>

  /** @param staff names of the members by id */
  constructor(
    { m }: ManageLocale,
    rewards: readonly Pick<StoredReward, 'id' | 'name'>[],
    staff: ReadonlyMap<string, string>
  ) {
    this.#m = m
    this.#rewards = new Map(rewards.map(({ id, name }) => [id, name]))
    this.#staff = staff
  }

  /** What happened, such as *Redeemed: Coffee*. */
  what({ kind, code, reward }: Pick<LedgerEntry, 'kind' | 'code' | 'reward'>): string {
    const m = this.#m
    switch (kind) {
      case 'collected':
        return m.entryCollected({ code: code ?? '' })
      case 'redeemed':
        return m.entryRedeemed({ name: this.#rewards.get(reward ?? '') ?? '' })
      case 'adjusted':
        return m.entryAdjusted()
      case 'reversed':
        return m.entryReversal()
      case 'imported':
        return m.entryImported()
    }
  }

  /** Who made it; empty for the customer. */
  who({ by }: Pick<LedgerEntry, 'by'>): string {
    if (by === 'customer') return ''
    if (!by.startsWith('staff:')) return this.#m.byCommandLine()
    return this.#staff.get(by.slice('staff:'.length)) ?? this.#m.roleStaff()
  }
}
