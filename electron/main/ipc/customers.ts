/** Finding, listing and registering customers. */
import { ok, type Result } from '../../contract/failure.ts'
import type { FindInput, FoundSoFar } from '../../contract/find.ts'
import type { Customer } from '../../contract/loyalty.ts'
import type { Found } from '../../contract/till.ts'
import {
  codeFromText,
  codeFromUrl,
  findCustomers,
  inLargePages,
  registerCustomer,
  type FoundCustomers,
  type LoyaltyService
} from '../loyalty/index.ts'
import type { Answers } from '../platform/ipc.ts'
import type { RecentCustomers, Session } from '../session/index.ts'
import type { CheckCode } from './codes.ts'
import type { ForPage } from './for-page.ts'
import { createAskLatest } from './latest.ts'
import { mapped } from './mapped.ts'

/** What the customers' answers note on the way, and whom they tell. */
export interface CustomersSurroundings {
  readonly recent: Pick<RecentCustomers, 'see' | 'list'>
  /** hears what a find has while the rest is awaited */
  readonly tellFound: (soFar: FoundSoFar) => void
}

/** Answers the calls of `bridge.customers`. */
export function customersAnswers(
  session: Session<LoyaltyService>,
  country: () => string,
  checkCode: CheckCode,
  forPage: ForPage,
  { recent, tellFound }: CustomersSurroundings
): Answers['customers'] {
  const askLatest = createAskLatest()
  const readPage = inLargePages((asked) => session.ask((service) => service.listCustomers(asked)))

  /** Customers as the page sees them. Whoever passes by here may be served next. */
  const shown = (customers: readonly Customer[]): readonly Customer[] => {
    const ready = customers.map(forPage.customer)
    recent.see(ready)
    return ready
  }
  const shownFound = (found: FoundCustomers): Found => ({ ...found, customers: shown(found.customers) })
  const shownOne = (customer: Customer): Customer => shown([customer])[0] ?? customer

  /** Nobody by that name: it may be the code in print on a slip. Null when it is none either. */
  const asCode = async (text: string, signal: AbortSignal): Promise<Found | null> => {
    if (codeFromText(text) === null) return null
    const checked = await checkCode(text, signal)
    return checked.ok ? { kind: 'code', code: checked.value } : null
  }

  const find = async ({ box, text, page }: FindInput, signal: AbortSignal): Promise<Result<Found>> => {
    // A scanner reads a whole address out of a slip's QR; no customer is found by one.
    if (codeFromUrl(text) !== null)
      return mapped(await checkCode(text, signal), (code) => ({ kind: 'code', code }))
    const found = await session.ask(
      (service) =>
        findCustomers(service, { text, page, country: country() }, signal, (soFar) =>
          tellFound({ box, text, found: shownFound(soFar) })
        ),
      signal
    )
    if (!found.ok) return found
    const nobody = page === 1 && found.value.customers.length === 0 && !found.value.phone
    return ok((nobody ? await asCode(text, signal) : null) ?? shownFound(found.value))
  }

  return {
    find: (input) => askLatest(input.box, (signal) => find(input, signal)),
    recent: () => Promise.resolve(ok(recent.list())),
    async list({ page }) {
      return mapped(await readPage(page), (read) => ({
        ...read,
        data: shown(read.data)
      }))
    },
    async read({ id }) {
      return mapped(await session.ask((service) => service.customerBy('id', id)), shownOne)
    },
    async register({ name, phone }) {
      const registered = await session.ask((service) =>
        registerCustomer(service, { name, phone, country: country() })
      )
      return mapped(registered, ({ customer, existed }) => ({ customer: shownOne(customer), existed }))
    }
  }
}
