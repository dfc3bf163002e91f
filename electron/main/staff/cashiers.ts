/** The list of cashiers: adding, changing and removing them. */
import { randomUUID } from 'node:crypto'
import { err, ok, type Result, type Failure } from '../../contract/failure.ts'
import { MAX_CASHIER_NAME_LENGTH, isPinText, MAX_CASHIERS } from '../../contract/staff.ts'
import type { KeptCashier, StaffMemory } from './kept.ts'
import { keepPin, type KeptPin } from './pin.ts'

/** A change of a cashier; what is absent stays. A null PIN takes the PIN away. */
export interface CashierChange {
  readonly id: string
  readonly name?: string
  readonly pin?: string | null
}

/** Failures: `invalid-input` for a name or a PIN, `not-found` for a cashier who is no longer there. */
export interface Cashiers {
  find(id: string): KeptCashier | null
  add(input: { readonly name: string; readonly pin: string | null }): Promise<Result<null>>
  change(input: CashierChange): Promise<Result<null>>
  remove(id: string): Result<null>
}

/** A PIN that cannot be one. */
export const PIN_MALFORMED: Failure = { kind: 'invalid-input', field: 'pin', fault: 'malformed' }

const sameName = (one: string, other: string): boolean =>
  one.localeCompare(other, undefined, { sensitivity: 'accent' }) === 0

/** Makes the list. */
export function createCashiers({ kept, remember }: StaffMemory): Cashiers {
  const find = (id: string): KeptCashier | null => kept().cashiers.find((one) => one.id === id) ?? null

  const nameFailure = (name: string, id: string | null): Failure | null => {
    if (name === '') return { kind: 'invalid-input', field: 'name', fault: 'missing' }
    if (name.length > MAX_CASHIER_NAME_LENGTH)
      return { kind: 'invalid-input', field: 'name', fault: 'too-long' }
    const taken = kept().cashiers.some((one) => one.id !== id && sameName(one.name, name))
    return taken ? { kind: 'invalid-input', field: 'name', fault: 'taken' } : null
  }
  const keptPin = async (pin: string | null): Promise<Result<KeptPin | null>> => {
    if (pin === null) return ok(null)
    return isPinText(pin) ? ok(await keepPin(pin)) : err(PIN_MALFORMED)
  }

  return {
    find,
    async add({ name, pin }) {
      const trimmed = name.trim()
      const made = await keptPin(pin)
      if (!made.ok) return made
      // Looked at last: while the PIN was worked on, the list may have changed.
      const failure = nameFailure(trimmed, null)
      if (failure) return err(failure)
      if (kept().cashiers.length >= MAX_CASHIERS) {
        return err({ kind: 'invalid-input', field: 'setting', fault: 'too-long' })
      }
      remember({ cashiers: [...kept().cashiers, { id: randomUUID(), name: trimmed, pin: made.value }] })
      return ok(null)
    },
    async change({ id, name, pin }) {
      const made = pin === undefined ? undefined : await keptPin(pin)
      if (made?.ok === false) return made
      const before = find(id)
      if (!before) return err({ kind: 'not-found' })
      const failure = name === undefined ? null : nameFailure(name.trim(), id)
      if (failure) return err(failure)
      const after: KeptCashier = {
        id,
        name: name?.trim() ?? before.name,
        pin: made === undefined ? before.pin : made.value
      }
      remember({ cashiers: kept().cashiers.map((one) => (one.id === id ? after : one)) })
      return ok(null)
    },
    remove(id) {
      if (!find(id)) return err({ kind: 'not-found' })
      remember({ cashiers: kept().cashiers.filter((one) => one.id !== id) })
      return ok(null)
    }
  }
}
