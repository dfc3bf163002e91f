/** What goes to the page of a customer and of the business: made for showing, and never a remote address. */
import type { Account, Customer, Page } from '../../contract/loyalty.ts'
import { parsePhone } from '../loyalty/phone.ts'
import type { Images } from '../images/images.ts'

/** Makes what the service said ready for the page. */
export interface ToRenderer {
  /** The logo is a path that the renderer can load. */
  readonly account: (account: Account) => Account
  /** So is the avatar, and the phone is spaced for reading. */
  readonly customer: (customer: Customer) => Customer
  readonly customers: (page: Page<Customer>) => Page<Customer>
}

/**
 * @param country the shop's, ISO 3166-1 alpha-2, for phones that the service keeps without one
 * @param saw told of each customer on the way to the page
 */
export function createToRenderer(
  images: Images,
  country: () => string,
  saw: (customer: Customer) => void
): ToRenderer {
  const customer = (one: Customer): Customer => {
    saw(one)
    return {
      ...one,
      avatar: images.path(one.avatar),
      phone: parsePhone(one.phone, country())?.display ?? one.phone
    }
  }
  return {
    account: (account) => ({ ...account, logo: images.path(account.logo) }),
    customer,
    customers: (page) => ({ ...page, data: page.data.map(customer) })
  }
}
