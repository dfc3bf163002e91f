/** The API's routes: customers, rewards, QR codes and the account (interface document, part 4). */
import { Hono } from 'hono'
import * as v from 'valibot'
import { MAX_POINTS } from '../../contract/points-calculation.ts'
import { pageBody, parsePageRequest, readJson, rowsForPage, type PageRequest } from '../requests.ts'
import { HttpError, respondJson } from '../responses.ts'
import { profileOf } from '../seed/seed.ts'
import {
  newCode,
  newIdentifier,
  type BusinessId,
  type CodeStore,
  type CustomerKey,
  type CustomerStore,
  type RandomBytes,
  type RewardStore,
  type StoredCode,
  type StoredCustomer
} from '../store.ts'
import type { Links } from './public.ts'

/** What authentication adds to the context of a request. */
export interface ApiEnvironment {
  Variables: { business: BusinessId }
}

export interface ApiDependencies {
  readonly customers: CustomerStore
  readonly rewards: RewardStore
  readonly codes: CodeStore
  readonly links: Links
  readonly now: () => Date
  readonly random: RandomBytes
}

type ApiRoutes = Hono<ApiEnvironment>

/** Creates the routes below the API's prefix, for requests that are authenticated. */
export const createApiRoutes = (dependencies: ApiDependencies): ApiRoutes => {
  const routes: ApiRoutes = new Hono<ApiEnvironment>()
  addCustomerRoutes(routes, dependencies)
  addRewardRoutes(routes, dependencies)
  addCodeRoutes(routes, dependencies)
  addAccountRoute(routes, dependencies)
  return routes
}

/** Characters of a name. The interface document specifies no limit. */
const MAX_NAME_LENGTH = 200
/** Characters of a search. The interface document specifies no limit. */
const MAX_SEARCH_LENGTH = 500

/** Spaces and punctuation that are written inside phone numbers. They are removed before a number is stored. */
const PHONE_PUNCTUATION = /[\s.\-\u2010-\u2015]/g
/** E.164: a plus sign, a country code that does not start with 0, at most 15 digits in total. */
const E164_PHONE = /^\+[1-9]\d{6,14}$/

const stripPhone = (text: string): string => text.normalize('NFKC').replaceAll(PHONE_PUNCTUATION, '')

/** The body of a new customer. Issues are message keys; see `readJson`. */
const newCustomerSchema = v.object(
  {
    name: v.pipe(
      v.string('name-missing'),
      v.trim(),
      v.nonEmpty('name-missing'),
      v.check((name) => Array.from(name).length <= MAX_NAME_LENGTH, 'name-too-long'),
      v.check((name) => !/[\p{Cc}\p{Cs}]/u.test(name), 'name-malformed')
    ),
    phone: v.pipe(
      v.string('phone-missing'),
      v.nonEmpty('phone-missing'),
      v.transform(stripPhone),
      v.regex(E164_PHONE, 'phone-malformed')
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
  // valibot reports a missing property as an issue of the object.
  (issue) =>
    issue.path?.[0]?.key === 'phone'
      ? 'phone-missing'
      : issue.path?.[0]?.key === 'name'
        ? 'name-missing'
        : 'body-not-object'
)

const parseCustomerKey = (type: string | undefined): CustomerKey => {
  if (type === undefined) return 'id'
  if (type === 'id' || type === 'phone' || type === 'email') return type
  throw new HttpError(400, 'type-unknown')
}

/** Converts a path parameter to the form in which the value is stored. */
const storedForm = { id: (text: string) => text, phone: stripPhone, email: (text: string) => text.trim() }

/** List, search, create and read customers (interface document, 4.1 to 4.4). */
const addCustomerRoutes = (routes: ApiRoutes, { customers, links, random }: ApiDependencies): void => {
  const withAvatar = (customer: StoredCustomer) => ({ ...customer, avatar: links.avatar(customer.id) })
  const customerPage = (page: PageRequest, rows: readonly StoredCustomer[]) => {
    const body = pageBody(page, rows.map(withAvatar))
    return { ...body, noCustomers: body.data.length }
  }

  routes.get('/customers', (c) => {
    const page = parsePageRequest((name) => c.req.query(name))
    const rows = customers.list(c.get('business'), rowsForPage(page))
    return respondJson(c, customerPage(page, rows))
  })

  routes.get('/customers/', (c) => {
    const page = parsePageRequest((name) => c.req.query(name))
    const text = c.req.query('name') ?? ''
    if (text.length > MAX_SEARCH_LENGTH) {
      throw new HttpError(400, 'search-too-long', { max: MAX_SEARCH_LENGTH })
    }
    const rows = customers.search(c.get('business'), text, rowsForPage(page))
    return respondJson(c, customerPage(page, rows))
  })

  routes.post('/customers', async (c) => {
    const { name, phone, email } = await readJson(c.req.raw, newCustomerSchema, { max: MAX_NAME_LENGTH })
    const id = newIdentifier('cus', random)
    const customer: StoredCustomer = { id, name, phone, email, balance: 0, lifetimePoints: 0 }
    if (!customers.add(c.get('business'), customer)) throw new HttpError(406, 'customer-exists')
    return respondJson(c, customer)
  })

  routes.get('/customers/:id', (c) => {
    const key = parseCustomerKey(c.req.query('type'))
    const customer = customers.find(c.get('business'), key, storedForm[key](c.req.param('id')))
    if (customer === null) throw new HttpError(404, 'customer-unknown')
    return respondJson(c, withAvatar(customer))
  })
}

/** List and read rewards (interface document, 4.5 and 4.6). */
const addRewardRoutes = (routes: ApiRoutes, { rewards }: ApiDependencies): void => {
  routes.get('/rewards', (c) => {
    const page = parsePageRequest((name) => c.req.query(name))
    const body = pageBody(page, rewards.list(c.get('business'), rowsForPage(page)))
    return respondJson(c, { ...body, noRewards: body.data.length })
  })

  routes.get('/rewards/:id', (c) => {
    const reward = rewards.find(c.get('business'), c.req.param('id'))
    if (reward === null) throw new HttpError(404, 'reward-unknown')
    return respondJson(c, reward)
  })
}

/** The interface document does not name the parameter that requests an image. */
const IMAGE_PARAMETER = 'image'

const MAX_CODE_ATTEMPTS = 5

/** Any number: the route decides which numbers are refused with which status. */
const newPointsSchema = v.object({ points: v.number('points-not-whole') }, (issue) =>
  issue.path?.[0]?.key === 'points' ? 'points-not-whole' : 'body-not-object'
)

/** Create and read QR codes (interface document, 4.8 and 4.9). */
const addCodeRoutes = (routes: ApiRoutes, { codes, links, now, random }: ApiDependencies): void => {
  /** The QR object (interface document, part 2). `usedDate` and `qrImageURL` are empty strings without a value. */
  const codeBody = (stored: StoredCode) => ({
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
    code: stored.code,
    rewardPoints: stored.points,
    status: stored.usedAt === null ? 'active' : 'used',
    usedDate: stored.usedAt ?? '',
    qrURL: links.code(stored.code),
    qrImageURL: stored.image ? links.codeImage(stored.code) : ''
  })

  /** Stores a code that the business does not have yet. Two equal codes of 60 random bits are rare but possible. */
  const addCode = (business: BusinessId, rest: Omit<StoredCode, 'code'>): StoredCode => {
    for (let attempt = 0; attempt < MAX_CODE_ATTEMPTS; attempt += 1) {
      const stored = { ...rest, code: newCode(random) }
      if (codes.add(business, stored)) return stored
    }
    throw new Error(`${MAX_CODE_ATTEMPTS} generated codes existed already: the random source is broken`)
  }

  routes.post('/qr', async (c) => {
    const { points } = await readJson(c.req.raw, newPointsSchema)
    if (points > MAX_POINTS) throw new HttpError(406, 'points-too-many', { max: MAX_POINTS })
    if (!Number.isInteger(points) || points < 1) throw new HttpError(400, 'points-not-whole')
    const at = now().toISOString()
    const image = c.req.query(IMAGE_PARAMETER) === '1'
    const stored = addCode(c.get('business'), { points, image, createdAt: at, updatedAt: at, usedAt: null })
    return respondJson(c, codeBody(stored))
  })

  routes.get('/qr/:code', (c) => {
    // Codes are stored in capitals and accepted in any case.
    const stored = codes.find(c.get('business'), c.req.param('code').trim().toUpperCase())
    if (stored === null) throw new HttpError(404, 'code-unknown')
    return respondJson(c, codeBody(stored))
  })
}

/** Reads the business profile (interface document, 4.7). */
const addAccountRoute = (routes: ApiRoutes, { customers, links }: ApiDependencies): void => {
  routes.get('/account', (c) => {
    const { id, name, timeZone, currentPlan, currentPlanInterval, address } = profileOf(c.get('business'))
    return respondJson(c, {
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
