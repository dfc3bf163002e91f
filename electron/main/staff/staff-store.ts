/** What is stored about the staff between starts. */
import type { Settings, StoredSettings } from '../settings/index.ts'

export type StoredStaff = StoredSettings['staff']

/** A stored cashier. A null PIN: chosen without one. */
export type StoredCashier = StoredStaff['cashiers'][number]

/** A stored PIN. Includes the parameters, so that a later version can raise them. */
export type PinHash = NonNullable<StoredStaff['managerPin']>

export class StaffStore {
  readonly #settings: Pick<Settings, 'values' | 'update'>

  constructor(settings: Pick<Settings, 'values' | 'update'>) {
    this.#settings = settings
  }

  get values(): StoredStaff {
    return this.#settings.values.staff
  }

  /** Stores a change; returns when it is on disk, as far as the disk takes it. */
  update(change: Partial<StoredStaff>): void {
    this.#settings.update({ staff: { ...this.values, ...change } })
  }
}
