/** A shop's own service with the whole extension behind the faulty network, with access to its data. */
import { hash, randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { createServiceApp } from '../../electron/service/api/app.ts'
import { createDeviceExtension } from '../../electron/service/api/device-extension.ts'
import { hashToken, systemRandomBytes } from '../../electron/service/domain/identifiers.ts'
import { KNOWN_CUSTOMERS, LoyaltyPointsService } from '../../electron/service/index.ts'
import { listen, type ServiceServer } from '../../electron/service/server.ts'
import { CreditStore } from '../../electron/service/store/credits.ts'
import { CustomerCodeStore } from '../../electron/service/store/customer-codes.ts'
import type { Database } from '../../electron/service/store/database.ts'
import { DeviceStore } from '../../electron/service/store/devices.ts'
import { Ledger } from '../../electron/service/store/ledger.ts'
import { RedemptionStore } from '../../electron/service/store/redemptions.ts'
import { openSqlite } from '../../electron/service/store/sqlite.ts'
import { TillStore } from '../../electron/service/store/tills.ts'
import { ORIGIN } from '../unit/service/pages/visitor.ts'
import type { ExtensionArguments, ExtensionOperationName } from './operations.ts'

const TOKEN = 'demo'
const rewardRow = v.object({ id: v.string(), cost: v.number() })
const customerRow = v.object({ id: v.string() })
const countRow = v.object({ count: v.number() })

/** What is asked, and how often the service has done it. */
export interface PreparedRequest {
  readonly given: ExtensionArguments
  made(): Promise<number>
}

/** Of a shop that limits no credits and gives no welcome points. */
const UNLIMITED = { timeZone: 'UTC', creditLimit: null, creditApprovalLimit: null, welcomePoints: 0 }

export class ExtensionService {
  readonly #database: Database
  readonly #server: ServiceServer
  readonly #business: { readonly key: number; readonly reversalMinutes: number }
  readonly customerId: string
  readonly reward: v.InferOutput<typeof rewardRow>

  private constructor(
    database: Database,
    server: ServiceServer,
    found: Pick<ExtensionService, 'customerId' | 'reward'> & { readonly business: number }
  ) {
    this.#database = database
    this.#server = server
    this.#business = { key: found.business, reversalMinutes: 60 }
    this.customerId = found.customerId
    this.reward = found.reward
  }

  /** Its customer has points for every case. */
  static async open(): Promise<ExtensionService> {
    const database = await openSqlite(':memory:')
    const options = { publicUrl: ORIGIN, now: () => new Date(), random: systemRandomBytes }
    await LoyaltyPointsService.over(database, {
      ...options,
      tokens: [TOKEN],
      seed: { customers: 12, rewards: 5 }
    })
    const till = await new TillStore(database).find(hashToken(TOKEN))
    if (till === null) throw new Error('The sample data has no till')
    const { business } = till
    const [phone] = KNOWN_CUSTOMERS.map((known) => known.phone)
    const [customer] = await database.read('SELECT id FROM customers WHERE phone = $1', [phone ?? ''])
    const [reward] = await database.read('SELECT id, cost FROM rewards ORDER BY cost LIMIT 1')
    const customerId = v.parse(customerRow, customer).id
    const points = { business, customer: customerId, by: 'test', points: 1_000_000, reason: 'For the test' }
    await new Ledger({ database, ...options }).adjust(points)
    const app = createServiceApp({
      ...options,
      database,
      isSample: false,
      shopExtension: createDeviceExtension({ ...options, database }),
      isExpired: () => false,
      onInternalError: (error) => {
        throw error
      }
    })
    const server = await listen({
      port: 0,
      openService: () =>
        Promise.resolve({ fetch: (request) => app.fetch(request), close: () => database.close() })
    })
    return new ExtensionService(database, server, {
      business,
      customerId,
      reward: v.parse(rewardRow, reward)
    })
  }

  /** base URL of the API */
  get url(): string {
    return this.#server.url
  }

  /** Returns how often the service did what a key stands for. */
  done(key: string): Promise<number> {
    return this.#count('keyed_answers WHERE refusal IS NULL AND key = $1', this.#hashOf(key))
  }

  /** Makes what an operation needs, and resolves with a request that is sent for the first time. */
  async prepare(operation: ExtensionOperationName): Promise<PreparedRequest> {
    const key = randomUUID()
    const blank: ExtensionArguments = {
      customerId: this.customerId,
      rewardId: this.reward.id,
      cost: this.reward.cost,
      key,
      ...{ redemption: '', credit: '', customerCode: '', digits: '' }
    }
    switch (operation) {
      case 'redeem':
      case 'issueCode':
      case 'credit':
        return { given: blank, made: () => this.done(key) }
      case 'collections':
      case 'standing':
        return { given: blank, made: () => Promise.resolve(0) }
      case 'reverseRedemption': {
        const redemption = await this.#redeem()
        const made = (): Promise<number> => this.#count('entries WHERE reverses = $1', redemption)
        return { given: { ...blank, redemption }, made }
      }
      case 'reverseCredit': {
        const credit = await this.#credit()
        const made = (): Promise<number> => this.#count('entries WHERE reverses = $1', credit)
        return { given: { ...blank, credit }, made }
      }
      case 'takeBack':
        return { given: { ...blank, credit: await this.#credit() }, made: () => this.done(key) }
      case 'customerOfCode':
        return this.#prepareCode(blank)
      case 'linkDevice':
        return this.#prepareLink(blank)
    }
  }

  close(): Promise<void> {
    return this.#server.close()
  }

  get #dependencies() {
    return { database: this.#database, now: () => new Date(), random: systemRandomBytes }
  }

  #hashOf(key: string): string {
    return hash('sha256', JSON.stringify([this.#business.key, key]))
  }

  async #count(what: string, value: string): Promise<number> {
    const [row] = await this.#database.read(`SELECT count(*) AS count FROM ${what}`, [value])
    return v.parse(countRow, row).count
  }

  async #redeem(): Promise<string> {
    const { id } = await new RedemptionStore(this.#dependencies).redeem({
      business: this.#business,
      by: 'till:another',
      idempotencyKey: randomUUID(),
      customer: this.customerId,
      reward: this.reward.id,
      cost: this.reward.cost
    })
    return id
  }

  async #credit(): Promise<string> {
    const { id } = await new CreditStore(this.#dependencies).credit({
      business: { ...this.#business, ...UNLIMITED },
      ...{ by: 'till:another', till: 'another', idempotencyKey: randomUUID() },
      ...{ customer: this.customerId, points: 25, isApproved: false },
      sale: { reference: null, cashier: null }
    })
    return id
  }

  /** A phone that is not linked yet shows digits. */
  async #offerDigits() {
    const devices = new DeviceStore(this.#dependencies)
    const added = devices.create(this.#business.key)
    await devices.add(added)
    const device = { id: added.id, business: this.#business.key, customer: null }
    return { devices, device, digits: await devices.offerLink(device) }
  }

  async #prepareLink(blank: ExtensionArguments): Promise<PreparedRequest> {
    const { device, digits } = await this.#offerDigits()
    // The tries of a till are counted.
    await this.#database.write('DELETE FROM attempts')
    const made = (): Promise<number> =>
      this.#count('devices WHERE customer IS NOT NULL AND id = $1', device.id)
    return { given: { ...blank, digits }, made }
  }

  async #prepareCode(blank: ExtensionArguments): Promise<PreparedRequest> {
    const { devices, device, digits } = await this.#offerDigits()
    await devices.link(this.#business.key, this.customerId, digits)
    const secret = await new CustomerCodeStore(this.#dependencies).offer(device)
    const made = (): Promise<number> =>
      this.#count('customer_codes WHERE used_by IS NOT NULL AND device = $1', device.id)
    return { given: { ...blank, customerCode: `${ORIGIN}/c/${secret}` }, made }
  }
}
