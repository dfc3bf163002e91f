/** The list of cashiers. */
import { randomUUID } from 'node:crypto'
import { err, ok, type Failure, type Result } from '../../contract/failure.ts'
import { MAX_CASHIER_NAME_LENGTH, isPinText, MAX_CASHIERS } from '../../contract/staff.ts'
import { hashPin } from './pin.ts'
import type { PinHash, StaffStore, StoredCashier } from '../settings/index.ts'

/** Changes of a cashier. Absent fields stay; a null PIN removes the PIN. */
export interface CashierChange {
  readonly id: string
  readonly name?: string
  readonly pin?: string | null
}

/** The failure for a text that cannot be a PIN. */
export const MALFORMED_PIN: Failure = { kind: 'invalid-input', field: 'pin', fault: 'malformed' }

const isSameName = (one: string, other: string): boolean =>
  one.localeCompare(other, undefined, { sensitivity: 'accent' }) === 0

const hashIfGiven = async (pin: string | null): Promise<Result<PinHash | null>> => {
  if (pin === null) return ok(null)
  return isPinText(pin) ? ok(await hashPin(pin)) : err(MALFORMED_PIN)
}

/** Adds, changes and removes cashiers. Fails with `invalid-input` for a name or PIN, `not-found` for an unknown cashier. */
export class Cashiers {
  readonly #store: StaffStore

  constructor(store: StaffStore) {
    this.#store = store
  }

  find(id: string): StoredCashier | null {
    return this.#store.values.cashiers.find((one) => one.id === id) ?? null
  }

  async add({ name, pin }: { readonly name: string; readonly pin: string | null }): Promise<Result<null>> {
    const trimmed = name.trim()
    const hash = await hashIfGiven(pin)
    if (!hash.ok) return hash
    // Checked after hashing: the list may have changed in the meantime.
    const failure = this.#nameFailure(trimmed, null)
    if (failure) return err(failure)
    const { cashiers } = this.#store.values
    if (cashiers.length >= MAX_CASHIERS)
      return err({ kind: 'invalid-input', field: 'setting', fault: 'too-long' })
    this.#store.update({ cashiers: [...cashiers, { id: randomUUID(), name: trimmed, pin: hash.value }] })
    return ok(null)
  }

  async change({ id, name, pin }: CashierChange): Promise<Result<null>> {
    const hash = pin === undefined ? undefined : await hashIfGiven(pin)
    if (hash?.ok === false) return hash
    const before = this.find(id)
    if (!before) return err({ kind: 'not-found' })
    const failure = name === undefined ? null : this.#nameFailure(name.trim(), id)
    if (failure) return err(failure)
    const after: StoredCashier = {
      id,
      name: name?.trim() ?? before.name,
      pin: hash === undefined ? before.pin : hash.value
    }
    this.#store.update({ cashiers: this.#store.values.cashiers.map((one) => (one.id === id ? after : one)) })
    return ok(null)
  }

  remove(id: string): Result<null> {
    if (!this.find(id)) return err({ kind: 'not-found' })
    this.#store.update({ cashiers: this.#store.values.cashiers.filter((one) => one.id !== id) })
    return ok(null)
  }

  #nameFailure(name: string, ownId: string | null): Failure | null {
    if (name === '') return { kind: 'invalid-input', field: 'name', fault: 'missing' }
    if (name.length > MAX_CASHIER_NAME_LENGTH)
      return { kind: 'invalid-input', field: 'name', fault: 'too-long' }
    const isTaken = this.#store.values.cashiers.some((one) => one.id !== ownId && isSameName(one.name, name))
    return isTaken ? { kind: 'invalid-input', field: 'name', fault: 'taken' } : null
  }
}
