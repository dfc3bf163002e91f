/** Putting the till's own picture paths in place of remote links, on everything that goes to the page. */
import type { Account, Customer, Page } from '../../contract/loyalty.ts'
import type { Pictures } from '../pictures/index.ts'

/** Replaces remote links by the till's own paths. */
export interface Pictured {
  readonly account: (account: Account) => Account
  readonly customer: (customer: Customer) => Customer
  readonly customers: (page: Page<Customer>) => Page<Customer>
}

/** Builds the replacing on the till's pictures. */
export function createPictured(pictures: Pictures): Pictured {
  const customer = (one: Customer): Customer => ({ ...one, avatar: pictures.path(one.avatar) })
  return {
    account: (account) => ({ ...account, logo: pictures.path(account.logo) }),
    customer,
    customers: (page) => ({ ...page, data: page.data.map(customer) })
  }
}
