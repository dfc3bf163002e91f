/** What is remembered of the people at the till between starts. */
import { randomUUID } from 'node:crypto'
import { err, ok, type Failure, type Result } from '../../contract/failure.ts'
import { isPinText, MAX_CASHIER_NAME_LENGTH, MAX_CASHIERS } from '../../contract/staff.ts'
import { hashPin, type PinHash, type WrongPins } from './pin.ts'

/** A cashier as kept. */
interface PersistedCashier {
  readonly id: string
  readonly name: string
  /** null: chosen with a tap */
  readonly pin: PinHash | null
}

/** All of it. */
export interface PersistedStaff {
  /** null: everybody may do the manager's work */
  readonly managerPin: PinHash | null
  readonly cashiers: readonly PersistedCashier[]
  readonly wrongPins: WrongPins
  /** whether the till was locked: closing it and opening it again does not unlock it */
  readonly locked: boolean
}

/** Reads and writes it; what was written is on disk, as far as the disk takes it. */
export interface StaffStore {
  readonly kept: () => PersistedStaff
  readonly remember: (change: Partial<PersistedStaff>) => void
}

/* from cashiers.ts: The list of cashiers: adding, changing and removing them. */

/** A change of a cashier; what is absent stays. A null PIN takes the PIN away. */
interface CashierChange {
  readonly id: string
  readonly name?: string
  readonly pin?: string | null
}

/** Failures: `invalid-input` for a name or a PIN, `not-found` for a cashier who is no longer there. */
export interface Cashiers {
  find(id: string): PersistedCashier | null
  add(input: { readonly name: string; readonly pin: string | null }): Promise<Result<null>>
  change(input: CashierChange): Promise<Result<null>>
  remove(id: string): Result<null>
}

/** A PIN that cannot be one. */
export const PIN_MALFORMED: Failure = { kind: 'invalid-input', field: 'pin', fault: 'malformed' }

const sameName = (one: string, other: string): boolean =>
  one.localeCompare(other, undefined, { sensitivity: 'accent' }) === 0

/** Makes the list. */
export function createCashiers({ kept, remember }: StaffStore): Cashiers {
  const find = (id: string): PersistedCashier | null => kept().cashiers.find((one) => one.id === id) ?? null

  const nameFailure = (name: string, id: string | null): Failure | null => {
    if (name === '') return { kind: 'invalid-input', field: 'name', fault: 'missing' }
    if (name.length > MAX_CASHIER_NAME_LENGTH)
      return { kind: 'invalid-input', field: 'name', fault: 'too-long' }
    const taken = kept().cashiers.some((one) => one.id !== id && sameName(one.name, name))
    return taken ? { kind: 'invalid-input', field: 'name', fault: 'taken' } : null
  }
  const keptPin = async (pin: string | null): Promise<Result<PinHash | null>> => {
    if (pin === null) return ok(null)
    return isPinText(pin) ? ok(await hashPin(pin)) : err(PIN_MALFORMED)
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
      const after: PersistedCashier = {
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
