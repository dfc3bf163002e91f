/**
 * What a shop's own service alone offers tills, beside `extension.ts`: the phones of customers, codes without a connection, and
 * the rules that its owner sets.
 */
import { Hono } from 'hono'
import * as v from 'valibot'
import { parseCustomerCode } from '../../contract/customer-search.ts'
import { Refusal } from '../domain/refusal.ts'
import { AttemptStore, type AttemptLimit } from '../store/attempts.ts'
import { CustomerCodeStore } from '../store/customer-codes.ts'
import { CustomerStore } from '../store/customers.ts'
import { DeviceStore, type DeviceDependencies } from '../store/devices.ts'
import { RulesStore } from '../store/rules.ts'
import { StandingStore } from '../store/standing.ts'
import { identifier } from './keyed-requests.ts'
import { createOfflineCodeRoutes } from './offline-codes.ts'
import { createLinks } from './public.ts'
import { readJson } from './requests.ts'
import { HttpError, respondJson } from './responses.ts'
import type { ApiEnvironment, TillExtension } from './routes.ts'

/** The body that uses up a customer code: what a scanner read. */
export const customerCodeSchema = v.object(
  { code: v.pipe(v.string('body-malformed'), v.maxLength(500, 'body-malformed')) },
  'body-malformed'
)

/** The body that links the device that shows `digits` to a customer. */
export const linkSchema = v.object(
  { customer: identifier, digits: v.pipe(v.string('body-malformed'), v.maxLength(100, 'body-malformed')) },
  'body-malformed'
)

/** Digits that a till may try: there are a million, and a device shows its own for ten minutes. */
const DIGITS_OF_TILL: AttemptLimit = { count: 20, minutes: 10 }

export interface DeviceExtensionDependencies extends DeviceDependencies {
  /** origin of the links in responses */
  readonly publicUrl: string
}

/** Creates what is served below `EXTENSION_PREFIX` for requests that are authenticated. */
export const createDeviceExtension = (dependencies: DeviceExtensionDependencies): TillExtension => {
  const { database, now, publicUrl } = dependencies
  const links = createLinks(publicUrl)
  const customers = new CustomerStore(database)
  const codes = new CustomerCodeStore(dependencies)
  const devices = new DeviceStore(dependencies)
  const attempts = new AttemptStore(database, now)
  const routes = new Hono<ApiEnvironment>()

  routes.post('/customer-codes', async (c) => {
    const { code } = await readJson(c.req.raw, customerCodeSchema)
    const { business } = c.get('caller')
    const secret = parseCustomerCode(code)
    const used = secret === null ? ({ fault: 'unknown' } as const) : await codes.use(business, secret)
    if ('fault' in used) {
      throw used.fault === 'unknown'
        ? new HttpError(404, 'customer-code-unknown')
        : new HttpError(409, `customer-code-${used.fault}`)
    }
    const customer = await customers.find(business, 'id', used.customer)
    if (customer === null) throw new HttpError(404, 'customer-code-unknown')
    return respondJson(c, { ...customer, avatar: links.avatar(customer.id) })
  })

  routes.post('/devices', async (c) => {
    const { customer, digits } = await readJson(c.req.raw, linkSchema)
    const { business, till } = c.get('caller')
    if (!(await attempts.isAllowed(['digits', till], DIGITS_OF_TILL))) {
      const { minutes } = DIGITS_OF_TILL
      throw new HttpError(429, 'attempts-too-many', { minutes }, { 'Retry-After': String(minutes * 60) })
    }
    try {
      const device = await devices.link(business, customer, digits)
      return respondJson(c, { device, customer })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      throw new HttpError(404, error.reason === 'link-unknown' ? 'digits-unknown' : 'customer-unknown')
    }
  })

  routes.route('/', createOfflineCodeRoutes(dependencies))

  const rules = new RulesStore(database)
  routes.get('/rules', async (c) => respondJson(c, await rules.current(c.get('caller').business)))
  const standings = new StandingStore(database, now)
  routes.get('/customers/:id/standing', async (c) => {
    const standing = await standings.find(c.get('caller').business, c.req.param('id'))
    if (standing === null) throw new HttpError(404, 'customer-unknown')
    return respondJson(c, standing)
  })

  return { names: ['customer-codes/1', 'devices/1', 'offline-codes/1', 'rules/1'], routes }
}
