/** What the routes share. */
import type { Hono } from 'hono'
import * as v from 'valibot'
import { MAXIMUM_POINTS } from '../../contract/failure.ts'
import { pageBody, pageRequestOf, readJson, rowsToRead, type PageRequest } from '../requests.ts'
import { answer, Refusal } from '../responses.ts'
import { profileOf } from '../seed/seed.ts'
import {
  newCode,
  newIdentifier,
  type BusinessNumber,
  type CodeStore,
  type CustomerKey,
  type CustomerStore,
  type RandomBytes,
  type RewardStore,
  type StoredCode,
  type StoredCustomer
} from '../store.ts'
import type { Links } from './public.ts'

/** The parts that routes work with. */
export interface Parts {
  readonly customers: CustomerStore
  readonly rewards: RewardStore
  readonly codes: CodeStore
  readonly links: Links
  readonly now: () => Date
  readonly random: RandomBytes
}

/** What is known of a request before its route runs. */
export interface RequestVariables {
  business: BusinessNumber
}

export type App = Hono<{ Variables: RequestVariables }>

/* from customers.ts: Customers: list, search, add, by id (interface document, 4.1 to 4.4). */

/** Characters that a name may have. The document shows no limit. */
const longestName = 200
/** Characters that a search may have. The document shows no limit. */
const longestSearch = 500

/** Spaces and marks that people write inside a phone number; the number is kept without them. */
const phonePunctuation = /[\s.\-\u2010-\u2015]/g
/** E.164: a plus sign, a country code that never starts with 0, at most 15 digits in all. */
const internationalPhone = /^\+[1-9]\d{6,14}$/

const barePhone = (text: string): string => text.normalize('NFKC').replaceAll(phonePunctuation, '')

/** Issues are message keys; see `readJson`. */
const newCustomer = v.object(
  {
    name: v.pipe(
      v.string('name-missing'),
      v.trim(),
      v.nonEmpty('name-missing'),
      v.check((name) => Array.from(name).length <= longestName, 'name-too-long'),
      v.check((name) => !/[\p{Cc}\p{Cs}]/u.test(name), 'name-malformed')
    ),
    phone: v.pipe(
      v.string('phone-missing'),
      v.nonEmpty('phone-missing'),
      v.transform(barePhone),
      v.regex(internationalPhone, 'phone-malformed')
    ),
    email: v.optional(
      v.nullable(
        v.pipe(
          v.string('email-malformed'),
          v.trim(),
          v.maxLength(254, 'email-malformed'),
          v.regex(/^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u, 'email-malformed')
        )
      ),
      null
    )
  },
  // An absent field is an issue of the object and not of the field.
  (issue) =>
    issue.path?.[0]?.key === 'phone'
      ? 'phone-missing'
      : issue.path?.[0]?.key === 'name'
        ? 'name-missing'
        : 'body-not-object'
)

const keyOf = (type: string | undefined): CustomerKey => {
  if (type === undefined) return 'id'
  if (type === 'id' || type === 'phone' || type === 'email') return type
  throw new Refusal(400, 'type-unknown')
}

const valueFor = { id: (text: string) => text, phone: barePhone, email: (text: string) => text.trim() }

/** Adds the routes to `app`. */
export const customerRoutes = (app: App, { customers, links, random }: Parts): void => {
  const withAvatar = (customer: StoredCustomer) => ({ ...customer, avatar: links.avatar(customer.id) })
  const customerPage = (page: PageRequest, rows: readonly StoredCustomer[]) => {
    const body = pageBody(page, rows.map(withAvatar))
    return { ...body, noCustomers: body.data.length }
  }

  app.get('/customers', (c) => {
    const page = pageRequestOf((name) => c.req.query(name))
    const rows = customers.list(c.get('business'), rowsToRead(page))
    return answer(c, customerPage(page, rows))
  })

  app.get('/customers/', (c) => {
    const page = pageRequestOf((name) => c.req.query(name))
    const text = c.req.query('name') ?? ''
    if (text.length > longestSearch) throw new Refusal(400, 'search-too-long', { most: longestSearch })
    const rows = customers.search(c.get('business'), text, rowsToRead(page))
    return answer(c, customerPage(page, rows))
  })

  app.post('/customers', async (c) => {
    const { name, phone, email } = await readJson(c.req.raw, newCustomer, { most: longestName })
    const id = newIdentifier('cus', random)
    const customer: StoredCustomer = { id, name, phone, email, balance: 0, lifetimePoints: 0 }
    if (!customers.add(c.get('business'), customer)) throw new Refusal(406, 'customer-exists')
    return answer(c, customer)
  })

  app.get('/customers/:id', (c) => {
    const key = keyOf(c.req.query('type'))
    const customer = customers.find(c.get('business'), key, valueFor[key](c.req.param('id')))
    if (customer === null) throw new Refusal(404, 'customer-unknown')
    return answer(c, withAvatar(customer))
  })
}

/* from rewards.ts: Rewards: list and by id (interface document, 4.5 and 4.6). */

/** Adds the routes to `app`. */
export const rewardRoutes = (app: App, { rewards }: Parts): void => {
  app.get('/rewards', (c) => {
    const page = pageRequestOf((name) => c.req.query(name))
    const body = pageBody(page, rewards.list(c.get('business'), rowsToRead(page)))
    return answer(c, { ...body, noRewards: body.data.length })
  })

  app.get('/rewards/:id', (c) => {
    const reward = rewards.find(c.get('business'), c.req.param('id'))
    if (reward === null) throw new Refusal(404, 'reward-unknown')
    return answer(c, reward)
  })
}

/* from codes.ts: QR codes that carry points: create and read (interface document, 4.8 and 4.9). */

/** The document does not show what the image parameter is called; this service calls it so. */
const imageParameter = 'image'

/** Codes to try before giving up. */
const attempts = 5

/** A number: which numbers are refused with which status is the route's to say. */
const newPoints = v.object({ points: v.number('points-not-whole') }, (issue) =>
  issue.path?.[0]?.key === 'points' ? 'points-not-whole' : 'body-not-object'
)

/** Adds the routes to `app`. */
export const codeRoutes = (app: App, { codes, links, now, random }: Parts): void => {
  /** The document's QR (part 2). `usedDate` and `qrImageURL` are empty texts while there is none. */
  const body = (stored: StoredCode) => ({
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
    code: stored.code,
    rewardPoints: stored.points,
    status: stored.usedAt === null ? 'active' : 'used',
    usedDate: stored.usedAt ?? '',
    qrURL: links.code(stored.code),
    qrImageURL: stored.image ? links.codeImage(stored.code) : ''
  })

  /** Adds a code that the business does not have yet: equal ones of 60 random bits are rare, and not impossible. */
  const add = (business: BusinessNumber, rest: Omit<StoredCode, 'code'>): StoredCode => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const stored = { ...rest, code: newCode(random) }
      if (codes.add(business, stored)) return stored
    }
    throw new Error(`the same codes came up ${attempts} times: the source of random bytes is broken`)
  }

  app.post('/qr', async (c) => {
    const { points } = await readJson(c.req.raw, newPoints)
    if (points > MAXIMUM_POINTS) throw new Refusal(406, 'points-too-many', { most: MAXIMUM_POINTS })
    if (!Number.isInteger(points) || points < 1) throw new Refusal(400, 'points-not-whole')
    const at = now().toISOString()
    const image = c.req.query(imageParameter) === '1'
    return answer(
      c,
      body(add(c.get('business'), { points, image, createdAt: at, updatedAt: at, usedAt: null }))
    )
  })

  app.get('/qr/:code', (c) => {
    // Codes are printed in capitals; who types one need not.
    const stored = codes.find(c.get('business'), c.req.param('code').trim().toUpperCase())
    if (stored === null) throw new Refusal(404, 'code-unknown')
    return answer(c, body(stored))
  })
}

/* from account.ts: The business profile (interface document, 4.7). */

/** Adds the route to `app`. */
export const accountRoutes = (app: App, { customers, links }: Parts): void => {
  app.get('/account', (c) => {
    const { id, name, timeZone, currentPlan, currentPlanInterval, address } = profileOf(c.get('business'))
    return answer(c, {
      id,
      name,
      logo: links.logo,
      timeZone,
      currentPlan,
      currentPlanInterval,
      currentCustomers: customers.count(c.get('business')),
      getStartedLink: links.join,
      address
    })
  })
}
