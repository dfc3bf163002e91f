/** Opens the service in process, as the till does, and over HTTP, and checks its responses. */
import * as v from 'valibot'
import { inject } from 'vitest'
import { errorBodySchema } from '../../../electron/contract/loyalty.ts'
import {
  LoyaltyPointsService,
  TRAINING_BASE_URL,
  TRAINING_PUBLIC_URL,
  type LoyaltyPointsServiceOptions,
  type SampleDataOptions
} from '../../../electron/service/index.ts'
import { listen } from '../../../electron/service/server.ts'
import { createTestDatabase } from '../../support/postgres/databases.ts'

/** Tokens of the two businesses of every opened service. */
export const TOKEN = 'first-shop'
export const OTHER_TOKEN = 'second-shop'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface Caller {
  readonly baseUrl: string
  /** Requests a path below the base URL, as the first business unless `headers` contain an authorization. */
  call(path: string, init?: RequestInit): Promise<Reply>
  close(): Promise<void>
}

type Options = Partial<Omit<LoyaltyPointsServiceOptions, 'publicUrl'>>

/** Fails the test when the service has an internal error. */
const failOnInternalError = (error: unknown): void => {
  throw new Error('internal error of the service', { cause: error })
}

const defaults = {
  file: ':memory:',
  tokens: [TOKEN, OTHER_TOKEN],
  seed: { customers: 30 },
  onInternalError: failOnInternalError
}

const callerOf = (
  baseUrl: string,
  send: (request: Request) => Promise<Response>,
  close: () => Promise<void>
): Caller => ({
  baseUrl,
  close,
  call: async (path, init = {}) => {
    const headers = new Headers(init.headers)
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${TOKEN}`)
    const response = await send(new Request(baseUrl + path, { ...init, headers }))
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
})

/** In the suite of PostgreSQL: a service on an empty database there, and what removes the database. */
const openOnPostgres = async (url: string, options: SampleDataOptions) => {
  const created = await createTestDatabase(url)
  const service = await LoyaltyPointsService.over(await created.open(), options)
  const close = async (): Promise<void> => {
    await service.close()
    await created.remove()
  }
  return { service, close }
}

export const openInProcess = async (options: Options = {}): Promise<Caller> => {
  const all = { ...defaults, ...options, publicUrl: TRAINING_PUBLIC_URL }
  const url = inject('postgresUrl')
  if (url !== undefined) {
    const { service, close } = await openOnPostgres(url, all)
    return callerOf(TRAINING_BASE_URL, (request) => service.fetch(request), close)
  }
  const service = await LoyaltyPointsService.open(all)
  return callerOf(
    TRAINING_BASE_URL,
    (request) => service.fetch(request),
    () => service.close()
  )
}

export const openOverHttp = async (options: Options = {}): Promise<Caller> => {
  const all = { ...defaults, ...options }
  const url = inject('postgresUrl')
  let close = (): Promise<void> => Promise.resolve()
  const openService = async (publicUrl: string): Promise<LoyaltyPointsService> => {
    if (url === undefined) return LoyaltyPointsService.open({ ...all, publicUrl })
    const opened = await openOnPostgres(url, { ...all, publicUrl })
    close = opened.close
    return opened.service
  }
  const served = await listen({ port: 0, openService })
  return callerOf(
    served.url,
    (request) => fetch(request),
    async () => {
      await served.close()
      await close()
    }
  )
}

/** For `describe.each`. */
export const everyTransport = [
  { transport: 'in process', open: openInProcess },
  { transport: 'over HTTP', open: openOverHttp }
] as const

/** A POST with a JSON body. */
export const post = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body)
})

/** Parses the reply's body. Throws if it does not match `schema`. */
export const bodyOf = <Schema extends v.GenericSchema>(reply: Reply, schema: Schema): v.InferOutput<Schema> =>
  v.parse(schema, JSON.parse(reply.text))

/** The body of an error, without other fields. */
const errorBody = v.strictObject(errorBodySchema.entries)

/** Parses the reply's Error body. Throws unless its status is the reply's status and its texts are not empty. */
export const errorOf = (reply: Reply): v.InferOutput<typeof errorBody> => {
  const body = bodyOf(reply, errorBody)
  if (body.statusCode !== reply.status) throw new Error(`${body.statusCode} in the body of a ${reply.status}`)
  if (body.message === '' || body.error === '') throw new Error('an Error body with empty texts')
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

/** The bodies of each operation, without additional fields. */
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
    extensions: v.array(v.string()),
    address: v.strictObject({
      street: v.string(),
      city: v.string(),
      state: v.string(),
      country: v.string(),
      zipCode: v.string()
    })
  })
}
