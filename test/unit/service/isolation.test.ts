/** Two businesses of one service never see each other, over every route that the app has. */
import fc from 'fast-check'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { FIRST_RULES } from '../../../electron/contract/earning-rules.ts'
import { createServiceApp } from '../../../electron/service/api/app.ts'
import { createDeviceExtension } from '../../../electron/service/api/device-extension.ts'
import { createPairingRoutes } from '../../../electron/service/api/pairing.ts'
import { hashToken, systemRandomBytes } from '../../../electron/service/domain/identifiers.ts'
import { createPages } from '../../../electron/service/pages/index.ts'
import { DeviceStore } from '../../../electron/service/store/devices.ts'
import { RulesStore } from '../../../electron/service/store/rules.ts'
import { TillStore } from '../../../electron/service/store/tills.ts'
import { openShop, Shop } from './store/shop.ts'

const ORIGIN = 'https://points.example.com'

/** Numbers and names that occur nowhere else: each text of them in an answer is a leak. */
let counted = 0
const unique = (): number => 7_130_000 + (counted += 17)

/** A business with a till, a customer and a linked device, and all that belongs to it. */
class Side {
  readonly shop: Shop
  readonly token: string
  readonly id: string
  cookie = ''
  device = ''
  readonly customers: { readonly id: string; readonly phone: string; readonly email: string }[] = []
  readonly rewards: string[] = []
  readonly codes: string[] = []
  /** what only this business, its tills and its customers may read */
  readonly secrets: string[] = []

  private constructor(shop: Shop, id: string, token: string) {
    this.shop = shop
    this.id = id
    this.token = token
  }

  static async open(shop: Shop, name: string): Promise<Side> {
    const { database, business } = shop
    const [row] = await database.read('SELECT id FROM businesses WHERE business = $1', [business])
    const side = new Side(shop, (row as { id: string }).id, `token-of-${name}`)
    const till = { id: `till_${name}`, business, name, createdAt: shop.now.toISOString() }
    await new TillStore(database).add(till, hashToken(side.token))
    await side.register()
    const devices = new DeviceStore({ database, now: () => shop.now, random: systemRandomBytes })
    const added = devices.create(business)
    await devices.add(added)
    const digits = await devices.offerLink({ ...added, customer: null })
    await devices.link(business, side.customers[0]?.id ?? '', digits)
    side.cookie = `device-${side.id}=${added.cookie}`
    side.device = added.id
    side.secrets.push(added.id, till.id)
    await side.offer()
    await side.issue()
    await side.adjust()
    await side.setRules()
    return side
  }

  async register(): Promise<void> {
    const number = unique()
    const [phone, name] = [`+30690${number}`, `Person ${number}`]
    const id = await this.shop.register(phone, name)
    const email = `${id}@example.com`
    this.customers.push({ id, phone, email })
    this.secrets.push(id, String(number), email)
  }

  async adjust(): Promise<void> {
    const points = unique()
    const { entry, balance } = await this.shop.adjust(this.customers[0]?.id ?? '', points)
    for (const number of [points, balance]) this.secrets.push(String(number), number.toLocaleString('en'))
    this.secrets.push(entry.id)
  }

  async offer(): Promise<void> {
    const cost = unique()
    this.rewards.push(await this.shop.offer(cost, this.rewards.length + 1))
    this.secrets.push(String(cost), cost.toLocaleString('en'), this.rewards.at(-1) ?? '')
  }

  async issue(): Promise<void> {
    const points = unique()
    this.codes.push(await this.shop.issue(points))
    this.secrets.push(String(points), points.toLocaleString('en'), this.codes.at(-1) ?? '')
  }

  async setRules(): Promise<void> {
    const maximum = unique()
    const change = { request: 'one', at: this.shop.now.toISOString(), by: 'test' }
    const rules = { ...FIRST_RULES, maximum }
    await new RulesStore(this.shop.database).save(this.shop.business, { ...change, rules })
    this.secrets.push(String(maximum))
  }

  async collect(): Promise<void> {
    await this.issue()
    const { balance } = await this.shop.collect(this.customers[0]?.id ?? '', this.codes.at(-1) ?? '')
    this.secrets.push(String(balance), balance.toLocaleString('en'))
  }

  /** Values of a route's parameter that belong to this business. Throws for a parameter that this test does not know. */
  valuesOf(parameter: string): readonly string[] {
    switch (parameter) {
      case 'id':
        return [
          ...this.customers.flatMap(({ id, phone, email }) => [
            id,
            `${encodeURIComponent(phone)}?type=phone`,
            `${encodeURIComponent(email)}?type=email`
          ]),
          ...this.rewards
        ]
      case 'code':
        return this.codes
      case 'business':
        return [this.id]
      case 'file':
        return [`${this.codes[0] ?? ''}.png`]
      case 'name':
        return [`${'0'.repeat(32)}.png`]
      case 'letters':
        // They name nothing: the image has what is asked for.
        return ['AB']
      case 'number':
        return ['3']
      default:
        throw new Error(`the parameter :${parameter} is new: say here what it names`)
    }
  }
}

const openApp = async () => {
  const first = await openShop()
  const { database } = first
  const [own, other] = [await Side.open(first, 'own'), await Side.open(await Shop.addTo(database), 'other')]
  let asked = 0
  const shared = {
    database,
    publicUrl: ORIGIN,
    now: () => first.now,
    random: systemRandomBytes,
    // No limit of attempts is reached.
    addressOf: () => `203.0.113.${(asked += 1)}`,
    onCollected: () => undefined,
    onInternalError: (error: unknown) => {
      throw error
    }
  }
  const shopRoutes = new Hono()
  shopRoutes.route('/', createPages(shared))
  shopRoutes.route('/', createPairingRoutes({ ...shared, baseUrl: `${ORIGIN}/api` }))
  const app = createServiceApp({
    ...shared,
    isSample: false,
    shopRoutes,
    shopExtension: createDeviceExtension(shared),
    isExpired: () => false
  })
  return { app, own, other }
}

/** Paths of a route whose parameters belong to `side`. */
const pathsOf = (pattern: string, side: Side): readonly string[] => {
  const [, before = '', name, after = ''] = /^(.*?):(\w+)(?:\{.*\})?(.*)$/.exec(pattern) ?? []
  if (name !== undefined) return side.valuesOf(name).map((value) => before + value + after)
  return [
    pattern,
    `${pattern}?pageSize=100`,
    ...side.customers.map(({ phone }) => `${pattern}?name=${phone.slice(-7)}`)
  ]
}

const STEPS = ['register', 'adjust', 'offer', 'issue', 'collect'] as const

it('no answer to a till and a device of one business contains anything of the other', async () => {
  const step = fc.record({ isOwn: fc.boolean(), name: fc.constantFrom(...STEPS) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
      const { app, own, other } = await openApp()
      for (const { isOwn, name } of steps) await (isOwn ? own : other)[name]()
      let [read, keys] = ['', 0]
      const routes = app.routes.filter(({ method }) => method !== 'ALL')
      // What ends the link of the device comes last.
      const endsLink = ({ path }: { path: string }): number => (/(unlink|delete)$/.test(path) ? 1 : 0)
      for (const { method, path: pattern } of routes.toSorted((a, b) => endsLink(a) - endsLink(b))) {
        for (const side of [own, other]) {
          for (const path of pathsOf(pattern, side)) {
            const isApi = /^\/(?:api|ext)\/|^\/pair$/.test(path)
            const phone = other.customers[0]?.phone ?? ''
            const json = {
              ...{ name: 'New', phone: '+306940000000', points: 3, code: other.codes[0] ?? '' },
              ...{
                customer: other.customers[0]?.id ?? '',
                reward: other.rewards[0] ?? '',
                cost: 3,
                digits: '123456'
              }
            }
            const form = new URLSearchParams({ phone, name: 'New', device: other.device })
            const headers = {
              authorization: `Bearer ${own.token}`,
              cookie: own.cookie,
              'sec-fetch-site': 'same-origin',
              'idempotency-key': `key-of-${String((keys += 1))}`,
              ...(isApi ? { 'content-type': 'application/json' } : {})
            }
            const body = isApi ? JSON.stringify(json) : form
            const request = new Request(ORIGIN + path, {
              method,
              headers,
              ...(method === 'POST' ? { body } : {})
            })
            const response = await app.fetch(request)
            const answer = await response.text()
            expect(response.status, path).toBeLessThan(500)
            if (side === own) read += answer
            // A page of a code or a business is public: it shows no customer.
            const isPublic = side === other && /^\/(?:q|me|join)\//i.test(path)
            const people = other.customers.flatMap(({ id, email }) => [
              id,
              email,
              `Person ${phone.slice(-7)}`
            ])
            const asked = decodeURIComponent(path) + String(body)
            const leaks = (isPublic ? [...people, other.device] : [...other.secrets, other.id]).filter(
              // A balance, a sum of two numbers, can be the same in both.
              (secret) => answer.includes(secret) && !asked.includes(secret) && !own.secrets.includes(secret)
            )
            expect(leaks, `${method} ${path}`).toEqual([])
          }
        }
      }
      // The answers are not empty: each kind of what is private was read by its owner.
      for (const text of [
        `Person ${own.customers[0]?.phone.slice(-7) ?? ''}`,
        own.codes[0] ?? '',
        own.rewards[0] ?? ''
      ])
        expect(read).toContain(text)
      for (const { id } of other.customers) expect(await other.shop.customer(id)).not.toBeNull()
    }),
    { numRuns: 8 }
  )
})
