/** One business in a store, and what its staff and customers do there, for tests of the service. */
import { FIRST_RULES, type EarningRules } from '../../electron/contract/earning-rules.ts'
import { OFFLINE_LIMITS, type BusinessKey } from '../../electron/service/domain/businesses.ts'
import type { NamedCashier } from '../../electron/service/domain/cashiers.ts'
import { expiryOfCode } from '../../electron/service/domain/codes.ts'
import type { StoredCustomer } from '../../electron/service/domain/customers.ts'
import { newCode, newIdentifier, systemRandomBytes } from '../../electron/service/domain/identifiers.ts'
import { CodeIssuer } from '../../electron/service/store/code-issuer.ts'
import { BusinessStore } from '../../electron/service/store/businesses.ts'
import { CodeStore } from '../../electron/service/store/codes.ts'
import { CollectStore } from '../../electron/service/store/collects.ts'
import { addCustomer, CustomerStore } from '../../electron/service/store/customers.ts'
import { DailyRun } from '../../electron/service/store/daily-run.ts'
import type { Database } from '../../electron/service/store/database.ts'
import { Identities } from '../../electron/service/store/identities.ts'
import { Ledger } from '../../electron/service/store/ledger.ts'
import { ReturnStore, type ReturnRequest } from '../../electron/service/store/returns.ts'
import { RewardStore } from '../../electron/service/store/rewards.ts'
import { RulesStore } from '../../electron/service/store/rules.ts'

const PROFILE = {
  name: 'Corner Café',
  timeZone: 'Europe/Athens',
  currentPlan: '',
  currentPlanInterval: '',
  address: { street: '', city: '', state: '', country: '', zipCode: '' },
  codeValidityDays: 90,
  collectPauseMinutes: 0,
  reversalMinutes: 60,
  creditLimit: null,
  creditApprovalLimit: null,
  offlineLimits: OFFLINE_LIMITS
}

export class Shop {
  readonly database: Database
  readonly business: BusinessKey
  readonly ledger: Ledger
  readonly collects: CollectStore
  readonly identities: Identities
  /** the shop's clock, which tests set */
  now = new Date('2026-11-21T10:00:00.000Z')
  /** the IP address of who asks, which tests set */
  address = '203.0.113.7'
  /** who changes points, which tests set */
  by = 'test'

  constructor(database: Database, business: BusinessKey) {
    this.database = database
    this.business = business
    const dependencies = { database, now: () => this.now, random: systemRandomBytes }
    this.ledger = new Ledger(dependencies)
    this.collects = new CollectStore(dependencies)
    this.identities = new Identities(database, () => this.now)
  }

  /** Adds a business to the database. */
  static async addTo(database: Database): Promise<Shop> {
    const id = newIdentifier('usr', systemRandomBytes)
    const business = { ...PROFILE, id, createdAt: '2026-11-01T08:00:00.000Z' }
    return new Shop(database, await new BusinessStore(database).add(business))
  }

  /** Registers a customer and returns the id. */
  async register(phone: string, name = `Customer ${phone}`): Promise<string> {
    const id = newIdentifier('cus', systemRandomBytes)
    const customer = { id, name, phone, email: `${id}@example.com` }
    const added = await addCustomer(this.database, this.business, customer, this.now.toISOString())
    if (!added) throw new Error(`${phone} is registered`)
    return id
  }

  /** Returns a customer, or null. */
  customer(id: string): Promise<StoredCustomer | null> {
    return new CustomerStore(this.database).find(this.business, 'id', id)
  }

  async balance(id: string): Promise<number | undefined> {
    return (await this.customer(id))?.balance
  }

  /** Issues a code that is valid for 90 days. */
  async issue(points: number): Promise<string> {
    const code = newCode(systemRandomBytes)
    const at = this.now.toISOString()
    const dates = { createdAt: at, updatedAt: at, expiresAt: expiryOfCode(this.now, 90) }
    await new CodeStore(this.database).add(this.business, { code, points, image: false, ...dates })
    return code
  }

  /** As a till does, with a key of its own. Returns the code. */
  async issueAt(till: string, points: number, cashier: NamedCashier | null, reference: string | null = null) {
    const { database, business } = this
    const idempotencyKey = `key of ${newCode(systemRandomBytes)}`
    const issued = await new CodeIssuer({
      database,
      now: () => this.now,
      random: systemRandomBytes
    }).issueOnce({
      ...{ business: { key: business }, by: `till:${till}`, till, idempotencyKey },
      ...{ points, codeValidityDays: 90, sale: { reference, cashier } }
    })
    return issued.code
  }

  /** Adds a reward and returns its id. */
  async offer(cost: number, index: number, isEnable = true): Promise<string> {
    const id = newIdentifier('rew', systemRandomBytes)
    const at = this.now.toISOString()
    const reward = { id, name: `Reward ${index}`, cost, index, isEnable, createdAt: at, updatedAt: at }
    await new RewardStore(this.database).add(this.business, reward)
    return id
  }

  /** Saves the first rules with these changes. */
  saveRules(rules: Partial<EarningRules>): Promise<void> {
    const change = { rules: { ...FIRST_RULES, ...rules }, at: this.now.toISOString(), by: this.by }
    return new RulesStore(this.database).save(this.business, {
      ...change,
      request: newCode(systemRandomBytes)
    })
  }

  /** Does what the day of the shop's clock needs. */
  runDaily(): Promise<void> {
    return new DailyRun({ database: this.database, now: () => this.now }).run()
  }

  collect(customer: string, code: string) {
    return this.collects.collect({ business: this.business, customer, code, by: this.by })
  }

  redeem(customer: string, reward: string) {
    return this.ledger.redeem({ business: this.business, customer, reward, by: this.by })
  }

  /** As a till does. */
  credit(
    customer: string,
    points: number,
    reference: string | null = null,
    cashier: NamedCashier | null = null
  ) {
    return this.ledger.credit(
      { business: this.business, customer, points, by: this.by, sale: { reference, cashier } },
      () => Promise.resolve()
    )
  }

  /** As a till does, with a key of its own. */
  giveBack(
    purchase: ReturnRequest['purchase'],
    part: ReturnRequest['part'],
    idempotencyKey: string,
    reason: string | null = null
  ) {
    const { database, business, by } = this
    const returns = new ReturnStore({ database, now: () => this.now, random: systemRandomBytes })
    const request = { business: { key: business }, by, idempotencyKey, purchase, part }
    return returns.take({ ...request, reason, cashier: null })
  }

  adjust(customer: string, points: number, reason = 'Goodwill', request?: string) {
    const sent = request === undefined ? {} : { request }
    return this.ledger.adjust({ business: this.business, customer, points, reason, by: this.by, ...sent })
  }

  reverse(customer: string, entry: string) {
    return this.ledger.reverse({ business: this.business, customer, entry, reason: null, by: this.by })
  }
}
