/** Customers and the ways in which they are named. */

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

/** The fields by which a customer is read (interface document, 4.4). */
export type CustomerLookup = 'id' | 'phone' | 'email'

/** Spaces and punctuation that are written inside phone numbers. They are removed before a number is stored. */
const PHONE_PUNCTUATION = /[\s.\-\u2010-\u2015]/g

/** E.164: a plus sign, a country code that does not start with 0, at most 15 digits in total. */
export const E164_PHONE = /^\+[1-9]\d{6,14}$/

/** Converts full-width digits and removes punctuation. The result is not checked: see `E164_PHONE`. */
export const stripPhone = (text: string): string => text.normalize('NFKC').replaceAll(PHONE_PUNCTUATION, '')
