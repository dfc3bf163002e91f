/** The list of cashiers in the settings: their names, PINs and numbers. */
import { randomUUID } from 'node:crypto'
import { err, type Failure, ok, type Result } from '../../contract/failure.ts'
import { isPinText, MAX_CASHIER_NAME_LENGTH, MAX_CASHIER_NUMBER, MAX_CASHIERS } from '../../contract/staff.ts'
import type { PinHash, StaffStore, StoredCashier } from '../settings/index.ts'
import { type hashPin, MALFORMED_PIN } from './pin.ts'

/** Changes of a cashier. Absent fields stay; a null PIN removes the PIN. */
export interface CashierChange {
  readonly id: string
  readonly name?: string
  readonly pin?: string | null
}

const isSameName = (one: string, other: string): boolean =>
  one.localeCompare(other, undefined, { sensitivity: 'accent' }) === 0

/** Adds, changes and removes cashiers. Each method fails with `invalid-input` for a name or PIN, `not-found` for an unknown cashier. */
export class Cashiers {
  readonly #store: StaffStore
  readonly #hash: typeof hashPin

  constructor(store: StaffStore, hash: typeof hashPin) {
    this.#store = store
    this.#hash = hash
  }

  /** Returns a cashier, or null. */
  find(id: string): StoredCashier | null {
    return this.#store.values.cashiers.find((one) => one.id === id) ?? null
  }

  async add({ name, pin }: { readonly name: string; readonly pin: string | null }): Promise<Result<null>> {
    const trimmed = name.trim()
    const hash = await this.#hashIfGiven(pin)
    if (!hash.ok) return hash
    // Checked after hashing: the list may have changed in the meantime.
    const failure = this.#nameFailure(trimmed, null)
    if (failure) return err(failure)
    const { cashiers, lastCashierNumber } = this.#store.values
    if (cashiers.length >= MAX_CASHIERS || lastCashierNumber >= MAX_CASHIER_NUMBER)
      return err({ kind: 'invalid-input', field: 'setting', fault: 'too-long' })
    const number = lastCashierNumber + 1
    const added = { id: randomUUID(), name: trimmed, pin: hash.value, number, formerNames: [] }
    this.#store.update({ cashiers: [...cashiers, added], lastCashierNumber: number })
    return ok(null)
  }

  async change({ id, name, pin }: CashierChange): Promise<Result<null>> {
    const hash = pin === undefined ? undefined : await this.#hashIfGiven(pin)
    if (hash?.ok === false) return hash
    const before = this.find(id)
    if (!before) return err({ kind: 'not-found' })
    const failure = name === undefined ? null : this.#nameFailure(name.trim(), id)
    if (failure) return err(failure)
    const after: StoredCashier = {
      ...before,
      name: name?.trim() ?? before.name,
      formerNames: Array.from(new Set([...before.formerNames, before.name])),
      pin: hash === undefined ? before.pin : hash.value
    }
    this.#store.update({ cashiers: this.#store.values.cashiers.map((one) => (one.id === id ? after : one)) })
    return ok(null)
  }

  /** @param businessId whose service forgets the names of the cashier; null: none knows them */
  remove(id: string, businessId: string | null): Result<null> {
    const removed = this.find(id)
    if (!removed) return err({ kind: 'not-found' })
    const { number, name, formerNames } = removed
    const names = new Set([...formerNames, name])
    const { cashiers, erasures } = this.#store.values
    this.#store.update({
      cashiers: cashiers.filter((one) => one.id !== id),
      ...(businessId !== null && {
        erasures: [...erasures, ...Array.from(names, (one) => ({ businessId, number, name: one }))]
      })
    })
    return ok(null)
  }

  async #hashIfGiven(pin: string | null): Promise<Result<PinHash | null>> {
    if (pin === null) return ok(null)
    return isPinText(pin) ? ok(await this.#hash(pin)) : err(MALFORMED_PIN)
  }

  #nameFailure(name: string, ownId: string | null): Failure | null {
    if (name === '') return { kind: 'invalid-input', field: 'name', fault: 'missing' }
    if (name.length > MAX_CASHIER_NAME_LENGTH)
      return { kind: 'invalid-input', field: 'name', fault: 'too-long' }
    const isTaken = this.#store.values.cashiers.some((one) => one.id !== ownId && isSameName(one.name, name))
    return isTaken ? { kind: 'invalid-input', field: 'name', fault: 'taken' } : null
  }
}
