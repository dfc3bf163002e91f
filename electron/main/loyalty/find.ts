/** Finding customers by what a cashier types: a phone in any spelling, an e-mail, or any text. */
import { err, ok, type Result, type Failure, type FailureKind } from '../../contract/failure.ts'
import type { Customer, Page } from '../../contract/loyalty.ts'
import type { SearchResult, Phone } from '../../contract/customers.ts'
import { parsePhone } from './phone.ts'
import type { CustomerKey, LoyaltyService } from './service.ts'

/** The part of `SearchResult` that is about customers. */
export type FoundCustomers = Extract<SearchResult, { readonly kind: 'customers' }>

export interface Search {
  readonly text: string
  /** from 1 */
  readonly page: number
  /** ISO 3166-1 alpha-2, for a phone without a country code */
  readonly country: string
}

/** The gravest first: what stops every request is said before what concerns one. */
const BY_GRAVITY: readonly FailureKind[] = [
  'unauthorised',
  'forbidden',
  'tls',
  'offline',
  'timeout',
  'service-down',
  'busy',
  'bad-response',
  'rejected',
  'not-found'
]

const graver = (one: Failure, other: Failure): Failure =>
  BY_GRAVITY.indexOf(one.kind) <= BY_GRAVITY.indexOf(other.kind) ? one : other

/** Failures of one question that leave the answer to another standing, even when that answer is "nobody". */
const LOCAL: ReadonlySet<FailureKind> = new Set<FailureKind>(['not-found', 'rejected', 'bad-response'])

const nobody = (page: number): Page<Customer> => ({
  hasMore: false,
  currentPage: page,
  pageSize: 0,
  data: []
})

/** The exact match first, and nobody twice. */
const merged = (exact: Customer, page: Page<Customer>): Page<Customer> => ({
  ...page,
  data: [exact, ...page.data.filter(({ id }) => id !== exact.id)]
})

/** Brings two answers together: a customer in hand beats a failure, except that the token is no longer accepted. */
const combine = (
  exact: Result<Customer>,
  search: Result<Page<Customer>>,
  page: number
): Result<Page<Customer>> => {
  if (!exact.ok && exact.failure.kind === 'unauthorised') return exact
  if (!search.ok && search.failure.kind === 'unauthorised') return search
  if (exact.ok) return ok(merged(exact.value, search.ok ? search.value : nobody(page)))
  if (!search.ok) return err(graver(exact.failure, search.failure))
  return search.value.data.length > 0 || LOCAL.has(exact.failure.kind) ? search : exact
}

/** Asks for one customer and searches at the same time; `soFar` hears whichever finds somebody before the other ends. */
const sideBySide = async (
  askExactly: (() => Promise<Result<Customer>>) | null,
  askSearch: () => Promise<Result<Page<Customer>>>,
  page: number,
  soFar: (found: Page<Customer>) => void
): Promise<Result<Page<Customer>>> => {
  if (!askExactly) return askSearch()
  let ended = 0
  const [exact, typed] = await Promise.all([
    askExactly().then((answer) => {
      if (++ended === 1 && answer.ok) soFar(merged(answer.value, nobody(page)))
      return answer
    }),
    askSearch().then((answer) => {
      if (++ended === 1 && answer.ok && answer.value.data.length > 0) soFar(answer.value)
      return answer
    })
  ])
  return combine(exact, typed, page)
}

/** What of a text can be asked for exactly. */
const exactKey = (text: string, phone: Phone | null): readonly [CustomerKey, string] | null => {
  if (phone !== null) return ['phone', phone.e164]
  return /^[^\s@]+@[^\s@]+$/.test(text) ? ['email', text] : null
}

/** A search that the service answers with 404 has found nobody. */
const search = async (
  service: LoyaltyService,
  text: string,
  page: number,
  signal: AbortSignal | undefined
): Promise<Result<Page<Customer>>> => {
  const answer = await service.searchCustomers({ text, page }, signal)
  return !answer.ok && answer.failure.kind === 'not-found' ? ok(nobody(page)) : answer
}

/**
 * Another spelling to search by when the text as typed finds nobody: the international format of a phone, since
 * that is how the service keeps phones (interface document, 4.3); of the beginning of one, its digits without the
 * zeros that are dialled only inside the country.
 */
const otherSpelling = (text: string, phone: Phone | null): string | null => {
  if (phone !== null) return phone.e164 === text ? null : phone.e164
  if (!/^[\d\s().+/-]+$/.test(text)) return null
  const digits = text.replace(/\D/g, '').replace(/^0+/, '')
  return digits.length < 3 || digits === text ? null : digits
}

/**
 * Finds customers. Requests, at most three: a text costs one search. A phone or an e-mail is asked for exactly
 * (`GET /customers/{id}`) beside the search, on the first page only. When all this finds nobody, a phone or a part of
 * one is searched once more in the spelling that the service keeps.
 *
 * @param soFar hears whom the first of two questions found while the other is still on its way
 */
export const findCustomers = async (
  service: LoyaltyService,
  asked: Search,
  signal?: AbortSignal,
  soFar?: (found: FoundCustomers) => void
): Promise<Result<FoundCustomers>> => {
  const text = asked.text.trim()
  const { page } = asked
  const phone = parsePhone(text, asked.country)
  const customers = ({ data, hasMore }: Page<Customer>): FoundCustomers => ({
    kind: 'customers',
    customers: data,
    page,
    hasMore,
    phone
  })
  const found = (there: Page<Customer>): Result<FoundCustomers> => ok(customers(there))
  if (text === '') return found(nobody(page))

  const key = page === 1 ? exactKey(text, phone) : null
  const first = await sideBySide(
    key && (() => service.customerBy(key[0], key[1], signal)),
    () => search(service, text, page, signal),
    page,
    (there) => {
      if (!signal?.aborted) soFar?.(customers(there))
    }
  )
  if (!first.ok) return first
  const other = first.value.data.length === 0 ? otherSpelling(text, phone) : null
  if (other === null) return found(first.value)
  const second = await search(service, other, page, signal)
  return second.ok ? found(second.value) : LOCAL.has(second.failure.kind) ? found(first.value) : second
}
