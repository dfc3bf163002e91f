/** The API's routes: customers, rewards, QR codes and the account (interface document, part 4). */
import { Hono } from 'hono'
import * as v from 'valibot'
import { parseE164 } from '../../contract/phone.ts'
import { MAX_POINTS } from '../../contract/points-calculation.ts'
import { utcOffset } from '../../contract/time-zones.ts'
import type { BusinessKey } from '../domain/businesses.ts'
import { normalizeCode } from '../domain/codes.ts'
import { EMAIL, type CustomerLookup, type StoredCustomer } from '../domain/customers.ts'
import { newIdentifier, type RandomBytes } from '../domain/identifiers.ts'
import { MAX_NAME_LENGTH, nameFault } from '../domain/names.ts'
import { BusinessStore } from '../store/businesses.ts'
import { CodeStore } from '../store/codes.ts'
import { CodeIssuer } from '../store/code-issuer.ts'
import { addCustomer, CustomerStore } from '../store/customers.ts'
import type { Database } from '../store/database.ts'
import { RewardStore } from '../store/rewards.ts'
import type { ApiCaller } from './authentication.ts'
import { respondCode, unused } from './code-body.ts'
import type { Links } from './public.ts'
import { pageBody, parsePageRequest, readJson, rowsForPage, type PageRequest } from './requests.ts'
import { HttpError, respondJson } from './responses.ts'

/** What authentication adds to the context of a request. */
export interface ApiEnvironment {
  Variables: { caller: ApiCaller }
}

export interface ApiDependencies {
  readonly database: Database
  readonly links: Links
  /** more names of extensions */
  readonly extensions: readonly string[]
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

/** Characters of a search. The interface document specifies no limit. */
const MAX_SEARCH_LENGTH = 500

/** Returns a phone with its plus sign (interface document, 4.3) in E.164; empty for any other text. */
const internationalPhone = (text: string): string =>
  text.normalize('NFKC').trim().startsWith('+') ? (parseE164(text, '')?.e164 ?? '') : ''

/** The body of a new customer. Issues are message keys; see `readJson`. */
const newCustomerSchema = v.object(
  {
    // A customer can be registered by the phone alone, as one who collects is.
    name: v.optional(
      v.pipe(
        v.string('name-missing'),
        v.trim(),
        v.check(
          (name) => name === '' || nameFault(name) === null,
          ({ input }) => nameFault(input) ?? 'name-malformed'
        )
      ),
      ''
    ),
    phone: v.pipe(
      v.string('phone-missing'),
      v.nonEmpty('phone-missing'),
      v.transform(internationalPhone),
      v.nonEmpty('phone-malformed')
    ),
    email: v.optional(
      v.nullable(v.pipe(v.string('email-malformed'), v.trim(), v.regex(EMAIL, 'email-malformed'))),
      null
    )
  },
  // valibot reports a missing property as an issue of the object.
  (issue) => (issue.path?.[0]?.key === 'phone' ? 'phone-missing' : 'body-not-object')
)

const parseLookup = (type: string | undefined): CustomerLookup => {
  if (type === undefined) return 'id'
  if (type === 'id' || type === 'phone' || type === 'email') return type
  throw new HttpError(400, 'type-unknown')
}

/** List, search, create and read customers (interface document, 4.1 to 4.4). */
const addCustomerRoutes = (routes: ApiRoutes, { database, links, now, random }: ApiDependencies): void => {
  const customers = new CustomerStore(database)
  const withAvatar = (customer: StoredCustomer) => ({ ...customer, avatar: links.avatar(customer.id) })
  /** By a phone as it is given, as the till sends it, or else as it is read: to read one takes longer than to find one. */
  const findByPhone = async (
    business: BusinessKey,
    text: string,
    country: string
  ): Promise<StoredCustomer | null> => {
    const given = text.startsWith('+') ? await customers.find(business, 'phone', text) : null
    return given ?? customers.find(business, 'phone', parseE164(text, country)?.e164 ?? text)
  }
  const customerPage = (page: PageRequest, rows: readonly StoredCustomer[]) => {
    const body = pageBody(page, rows.map(withAvatar))
    return { ...body, noCustomers: body.data.length }
  }

  routes.get('/customers', async (c) => {
    const page = parsePageRequest((name) => c.req.query(name))
    const rows = await customers.list(c.get('caller').business, rowsForPage(page))
    return respondJson(c, customerPage(page, rows))
  })

  routes.get('/customers/', async (c) => {
    const page = parsePageRequest((name) => c.req.query(name))
    const text = c.req.query('name') ?? ''
    if (text.length > MAX_SEARCH_LENGTH) {
      throw new HttpError(400, 'search-too-long', { max: MAX_SEARCH_LENGTH })
    }
    const rows = await customers.search(c.get('caller').business, text, rowsForPage(page))
    return respondJson(c, customerPage(page, rows))
  })

  routes.post('/customers', async (c) => {
    const { name, phone, email } = await readJson(c.req.raw, newCustomerSchema, { max: MAX_NAME_LENGTH })
    const id = newIdentifier('cus', random)
    const identity = { id, name, phone, email }
    const added = await addCustomer(database, c.get('caller').business, identity, now().toISOString())
    if (!added) throw new HttpError(406, 'customer-exists')
    return respondJson(c, { ...identity, balance: 0, lifetimePoints: 0 })
  })

  routes.get('/customers/:id', async (c) => {
    const lookup = parseLookup(c.req.query('type'))
    const { business, country } = c.get('caller')
    const text = c.req.param('id')
    const customer =
      lookup === 'phone'
        ? await findByPhone(business, text, country)
        : await customers.find(business, lookup, lookup === 'email' ? text.trim() : text)
    if (customer === null) throw new HttpError(404, 'customer-unknown')
    return respondJson(c, withAvatar(customer))
  })
}

/** List and read rewards (interface document, 4.5 and 4.6). */
const addRewardRoutes = (routes: ApiRoutes, { database }: ApiDependencies): void => {
  const rewards = new RewardStore(database)
  routes.get('/rewards', async (c) => {
    const page = parsePageRequest((name) => c.req.query(name))
    const body = pageBody(page, await rewards.list(c.get('caller').business, rowsForPage(page)))
    return respondJson(c, { ...body, noRewards: body.data.length })
  })

  routes.get('/rewards/:id', async (c) => {
    const reward = await rewards.find(c.get('caller').business, c.req.param('id'))
    if (reward === null) throw new HttpError(404, 'reward-unknown')
    return respondJson(c, reward)
  })
}

/** The interface document does not name the parameter that requests an image. */
const IMAGE_PARAMETER = 'image'

/** Any number: the route decides which numbers are refused with which status. */
const newPointsSchema = v.object({ points: v.number('points-not-whole') }, (issue) =>
  issue.path?.[0]?.key === 'points' ? 'points-not-whole' : 'body-not-object'
)

/** Create and read QR codes (interface document, 4.8 and 4.9). */
const addCodeRoutes = (routes: ApiRoutes, dependencies: ApiDependencies): void => {
  const { database, links, now } = dependencies
  const codes = new CodeStore(database)
  const issued = new CodeIssuer(dependencies)

  routes.post('/qr', async (c) => {
    const { points } = await readJson(c.req.raw, newPointsSchema)
    if (points > MAX_POINTS) throw new HttpError(406, 'points-too-many', { max: MAX_POINTS })
    if (!Number.isInteger(points) || points < 1) throw new HttpError(400, 'points-not-whole')
    const { business, till, codeValidityDays } = c.get('caller')
    const image = c.req.query(IMAGE_PARAMETER) === '1'
    const code = await issued.issue(business, { points, image, till, codeValidityDays })
    return respondCode(c, unused(code), { links, now: now() })
  })

  routes.get('/qr/:code', async (c) => {
    const stored = await codes.find(c.get('caller').business, normalizeCode(c.req.param('code')))
    if (stored === null) throw new HttpError(404, 'code-unknown')
    return respondCode(c, stored, { links, now: now() })
  })
}

/** What the service offers beside the interface document: see `extension.ts`. */
const EXTENSIONS = ['redemptions/1', 'collections/1', 'codes/1', 'credits/1', 'returns/1']

/** What a service offers tills beside that. */
export interface TillExtension {
  /** with their versions, as the account lists them */
  readonly names: readonly string[]
  /** for requests that are authenticated */
  readonly routes: Hono<ApiEnvironment>
}

/** The header with the shop's time (RFC 9557): docs/service-extension.md. */
const LOCAL_TIME = 'local-time'

/** Returns the time in a shop as its service knows the zone: `2026-11-28T16:14:05+02:00[Europe/Athens]`. */
const localTime = (moment: Date, timeZone: string): string => {
  // The Swedish format is that of ISO 8601.
  const options = { timeZone, dateStyle: 'short', timeStyle: 'medium' } as const
  const time = new Intl.DateTimeFormat('sv-SE', options).format(moment).replace(' ', 'T')
  return `${time}${utcOffset(timeZone, moment)}[${timeZone}]`
}

/** Reads the business profile (interface document, 4.7). */
const addAccountRoute = (routes: ApiRoutes, { database, links, extensions, now }: ApiDependencies): void => {
  const businesses = new BusinessStore(database)

  routes.get('/account', async (c) => {
    const { id, name, timeZone, currentPlan, currentPlanInterval, address, customers, logo } =
      await businesses.get(c.get('caller').business)
    const profile = {
      id,
      name,
      logo: links.logo(logo),
      timeZone,
      currentPlan,
      currentPlanInterval,
      currentCustomers: customers,
      getStartedLink: links.join(id),
      address,
      extensions: [...EXTENSIONS, ...extensions]
    }
    const isAsked = c.req.header('prefer') === LOCAL_TIME
    return respondJson(c, profile, isAsked ? { [LOCAL_TIME]: localTime(now(), timeZone) } : {})
  })
}
