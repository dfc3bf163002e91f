/** The staff of a shop as its tills name them. */

/** Key of a cashier in the store. Not shown to anyone. */
export type CashierKey = number

/** Who used a till. Each till has its own numbers, so that a number without its name names several people. */
export interface NamedCashier {
  readonly number: number
  readonly name: string
}
