/** Finding, listing and registering customers. */
import { good } from '../../contract/failure.ts'
import {
  codeFromText,
  codeFromUrl,
  findCustomers,
  registerCustomer,
  type LoyaltyService
} from '../loyalty/index.ts'
import type { Answers } from '../shell/ipc.ts'
import type { Session } from '../till/index.ts'
import type { CheckCode } from './codes.ts'
import { mapped } from './mapped.ts'
import type { ForPage } from './for-page.ts'

/** Answers the calls of `bridge.customers`. */
export function customersAnswers(
  session: Session<LoyaltyService>,
  country: () => string,
  checkCode: CheckCode,
  forPage: ForPage
): Answers['customers'] {
  return {
    async find({ text, page }) {
      // A scanner reads a whole address out of a slip's QR; no customer is found by one.
      if (codeFromUrl(text) !== null) return mapped(await checkCode(text), (code) => ({ kind: 'code', code }))
      const found = await session.ask((service) => findCustomers(service, { text, page, country: country() }))
      if (!found.ok) return found
      if (
        page === 1 &&
        found.value.customers.length === 0 &&
        !found.value.phone &&
        codeFromText(text) !== null
      ) {
        // Nobody by that name: it may be the code in print on a slip. If it is none either, nobody was found.
        const checked = await checkCode(text)
        if (checked.ok) return good({ kind: 'code', code: checked.value })
      }
      return good({ ...found.value, customers: found.value.customers.map(forPage.customer) })
    },
    async list({ page }) {
      return mapped(await session.ask((service) => service.listCustomers({ page })), forPage.customers)
    },
    async read({ id }) {
      return mapped(await session.ask((service) => service.customerBy('id', id)), forPage.customer)
    },
    async register({ name, phone }) {
      const registered = await session.ask((service) =>
        registerCustomer(service, { name, phone, country: country() })
      )
      return mapped(registered, ({ customer, existed }) => ({
        customer: forPage.customer(customer),
        existed
      }))
    }
  }
}
