/** Finds customers by a phone in any format, an e-mail, a text or an id, and registers new ones. */
import type { Phone, SearchResult } from '../../contract/customer-search.ts'
import {
  err,
  ok,
  type Failure,
  type FailureKind,
  type InputFault,
  type Result,
  type UnknownOutcomeCause
} from '../../contract/failure.ts'
import type { Customer, Page } from '../../contract/loyalty.ts'
import type { CustomerKeyType, LoyaltyClient } from './loyalty-client.ts'
import { parsePhone } from '../../contract/phone.ts'

/** The part of `SearchResult` that is about customers. */
export type CustomerSearchResult = Extract<SearchResult, { readonly kind: 'customers' }>

export interface CustomerQuery {
  readonly text: string
  /** from 1 */
  readonly page: number
  /** ISO 3166-1 alpha-2, for a phone without a country code */
  readonly country: string
}

/** Failures by severity: those that affect every request precede those that affect one. */
const BY_SEVERITY: readonly FailureKind[] = [
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

const moreSevere = (one: Failure, other: Failure): Failure =>
  BY_SEVERITY.indexOf(one.kind) <= BY_SEVERITY.indexOf(other.kind) ? one : other

/** Failures of one request that do not invalidate the result of the other, even if that result is empty. */
const FAILURES_OF_ONE_REQUEST: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'not-found',
  'rejected',
  'bad-response'
])

const emptyPage = (page: number): Page<Customer> => ({
  hasMore: false,
  currentPage: page,
  pageSize: 0,
  data: []
})

/** Puts the exact match first and removes its duplicate. */
const merged = (exact: Customer, page: Page<Customer>): Page<Customer> => ({
  ...page,
  data: [exact, ...page.data.filter(({ id }) => id !== exact.id)]
})

/**
 * Combines an exact look-up and a search: a found customer takes precedence over a failure other than `unauthorised`, and a
 * search without results over a look-up that was refused. The interface leaves open how an unknown customer is answered.
 */
export const combineLookUps = (
  exact: Result<Customer>,
  search: Result<Page<Customer>>,
  page: number
): Result<Page<Customer>> => {
  if (!exact.ok && exact.failure.kind === 'unauthorised') return exact
  if (!search.ok && search.failure.kind === 'unauthorised') return search
  if (exact.ok) return ok(merged(exact.value, search.ok ? search.value : emptyPage(page)))
  if (!search.ok) return err(moreSevere(exact.failure, search.failure))
  return search.value.data.length > 0 || FAILURES_OF_ONE_REQUEST.has(exact.failure.kind) ? search : exact
}

/** Runs the exact lookup, if any, and the search concurrently. Calls `soFar` if the first to complete finds a customer. */
const sideBySide = async (
  lookUp: (() => Promise<Result<Customer>>) | null,
  searchText: () => Promise<Result<Page<Customer>>>,
  page: number,
  soFar: (found: Page<Customer>) => void
): Promise<Result<Page<Customer>>> => {
  if (!lookUp) return searchText()
  let ended = 0
  const [exact, typed] = await Promise.all([
    lookUp().then((answer) => {
      if (++ended === 1 && answer.ok) soFar(merged(answer.value, emptyPage(page)))
      return answer
    }),
    searchText().then((answer) => {
      if (++ended === 1 && answer.ok && answer.value.data.length > 0) soFar(answer.value)
      return answer
    })
  ])
  return combineLookUps(exact, typed, page)
}

/** Returns the key for an exact lookup: a phone or an e-mail. Null for other texts. */
const exactKey = (text: string, phone: Phone | null): readonly [CustomerKeyType, string] | null => {
  if (phone !== null) return ['phone', phone.e164]
  return /^[^\s@]+@[^\s@]+$/.test(text) ? ['email', text] : null
}

/** Searches for a text. A 404 counts as an empty result. */
export const searchByText = async (
  service: LoyaltyClient,
  text: string,
  page: number,
  signal?: AbortSignal
): Promise<Result<Page<Customer>>> => {
  const answer = await service.searchCustomers({ text, page }, signal)
  return !answer.ok && answer.failure.kind === 'not-found' ? ok(emptyPage(page)) : answer
}

/**
 * Returns an alternative search text for when the text as typed has no results: the E.164 format of a phone,
 * which the service stores (`POST /customers`), or the digits of a partial phone without its trunk prefix
 * 0. Null if there is none.
 */
const otherSpelling = (text: string, phone: Phone | null): string | null => {
  if (phone !== null) return phone.e164 === text ? null : phone.e164
  if (!/^[\d\s().+/-]+$/.test(text)) return null
  const digits = text.replace(/\D/g, '').replace(/^0+/, '')
  return digits.length < 3 || digits === text ? null : digits
}

/**
 * Returns whether a text that is neither phone nor e-mail can be a customer id, as on a loyalty card: one word of ASCII
 * letters, digits and the signs of common ids. The interface of `GET /customers/{id}` shows no format.
 */
const canBeId = (text: string): boolean => /^[\w.~:-]{1,200}$/.test(text)

/**
 * Finds customers with at most four requests. A text needs one search. For a phone or an e-mail, the first
 * page also has an exact lookup (`GET /customers/{id}`), concurrently with the search. If no customer is found,
 * a phone or a part of one is searched again in the format that the service stores, and a text that can be an id
 * is looked up as one.
 *
 * @param soFar receives the customers of the first completed request while the other is pending
 */
export const findCustomers = async (
  service: LoyaltyClient,
  asked: CustomerQuery,
  signal?: AbortSignal,
  soFar?: (found: CustomerSearchResult) => void
): Promise<Result<CustomerSearchResult>> => {
  const text = asked.text.trim()
  const { page } = asked
  const phone = parsePhone(text, asked.country)
  const customers = ({ data, hasMore }: Page<Customer>): CustomerSearchResult => ({
    kind: 'customers',
    customers: data,
    page,
    hasMore,
    phone
  })
  const found = (there: Page<Customer>): Result<CustomerSearchResult> => ok(customers(there))
  if (text === '') return found(emptyPage(page))

  const key = page === 1 ? exactKey(text, phone) : null
  const first = await sideBySide(
    key && (() => service.customerBy(key[0], key[1], signal)),
    () => searchByText(service, text, page, signal),
    page,
    (there) => {
      if (!signal?.aborted) soFar?.(customers(there))
    }
  )
  if (!first.ok) return first
  if (first.value.data.length > 0) return found(first.value)
  const other = otherSpelling(text, phone)
  const isId = page === 1 && key === null && canBeId(text)
  const second = await sideBySide(
    isId ? () => service.customerBy('id', text, signal) : null,
    () => (other === null ? Promise.resolve(first) : searchByText(service, other, page, signal)),
    page,
    () => undefined
  )
  return second.ok
    ? found(second.value)
    : FAILURES_OF_ONE_REQUEST.has(second.failure.kind)
      ? found(first.value)
      : second
}

/** Maximum length of a name, in characters. `POST /customers` has no limit; a line of a slip has one. */
const MAX_NAME_LENGTH = 100

export interface RegistrationInput {
  readonly name: string
  /** in any format */
  readonly phone: string
  /** ISO 3166-1 alpha-2, for a phone without a country code */
  readonly country: string
  /** whether the service has refused an empty name before */
  readonly isNameRequired?: boolean
}

export interface RegistrationResult {
  readonly customer: Customer
  /** whether the phone was registered before; `customer` is the existing one then */
  readonly existed: boolean
}

const badField = (field: 'name' | 'phone', fault: InputFault) => err({ kind: 'invalid-input', field, fault })

/** Normalizes white space and removes control characters. Empty without a visible character. Fails with `too-long`. */
const parseName = (text: string): Result<string> => {
  const name = text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  if (!/[^\s\p{C}]/u.test(name)) return ok('')
  return Array.from(name).length > MAX_NAME_LENGTH ? badField('name', 'too-long') : ok(name)
}

const sameName = (one: string, other: string): boolean => {
  const form = (name: string): string => name.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()
  return form(one) === form(other)
}

/**
 * Determines the unknown outcome of a registration by looking up the phone. If no customer has it, nothing was
 * registered: after a lost connection that is reported as `offline`, and a retry is safe because the service
 * registers a phone only once. If the lookup fails, too, the outcome remains unknown.
 */
const resolve = async (
  service: LoyaltyClient,
  sent: { readonly name: string; readonly phone: string },
  cause: UnknownOutcomeCause,
  signal: AbortSignal | undefined
): Promise<Result<RegistrationResult>> => {
  const found = await service.customerBy('phone', sent.phone, signal)
  if (found.ok) return ok({ customer: found.value, existed: !sameName(found.value.name, sent.name) })
  const connection = cause === 'timeout' || cause === 'connection-lost'
  return err(
    found.failure.kind === 'not-found' && connection
      ? { kind: 'offline' }
      : { kind: 'unknown-outcome', cause }
  )
}

/** Whether a service refused the empty name, as far as its answer tells: it is about the input, and not about the phone. */
const refusesEmptyName = (failure: Failure): boolean =>
  failure.kind === 'rejected' &&
  (failure.status === 400 || failure.status === 422) &&
  !/phone|t[eé]l[eé]f|τηλέφ|هاتف/iu.test(failure.message)

/** `POST /customers` answers an existing customer with 406; other services use 409. Both may have another reason. */
const mayExist = (failure: Failure): boolean =>
  failure.kind === 'rejected' && (failure.status === 406 || failure.status === 409)

/**
 * Registers a customer, or returns the existing one with this phone. Fails with `invalid-input` for `name` or
 * `phone` before anything is sent, and for a name that is empty if the service refused it; with `rejected` if the service refused and no customer has the phone; with
 * `unknown-outcome` if the response was lost and the lookup was inconclusive.
 */
export const registerCustomer = async (
  service: LoyaltyClient,
  registration: RegistrationInput,
  signal?: AbortSignal
): Promise<Result<RegistrationResult>> => {
  const name = parseName(registration.name)
  if (!name.ok) return name
  if (name.value === '' && registration.isNameRequired) return badField('name', 'required-by-service')
  if (registration.phone.trim() === '') return badField('phone', 'missing')
  const phone = parsePhone(registration.phone, registration.country)
  if (phone === null) return badField('phone', 'not-a-phone')

  const sent = { name: name.value, phone: phone.e164 }
  const added = await service.addCustomer(sent, signal)
  if (added.ok) return ok({ customer: added.value, existed: false })
  if (added.failure.kind === 'unknown-outcome') return resolve(service, sent, added.failure.cause, signal)
  const refused =
    sent.name === '' && refusesEmptyName(added.failure) ? badField('name', 'required-by-service') : added
  if (!mayExist(added.failure)) return refused
  const existing = await service.customerBy('phone', sent.phone, signal)
  return existing.ok ? ok({ customer: existing.value, existed: true }) : refused
}
