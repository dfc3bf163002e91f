/** Registering a customer, to the end: the one who exists already is opened, and a lost answer is looked up. */
import { err, ok, type Result, type InputFault, type UnknownOutcomeCause } from '../../contract/failure.ts'
import type { Customer } from '../../contract/loyalty.ts'
import { parsePhone } from './phone.ts'
import type { LoyaltyService } from './service.ts'

/** Longest name, letters. The document names no limit; a slip's line has one. */
const LONGEST_NAME = 100

export interface Registration {
  readonly name: string
  /** in any spelling */
  readonly phone: string
  /** ISO 3166-1 alpha-2, for a phone without a country code */
  readonly country: string
}

export interface Registered {
  readonly customer: Customer
  /** the phone was registered before: this is the customer who has it */
  readonly existed: boolean
}

const badField = (field: 'name' | 'phone', fault: InputFault) => err({ kind: 'invalid-input', field, fault })

/** A name with single spaces and no control characters. Fails with `missing`, or `too-long` over 100 letters. */
export const parseName = (text: string): Result<string> => {
  const name = text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  if (!/[^\s\p{C}]/u.test(name)) return badField('name', 'missing')
  return Array.from(name).length > LONGEST_NAME ? badField('name', 'too-long') : ok(name)
}

const sameName = (one: string, other: string): boolean => {
  const form = (name: string): string => name.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()
  return form(one) === form(other)
}

/**
 * The answer to the registration was lost; who has the phone now tells what came of it. When nobody has it, nothing
 * was registered: with a lost connection that is the same to the cashier as being offline, and it is safe to try
 * again, since a phone is registered once. When that cannot be looked up either, the outcome stays unknown.
 */
const resolve = async (
  service: LoyaltyService,
  sent: { readonly name: string; readonly phone: string },
  cause: UnknownOutcomeCause,
  signal: AbortSignal | undefined
): Promise<Result<Registered>> => {
  const found = await service.customerBy('phone', sent.phone, signal)
  if (found.ok) return ok({ customer: found.value, existed: !sameName(found.value.name, sent.name) })
  const connection = cause === 'timeout' || cause === 'connection-lost'
  return err(
    found.failure.kind === 'not-found' && connection
      ? { kind: 'offline' }
      : { kind: 'unknown-outcome', cause }
  )
}

/**
 * Registers a customer. Fails with `invalid-input` for `name` or `phone` before anything is sent; with
 * `already-exists` only when the service says so and then does not show that customer; with `unknown-outcome` when
 * the answer was lost and cannot be looked up.
 */
export const registerCustomer = async (
  service: LoyaltyService,
  registration: Registration,
  signal?: AbortSignal
): Promise<Result<Registered>> => {
  const name = parseName(registration.name)
  if (!name.ok) return name
  if (registration.phone.trim() === '') return badField('phone', 'missing')
  const phone = parsePhone(registration.phone, registration.country)
  if (phone === null) return badField('phone', 'not-a-phone')

  const sent = { name: name.value, phone: phone.e164 }
  const added = await service.addCustomer(sent, signal)
  if (added.ok) return ok({ customer: added.value, existed: false })
  if (added.failure.kind === 'unknown-outcome') return resolve(service, sent, added.failure.cause, signal)
  if (added.failure.kind !== 'already-exists') return added
  const existing = await service.customerBy('phone', sent.phone, signal)
  return existing.ok ? ok({ customer: existing.value, existed: true }) : added
}
