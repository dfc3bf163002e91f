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
