/** The training service as its callers reach it: in process, as the till does, and over HTTP, as tests do. */
import * as v from 'valibot'
import { errorBodySchema } from '../../../electron/contract/loyalty.ts'
import {
  createTrainingService,
  TRAINING_BASE_URL,
  TRAINING_PUBLIC_URL,
  type LoyaltyPointsServiceOptions
} from '../../../electron/service/index.ts'
import { serve } from '../../../electron/service/server.ts'

/** Tokens of the two businesses that every opened service has. */
export const TOKEN = 'first-shop'
export const OTHER_TOKEN = 'second-shop'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface Caller {
  readonly baseUrl: string
  /** Asks for a path below the base address as the first business; `headers` may say otherwise. */
  call(path: string, init?: RequestInit): Promise<Reply>
  close(): Promise<void>
}

type Options = Partial<Omit<LoyaltyPointsServiceOptions, 'publicUrl'>>

/** Faults must not hide: a fault of the service fails the test that meets it. */
const failOnFault = (fault: unknown): void => {
  throw new Error('the service had a fault of its own', { cause: fault })
}

const defaults = {
  file: ':memory:',
  tokens: [TOKEN, OTHER_TOKEN],
  seed: { customers: 30 },
  onFault: failOnFault
}

const callerOf = (
  baseUrl: string,
  answer: (request: Request) => Promise<Response>,
  close: () => Promise<void>
): Caller => ({
  baseUrl,
  close,
  call: async (path, init = {}) => {
    const headers = new Headers(init.headers)
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${TOKEN}`)
    const response = await answer(new Request(baseUrl + path, { ...init, headers }))
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
})

export const openInProcess = (options: Options = {}): Promise<Caller> => {
  const service = createTrainingService({ ...defaults, ...options, publicUrl: TRAINING_PUBLIC_URL })
  const close = (): Promise<void> => {
    service.close()
    return Promise.resolve()
  }
  return Promise.resolve(callerOf(TRAINING_BASE_URL, (request) => service.fetch(request), close))
}

export const openOverHttp = async (options: Options = {}): Promise<Caller> => {
  const served = await serve({ ...defaults, ...options, port: 0 })
  return callerOf(
    served.url,
    (request) => fetch(request),
    () => served.close()
  )
}

/** For `describe.each`. */
export const everyTransport = [
  { way: 'in process', open: openInProcess },
  { way: 'over HTTP', open: openOverHttp }
] as const

/** A POST with a JSON body. */
export const post = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body)
})

/** The reply's body, which must be as `schema` says and have no other field. */
export const bodyOf = <Schema extends v.GenericSchema>(reply: Reply, schema: Schema): v.InferOutput<Schema> =>
  v.parse(schema, JSON.parse(reply.text))

/** The Error body of the interface document, part 2, with nothing beside it. */
const errorBody = v.strictObject(errorBodySchema.entries)

/** The reply's Error body; its status must be the reply's own. */
export const errorOf = (reply: Reply): v.InferOutput<typeof errorBody> => {
  const body = bodyOf(reply, errorBody)
  if (body.statusCode !== reply.status) throw new Error(`${body.statusCode} in the body of a ${reply.status}`)
  if (body.message === '' || body.error === '') throw new Error('an Error body without words')
  return body
}

const customer = {
  id: v.pipe(v.string(), v.nonEmpty()),
  name: v.string(),
  email: v.nullable(v.string()),
  phone: v.string(),
  balance: v.number(),
  lifetimePoints: v.number()
}
const page = { hasMore: v.boolean(), currentPage: v.number(), pageSize: v.number() }
const reward = { id: v.string(), name: v.string(), cost: v.number(), index: v.number() }
const moment = v.pipe(v.string(), v.isoTimestamp())

/** The bodies exactly as the interface document shows them in part 2: no field less, and none more. */
export const exactly = {
  createdCustomer: v.strictObject(customer),
  customer: v.strictObject({ ...customer, avatar: v.pipe(v.string(), v.url()) }),
  customerPage: v.strictObject({
    ...page,
    noCustomers: v.number(),
    data: v.array(v.strictObject({ ...customer, avatar: v.pipe(v.string(), v.url()) }))
  }),
  rewardPage: v.strictObject({ ...page, noRewards: v.number(), data: v.array(v.strictObject(reward)) }),
  rewardDetail: v.strictObject({ ...reward, createdAt: moment, updatedAt: moment, isEnable: v.boolean() }),
  qr: v.strictObject({
    createdAt: moment,
    updatedAt: moment,
    code: v.string(),
    rewardPoints: v.number(),
    status: v.string(),
    usedDate: v.string(),
    qrURL: v.pipe(v.string(), v.url()),
    qrImageURL: v.string()
  }),
  account: v.strictObject({
    id: v.string(),
    name: v.string(),
    logo: v.pipe(v.string(), v.url()),
    timeZone: v.string(),
    currentPlan: v.string(),
    currentPlanInterval: v.string(),
    currentCustomers: v.number(),
    getStartedLink: v.pipe(v.string(), v.url()),
    address: v.strictObject({
      street: v.string(),
      city: v.string(),
      state: v.string(),
      country: v.string(),
      zipCode: v.string()
    })
  })
}
