/** Prepares accounts and customers for the page: phones formatted for reading, and no remote image URLs. */
import type { Account, Customer } from '../../contract/loyalty.ts'
import type { Images } from '../images/images.ts'
import { parsePhone } from '../loyalty/phone.ts'

/** Returns the account with its logo as a path of the till's own origin. */
export const toRendererAccount = (account: Account, images: Pick<Images, 'path'>): Account => ({
  ...account,
  logo: images.path(account.logo)
})

/**
 * Returns the customer with the avatar as a path of the till's own origin and the phone in display format.
 * @param country of the shop, ISO 3166-1 alpha-2, for phones that the service stores without a country code
 */
export const toRendererCustomer = (
  customer: Customer,
  images: Pick<Images, 'path'>,
  country: string
): Customer => ({
  ...customer,
  avatar: images.path(customer.avatar),
  phone: parsePhone(customer.phone, country)?.display ?? customer.phone
})
