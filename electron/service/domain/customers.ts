/** Customers and the ways in which they are named. */
import { parsePhone } from '../../contract/phone.ts'
import { parseName } from './names.ts'
import { Refusal } from './refusal.ts'

/** Key of a customer in the store. Ascending in the order of registration within a business. */
export type CustomerKey = number

/** Who a customer is. The ledger has no part of it. */
export interface CustomerIdentity {
  readonly id: string
  readonly name: string
  readonly email: string | null
  /** E.164 */
  readonly phone: string
}

/** A customer without the avatar link, which is derived from the id. */
export interface StoredCustomer extends CustomerIdentity {
  readonly balance: number
  readonly lifetimePoints: number
}

/** What staff can correct of a customer. */
export const IDENTITY_FIELDS = ['name', 'phone', 'email'] as const

/** Who a customer is from now on, as it was typed. */
export type TypedCorrection = Readonly<Record<(typeof IDENTITY_FIELDS)[number], string>>

/** One change of who a customer is. */
export interface Correction {
  /** ISO 8601, UTC */
  readonly at: string
  /** as of an entry of the ledger */
  readonly by: string
  readonly fields: readonly (typeof IDENTITY_FIELDS)[number][]
}

/** One address, without spaces, of at most 254 characters (RFC 5321, 4.5.3.1). */
export const EMAIL = /^(?=.{3,254}$)[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u

/**
 * Parses what staff typed: no name and no e-mail are allowed. Throws a `Refusal`.
 * @param country ISO 3166-1 alpha-2, for a phone without a country code
 */
export const parseCorrection = (typed: TypedCorrection, country: string): Omit<CustomerIdentity, 'id'> => {
  const phone = parsePhone(typed.phone, country)
  if (phone === null) throw new Refusal('phone-malformed', 'This is no phone number.')
  const email = typed.email.trim()
  if (email !== '' && !EMAIL.test(email)) throw new Refusal('email-malformed', 'This is no e-mail address.')
  const name = typed.name.trim() === '' ? '' : parseName(typed.name)
  return { name, phone: phone.e164, email: email === '' ? null : email }
}

/** The fields by which a customer is read (interface document, 4.4). */
export type CustomerLookup = 'id' | 'phone' | 'email'
