import { formatNumber } from '../format/numbers.ts'

export const searchCustomers = (): string => 'Search customers'
export const searchHint = (): string => 'Phone, name or e-mail'
export const customersOfBusiness = ({ count }: { count: number }): string =>
  count === 1 ? '1 customer' : `${formatNumber(count)} customers`
export const previousPage = (): string => 'Previous page'
export const nextPage = (): string => 'Next page'
export const pageNumber = ({ page }: { page: number }): string => `Page ${formatNumber(page)}`
export const noCustomersYet = (): string => 'No customers yet.'
export const noCustomersHint = (): string => 'Register the first one at the till.'
export const details = (): string => 'Details'
export const chooseCustomerForDetails = (): string => 'Choose a customer to see more.'
export const serveAtTill = (): string => 'Serve at the till'
export const thisIsACode = (): string => 'This is a points code, not a customer.'
export const thisIsACodeHint = (): string => 'Check it under Slips, or scan it at the till.'
