/** Handlers of `bridge.customers`. Customers are prepared for the page: phones formatted for reading, and no remote image URLs. */
import type { Api } from '../../contract/bridge.ts'
import {
  parseCustomerCode,
  type FindInput,
  type PartialSearchResult,
  type SearchResult
} from '../../contract/customer-search.ts'
import { err, mapResult, ok, type Result } from '../../contract/failure.ts'
import type { Standing } from '../../contract/earning-rules.ts'
import type { Extension } from '../../contract/extensions.ts'
import type { Customer, Page } from '../../contract/loyalty.ts'
import type { CustomerDisplay } from '../customer-display/customer-display.ts'
import type { Images } from '../images/images.ts'
import { findCustomers, type CustomerSearchResult } from '../loyalty/customers.ts'
import { createPageReader } from '../loyalty/page-reader.ts'
import { parsePhone } from '../../contract/phone.ts'
import { phoneInLink } from '../../contract/phone-link.ts'
import { isCodeLike, isUrl } from '../loyalty/points-code.ts'
import type { Lazy } from '../lazy.ts'
import { isFoundBy, MAX_RECENT, MAX_SEEN, type RecentCustomers } from '../session/recent-customers.ts'
import { register } from '../session/registration.ts'
import type { Session } from '../session/session.ts'
import type { Standings } from '../session/standings.ts'
import type { SlipQueries } from '../slips/slip-queries.ts'
import type { ShopCountry } from '../loyalty/country.ts'
import type { CheckCode } from './check-code.ts'

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

/**
 * Runs `request`. A later call with the same key aborts the signal of this one, which then fails with `aborted` at
 * once.
 */
type TakeLatest = <Value>(
  key: string,
  request: (signal: AbortSignal) => Promise<Result<Value>>
) => Promise<Result<Value>>

export function createTakeLatest(): TakeLatest {
  const abortCurrent = new Map<string, () => void>()
  return (key, request) => {
    abortCurrent.get(key)?.()
    const controller = new AbortController()
    const aborted = Promise.withResolvers<Result<never>>()
    abortCurrent.set(key, () => {
      controller.abort()
      aborted.resolve(err({ kind: 'aborted' }))
    })
    return Promise.race([request(controller.signal), aborted.promise])
  }
}

interface CustomersHandlersDependencies {
  readonly session: Session
  readonly country: Pick<ShopCountry, 'code'>
  readonly images: Pick<Images, 'path'>
  readonly checkCode: CheckCode
  readonly recent: Pick<RecentCustomers, 'see' | 'list' | 'known'>
  readonly standings: Pick<Standings, 'read'>
  /** where those served before the start are read; without the journal they are missing */
  readonly slips: Pick<Lazy<Result<{ readonly queries: Pick<SlipQueries, 'served'> }>>, 'get'>
  /** shows a customer that the page served next */
  readonly display: Pick<CustomerDisplay, 'addCustomer' | 'setStanding'>
  readonly sendPartialSearchResult: (result: PartialSearchResult) => void
}

export class CustomersHandlers implements Api<'customers'> {
  readonly #dependencies: CustomersHandlersDependencies
  readonly #takeLatest = createTakeLatest()
  readonly #readPage: (page: number) => Promise<Result<Page<Customer>>>

  constructor(dependencies: CustomersHandlersDependencies) {
    this.#dependencies = dependencies
    const { session } = dependencies
    this.#readPage = createPageReader((page) =>
      session.read(() => session.ask((client) => client.listCustomers(page)))
    )
  }

  find(input: FindInput): Promise<Result<SearchResult>> {
    return this.#takeLatest(input.box, (signal) => this.#find(input, signal))
  }

  async recent(): Promise<Result<readonly Customer[]>> {
    const { recent, slips } = this.#dependencies
    const opened = await slips.get()
    return ok(recent.list(opened.ok ? opened.value.queries.served(MAX_RECENT) : []))
  }

  async list({ page }: { page: number }): Promise<Result<Page<Customer>>> {
    return mapResult(await this.#readPage(page), (read) => ({
      ...read,
      data: this.#rememberAndPrepare(read.data)
    }))
  }

  async read({ id }: { id: string }): Promise<Result<Customer>> {
    const { session } = this.#dependencies
    const read = await session.read(() => session.ask((client) => client.customerBy('id', id)))
    return mapResult(read, (customer) => this.#prepareOne(customer))
  }

  async standing({ id }: { id: string }): Promise<Result<Standing | null>> {
    const { session, standings, display } = this.#dependencies
    return mapResult(await session.read(async () => ok(await standings.read(id))), (standing) => {
      display.setStanding(id, standing)
      return standing
    })
  }

  async register({
    name,
    phone
  }: {
    name: string
    phone: string
  }): Promise<Result<{ customer: Customer; existed: boolean }>> {
    const { session, country } = this.#dependencies
    const registered = await session.read(() => register(session, { name, phone, country: country.code }))
    return mapResult(registered, ({ customer, existed }) => ({
      customer: this.#prepareOne(customer),
      existed
    }))
  }

  async linkPhone({ id, digits }: { id: string; digits: string }): Promise<Result<null>> {
    if (!this.#offers('devices/1')) return err({ kind: 'not-found' })
    const { session } = this.#dependencies
    return session.askExtension((client) => client.linkDevice({ customer: id, digits }))
  }

  #offers(extension: Extension): boolean {
    return this.#dependencies.session.business?.extensions.includes(extension) ?? false
  }

  async #find({ box, text, page }: FindInput, signal: AbortSignal): Promise<Result<SearchResult>> {
    const { session, country, checkCode, sendPartialSearchResult } = this.#dependencies
    if (parseCustomerCode(text) !== null && this.#offers('customer-codes/1')) {
      const found = await session.read(() =>
        session.askExtension((client) => client.customerOfCode(text.trim(), signal))
      )
      return mapResult(found, (customer) =>
        this.#prepareFound({
          kind: 'customers',
          customers: [customer],
          page,
          hasMore: false,
          phone: null
        })
      )
    }
    // A scanner reads a URL from the QR code of a slip.
    if (isUrl(text) && phoneInLink(text.trim()) === null)
      return mapResult(await session.read(() => checkCode(text, signal)), (code) => ({ kind: 'code', code }))
    const { owner } = session
    const found = await session.read(async () => {
      const answer = await session.ask(
        (client) =>
          findCustomers(client, { text, page, country: country.code }, signal, (partial) => {
            if (session.owner === owner) {
              sendPartialSearchResult({ box, text, found: this.#prepareFound(partial) })
            }
          }),
        signal
      )
      return answer.ok || page > 1 ? answer : this.#orRemembered(answer, text)
    })
    if (!found.ok || found.value.isOld) return found
    const isEmpty = page === 1 && found.value.customers.length === 0 && !found.value.phone
    return ok((isEmpty ? await this.#asCode(text, signal) : null) ?? this.#prepareFound(found.value))
  }

  /** Returns whom the till saw lately when the service could not be reached; the failure when it saw none of them. */
  async #orRemembered(failed: Result<never>, text: string): Promise<Result<CustomerSearchResult>> {
    const { country, recent, slips, display } = this.#dependencies
    if (failed.ok || (failed.failure.kind !== 'offline' && failed.failure.kind !== 'timeout')) return failed
    const opened = await slips.get()
    const customers = recent
      .known(opened.ok ? opened.value.queries.served(MAX_SEEN) : [])
      .filter((customer) => isFoundBy(customer, text, country.code))
      .slice(0, MAX_RECENT)
    if (customers.length === 0) return failed
    for (const customer of customers) display.addCustomer(customer)
    return ok({ kind: 'customers', customers, page: 1, hasMore: false, phone: null, isOld: true })
  }

  /** Reads the text as the printed code of a slip; null if it is none. */
  async #asCode(text: string, signal: AbortSignal): Promise<SearchResult | null> {
    if (!isCodeLike(text)) return null
    const { session, checkCode } = this.#dependencies
    const checked = await session.read(() => checkCode(text, signal))
    return checked.ok ? { kind: 'code', code: checked.value } : null
  }

  /** Returns customers as the page shows them. The till and the display remember them: a slip may be issued to one. */
  #rememberAndPrepare(customers: readonly Customer[]): readonly Customer[] {
    const { country, images, recent, display } = this.#dependencies
    for (const customer of customers) display.addCustomer(customer)
    const prepared = customers.map((customer) => toRendererCustomer(customer, images, country.code))
    recent.see(prepared)
    return prepared
  }

  #prepareOne(customer: Customer): Customer {
    return this.#rememberAndPrepare([customer])[0] ?? customer
  }

  #prepareFound(result: CustomerSearchResult): SearchResult {
    return { ...result, customers: this.#rememberAndPrepare(result.customers) }
  }
}
