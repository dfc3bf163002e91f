/** What programs read of customers, rewards and the till, and the registration of customers. */
import { err, type Failure, mapResult, ok, type Result } from '../../contract/failure.ts'
import type { Customer } from '../../contract/loyalty.ts'
import type { CustomerDisplay } from '../customer-display/customer-display.ts'
import type { Lazy } from '../lazy.ts'
import { combineLookUps, searchByText } from '../loyalty/customers.ts'
import type { LoyaltyClient } from '../loyalty/loyalty-client.ts'
import { parsePhone } from '../../contract/phone.ts'
import type { RewardCatalogue } from '../rewards/reward-catalogue.ts'
import type { ShopRules } from '../session/shop-rules.ts'
import { register } from '../session/registration.ts'
import { MAX_SEEN, type RecentCustomers } from '../session/recent-customers.ts'
import type { Session } from '../session/session.ts'
import type { ShopCountry } from '../loyalty/country.ts'
import type { Settings } from '../settings/index.ts'
import type { Staff } from '../staff/staff.ts'
import { destinationName } from '../reports/csv-export.ts'
import type { SlipService } from '../slips/slip-service.ts'
import { ApiError } from './api-error.ts'
import { errorOfFailure } from './failures.ts'
import type { CustomerSelector, RegistrationBody } from './request-bodies.ts'
import type { CustomerBody, CustomersBody, RewardsBody, StatusBody } from './schemas.ts'

export interface LookUpsDependencies {
  readonly session: Pick<
    Session,
    'mode' | 'generation' | 'owner' | 'business' | 'offlineSince' | 'ask' | 'isNameRequired' | 'requireName'
  >
  readonly slips: Pick<Lazy<Result<Pick<SlipService, 'queries'>>>, 'get'>
  readonly catalogue: Pick<RewardCatalogue, 'open'>
  readonly staff: Pick<Staff, 'state'>
  readonly display: Pick<CustomerDisplay, 'isOpen'>
  readonly settings: Pick<Settings, 'values'>
  readonly shopRules: Pick<ShopRules, 'current'>
  readonly country: Pick<ShopCountry, 'code'>
  readonly recent: Pick<RecentCustomers, 'known'>
  /** called with each customer that was found */
  readonly onFound: (customer: Customer) => void
}

const NOT_A_PHONE: Failure = { kind: 'invalid-input', field: 'phone', fault: 'not-a-phone' }

/** Returns what programs get of a customer. */
const programCustomer = ({ id, name, balance }: Customer): CustomerBody['customer'] => ({ id, name, balance })

/** Every method throws an `ApiError`. */
export class LookUps {
  readonly #dependencies: LookUpsDependencies

  constructor(dependencies: LookUpsDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Returns the customers with exactly this phone, e-mail or id; several when the service has it more than once.
   * @param within see `errorOfFailure`
   */
  async customers(key: CustomerSelector, within = ''): Promise<readonly Customer[]> {
    const { session, onFound } = this.#dependencies
    const { generation } = session
    const found = await session.ask((client) => this.#find(client, key))
    if (session.generation !== generation) throw new ApiError('session-changed')
    if (!found.ok) throw errorOfFailure(found.failure, within)
    for (const customer of found.value) onFound(customer)
    return found.value
  }

  /**
   * Returns the one customer with this key, the field `customer` of a request.
   * @param isOffline whether it is one whom the till saw lately: the service is not asked
   */
  async customer(key: CustomerSelector, isOffline = false): Promise<Customer> {
    const [customer, ...others] = isOffline
      ? await this.#remembered(key)
      : await this.customers(key, 'customer.')
    if (isOffline && customer === undefined) throw new ApiError('service-unreachable')
    if (customer === undefined) throw new ApiError('customer-unknown', { field: 'customer' })
    if (others.length > 0) throw new ApiError('customer-ambiguous', { field: 'customer' })
    return customer
  }

  async customersBody(key: CustomerSelector): Promise<CustomersBody> {
    const customers = await this.customers(key)
    return { mode: this.mode, customers: customers.map(programCustomer) }
  }

  /** Registers a customer: 201, or 200 with the one who has the phone already, by whatever name. */
  async register({
    name = '',
    phone
  }: RegistrationBody): Promise<{ readonly status: 200 | 201; readonly body: CustomerBody }> {
    const { session, country, onFound } = this.#dependencies
    const { mode } = this
    const { owner } = session
    const registered = await register(session, { name, phone, country: country.code })
    if (!registered.ok) throw errorOfFailure(registered.failure)
    const { customer, existed } = registered.value
    if (session.owner === owner) onFound(customer)
    return { status: existed ? 200 : 201, body: { mode, customer: programCustomer(customer) } }
  }

  /** @param customerId whose balance decides what is affordable; null: no customer */
  async rewards(customerId: string | null): Promise<RewardsBody> {
    const { session, catalogue } = this.#dependencies
    const { generation } = session
    // Without a business or training mode there are none, and a customer would not be found.
    const service = await session.ask(() => Promise.resolve(ok(null)))
    if (!service.ok) throw errorOfFailure(service.failure)
    const balance = customerId === null ? null : (await this.customer({ id: customerId })).balance
    const { rewards, complete } = await catalogue.open()
    if (session.generation !== generation) throw new ApiError('session-changed')
    return {
      mode: this.mode,
      rewards: rewards
        .filter(({ isEnable }) => isEnable !== false)
        .map(({ id, name, cost }) => ({
          id,
          name,
          points: cost,
          affordable: balance === null || cost === null ? null : cost <= balance
        })),
      complete
    }
  }

  /** Returns the name of a reward in the catalogue; empty if it is not known. */
  async rewardName(id: string): Promise<string> {
    const { rewards } = await this.#dependencies.catalogue.open()
    return rewards.find((reward) => reward.id === id)?.name ?? ''
  }

  async status(): Promise<StatusBody> {
    const { session, slips, staff, display, settings, shopRules } = this.#dependencies
    const { printer } = settings.values
    const opened = await slips.get()
    const attention = opened.ok ? opened.value.queries.attention() : opened
    return {
      mode: this.mode,
      business: session.business && { name: session.business.name },
      currency: shopRules.current?.currency ?? null,
      groups: shopRules.current?.groups.map(({ name }) => name) ?? [],
      levels: shopRules.current?.levels.map(({ name }) => name) ?? [],
      printer: { kind: printer.destination.kind, name: destinationName(printer.destination) },
      customerDisplay: display.isOpen(),
      locked: staff.state.locked,
      offlineSince: session.offlineSince,
      needsAttention: attention.ok ? attention.value : 0
    }
  }

  /** A till that is not set up is not in training mode. */
  get mode(): 'live' | 'training' {
    return this.#dependencies.session.mode === 'training' ? 'training' : 'live'
  }

  async #remembered(key: CustomerSelector): Promise<readonly Customer[]> {
    const { slips, recent, country } = this.#dependencies
    const opened = await slips.get()
    const known = recent.known(opened.ok ? opened.value.queries.served(MAX_SEEN) : [])
    if ('id' in key) return known.filter(({ id }) => id === key.id)
    if ('email' in key) return known.filter(({ email }) => isSameEmail(email ?? '', key.email.trim()))
    const e164 = parsePhone(key.phone, country.code)?.e164
    if (e164 === undefined) throw errorOfFailure(NOT_A_PHONE, 'customer.')
    return known.filter(({ phone }) => parsePhone(phone, country.code)?.e164 === e164)
  }

  async #find(client: LoyaltyClient, key: CustomerSelector): Promise<Result<readonly Customer[]>> {
    if ('id' in key) {
      const found = await client.customerBy('id', key.id)
      if (found.ok) return ok([found.value])
      // The interface document leaves open how an unknown customer is answered.
      const isUnknown = found.failure.kind === 'not-found' || found.failure.kind === 'rejected'
      return isUnknown ? ok([]) : found
    }
    const { country } = this.#dependencies
    const e164 = (phone: string): string | undefined => parsePhone(phone, country.code)?.e164
    if ('email' in key) {
      const email = key.email.trim()
      return this.#findExactly(client, 'email', email, (customer) => isSameEmail(customer.email ?? '', email))
    }
    const phone = e164(key.phone)
    if (phone === undefined) return err(NOT_A_PHONE)
    return this.#findExactly(client, 'phone', phone, (customer) => e164(customer.phone) === phone)
  }

  /** The look-up by key returns one customer; the search shows others with the same key. */
  async #findExactly(
    client: LoyaltyClient,
    type: 'phone' | 'email',
    value: string,
    hasKey: (customer: Customer) => boolean
  ): Promise<Result<readonly Customer[]>> {
    const [exact, searched] = await Promise.all([
      client.customerBy(type, value),
      searchByText(client, value, 1)
    ])
    const matching = mapResult(searched, (page) => ({ ...page, data: page.data.filter(hasKey) }))
    return mapResult(combineLookUps(exact, matching, 1), ({ data }) => data)
  }
}

const isSameEmail = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
