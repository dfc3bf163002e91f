/** Finding, listing and registering customers. */
import type { FindInput, PartialSearchResult, SearchResult } from '../../contract/customers.ts'
import { err, ok, type Result, mapResult } from '../../contract/failure.ts'
import type { Customer } from '../../contract/loyalty.ts'
import { codeFromText, codeFromUrl } from '../loyalty/points-code.ts'
import { findCustomers, registerCustomer, type CustomerSearchResult } from '../loyalty/customers.ts'
import { createPageReader, type LoyaltyClient } from '../loyalty/loyalty-client.ts'
import type { Answers } from '../platform/ipc.ts'
import type { RecentCustomers } from '../session/recent-customers.ts'
import type { Session } from '../session/session.ts'
import type { CheckCode } from './slips.ts'
import type { ToRenderer } from './to-renderer.ts'

/** What the customers' answers note on the way, and whom they tell. */
interface CustomersSurroundings {
  readonly recent: Pick<RecentCustomers, 'see' | 'list'>
  /** hears what a find has while the rest is awaited */
  readonly sendPartialSearchResult: (soFar: PartialSearchResult) => void
}

/** Answers the calls of `bridge.customers`. */
export function customersAnswers(
  session: Session<LoyaltyClient>,
  country: () => string,
  checkCode: CheckCode,
  forPage: ToRenderer,
  { recent, sendPartialSearchResult }: CustomersSurroundings
): Answers['customers'] {
  const askLatest = createTakeLatest()
  const readPage = createPageReader((asked) => session.ask((service) => service.listCustomers(asked)))

  /** Customers as the page sees them. Whoever passes by here may be served next. */
  const shown = (customers: readonly Customer[]): readonly Customer[] => {
    const ready = customers.map(forPage.customer)
    recent.see(ready)
    return ready
  }
  const shownFound = (found: CustomerSearchResult): SearchResult => ({
    ...found,
    customers: shown(found.customers)
  })
  const shownOne = (customer: Customer): Customer => shown([customer])[0] ?? customer

  /** Nobody by that name: it may be the code in print on a slip. Null when it is none either. */
  const asCode = async (text: string, signal: AbortSignal): Promise<SearchResult | null> => {
    if (codeFromText(text) === null) return null
    const checked = await checkCode(text, signal)
    return checked.ok ? { kind: 'code', code: checked.value } : null
  }

  const find = async ({ box, text, page }: FindInput, signal: AbortSignal): Promise<Result<SearchResult>> => {
    // A scanner reads a whole address out of a slip's QR; no customer is found by one.
    if (codeFromUrl(text) !== null)
      return mapResult(await checkCode(text, signal), (code) => ({ kind: 'code', code }))
    const found = await session.ask(
      (service) =>
        findCustomers(service, { text, page, country: country() }, signal, (soFar) =>
          sendPartialSearchResult({ box, text, found: shownFound(soFar) })
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
      return mapResult(await readPage(page), (read) => ({
        ...read,
        data: shown(read.data)
      }))
    },
    async read({ id }) {
      return mapResult(await session.ask((service) => service.customerBy('id', id)), shownOne)
    },
    async register({ name, phone }) {
      const registered = await session.ask((service) =>
        registerCustomer(service, { name, phone, country: country() })
      )
      return mapResult(registered, ({ customer, existed }) => ({ customer: shownOne(customer), existed }))
    }
  }
}

/* from latest.ts: Questions of which only the newest counts. */

/** Asks a question; a later one with the same key aborts it, and it answers `aborted` at once. */
type TakeLatest = <Value>(
  key: string,
  question: (signal: AbortSignal) => Promise<Result<Value>>
) => Promise<Result<Value>>

/** Makes the asker. Each question gets a signal that is aborted as soon as nobody waits for its answer. */
export function createTakeLatest(): TakeLatest {
  const overtake = new Map<string, () => void>()
  return (key, question) => {
    overtake.get(key)?.()
    const own = new AbortController()
    const overtaken = Promise.withResolvers<Result<never>>()
    overtake.set(key, () => {
      own.abort()
      overtaken.resolve(err({ kind: 'aborted' }))
    })
    return Promise.race([question(own.signal), overtaken.promise])
  }
}
