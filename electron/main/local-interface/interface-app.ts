/** The Hono app of the local interface: who may call, how often, and with what; then the operations. */
import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import { type Caller, referenceSchema } from '../../contract/local-interface.ts'
import type { Logger } from '../log/log.ts'
import { type ErrorName, ERRORS, sentencesOf } from './errors.ts'
import { ApiError, type ErrorBodyOfInterface } from './api-error.ts'
import type { Callers, Pairing } from './callers.ts'
import type { LookUps } from './look-ups.ts'
import { openApiDocument } from './openapi.ts'
import { type OperationDefinition, type OperationId, OPERATIONS } from './operations.ts'
import {
  emptyRequest,
  pairingRequest,
  parseBody,
  parseCustomerQuery,
  parseNonce,
  parseReturnBody,
  parseSlipBody,
  reasonRequest,
  creditRequest,
  redemptionRequest,
  registrationRequest
} from './request-bodies.ts'
import type { Permissions } from './permissions.ts'
import type { CreditRequests } from './credit-requests.ts'
import type { ReturnRequests } from './return-requests.ts'
import type { RedemptionRequests } from './redemption-requests.ts'
import type { SlipEvents } from './slip-events.ts'
import type { SlipRequests } from './slip-requests.ts'

interface InterfaceEnvironment {
  Variables: {
    caller: Caller
    /** what its errors say when nothing was changed; unset for an operation that only reads */
    nothing: string | undefined
  }
}
type InterfaceContext = Context<InterfaceEnvironment>

export type InterfaceApp = Hono<InterfaceEnvironment>

export interface InterfaceAppDependencies {
  /** on which the server listens */
  readonly port: () => number
  /** of the app */
  readonly version: string
  readonly callers: Callers
  readonly pairing: Pairing
  readonly limits: RequestLimits
  readonly permissions: Permissions
  readonly slipRequests: SlipRequests
  readonly redemptionRequests: RedemptionRequests
  readonly creditRequests: CreditRequests
  readonly returnRequests: ReturnRequests
  readonly slipEvents: SlipEvents
  readonly lookUps: LookUps
  /** called for each request that was answered with this error */
  readonly onError: (error: ErrorName) => void
  readonly log: Logger
}

/** A request has a few hundred bytes. */
const MAX_BODY_BYTES = 16 * 1024

const JSON_MEDIA_TYPE = /^application\/json\s*(?:;|$)/iu

/** Syntax of a bearer token (RFC 6750, 2.1). */
const BEARER = /^bearer +([\w\-.~+/]+=*)$/iu

const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  // A page of another site cannot tell a response from a port where nothing listens (Fetch Standard, 3.7).
  'Cross-Origin-Resource-Policy': 'same-origin'
} as const

/** Returns the body of an error. @param nothing see `sentencesOf` */
export const errorBodyOf = (
  { error, details: { message, field, slip, redemption, credit } }: ApiError,
  mode: 'live' | 'training',
  nothing?: string
): ErrorBodyOfInterface => ({
  mode,
  error,
  message: sentencesOf(error, nothing, message),
  ...(field !== undefined && { field }),
  ...(slip !== undefined && { slip }),
  ...(redemption !== undefined && { redemption }),
  ...(credit !== undefined && { credit })
})

const headersOfError = (name: ErrorName): Readonly<Record<string, string>> => {
  const { status } = ERRORS[name]
  if (status === 401) return { 'WWW-Authenticate': 'Bearer' }
  return status === 429 ? { 'Retry-After': '1' } : {}
}

/** Reads a body of at most `MAX_BODY_BYTES`, whatever Content-Length says. */
async function readBytes(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  const body: ReadableStream<Uint8Array> | null = request.body
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BODY_BYTES) throw new ApiError('body-too-large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function readJson({ req }: InterfaceContext): Promise<unknown> {
  if (!JSON_MEDIA_TYPE.test(req.header('content-type') ?? '')) throw new ApiError('media-type-unsupported')
  if (Number(req.header('content-length') ?? 0) > MAX_BODY_BYTES) throw new ApiError('body-too-large')
  const bytes = await readBytes(req.raw)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ApiError('not-json')
  }
}

/** Returns the reference in the path. One that no request can have is not known. */
function referenceIn({ req }: InterfaceContext): string {
  const parsed = v.safeParse(referenceSchema, req.param('reference'))
  if (!parsed.success) throw new ApiError('reference-unknown', { field: 'reference' })
  return parsed.output
}

export function createInterfaceApp(dependencies: InterfaceAppDependencies): InterfaceApp {
  const { port, version, callers, pairing, limits, permissions, slipEvents, lookUps } = dependencies
  const { slipRequests, redemptionRequests, creditRequests, returnRequests } = dependencies
  const app: InterfaceApp = new Hono<InterfaceEnvironment>()

  app.onError((thrown, c) => {
    const error = thrown instanceof ApiError ? thrown : new ApiError('internal')
    if (error !== thrown)
      dependencies.log.error('local-interface-failed', { method: c.req.method, error: thrown })
    dependencies.onError(error.error)
    return c.json(errorBodyOf(error, lookUps.mode, c.get('nothing')), ERRORS[error.error].status, {
      ...HEADERS,
      ...headersOfError(error.error),
      ...error.details.headers
    })
  })
  app.notFound(() => {
    throw new ApiError('path-unknown')
  })

  // Hono answers HEAD with GET, and drops the body: a stream would stay open, and count, until it is cancelled.
  app.use(async (c, next) => {
    await next()
    if (c.req.method === 'HEAD') await c.res.body?.cancel()
  })

  // A page of a browser may reach this machine, also by a name of its own that resolves to it (DNS rebinding).
  app.use(async ({ req }, next) => {
    const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${String(port())}`)
    if (!hosts.includes(req.header('host')?.toLowerCase() ?? '')) throw new ApiError('host-not-allowed')
    // A page sends an Origin, or for a GET without CORS a Sec-Fetch-Site other than `none`: that is an address that a person
    // typed (Fetch Metadata, 2.3).
    const isOfPage = req.header('origin') !== undefined || (req.header('sec-fetch-site') ?? 'none') !== 'none'
    if (isOfPage) throw new ApiError('origin-not-allowed')
    await next()
  })

  const authenticate = async (c: InterfaceContext, next: () => Promise<void>): Promise<void> => {
    const token = BEARER.exec(c.req.header('authorization') ?? '')?.[1]
    const caller = token === undefined ? null : callers.authenticate(token)
    if (caller === null) throw new ApiError('unauthorized')
    c.set('caller', caller)
    const leave = limits.enter(caller.id)
    try {
      await next()
    } finally {
      leave()
    }
  }

  const handlers: Readonly<Record<OperationId, (c: InterfaceContext) => Response | Promise<Response>>> = {
    pair: async (c) => {
      const { code, name } = parseBody(pairingRequest, await readJson(c))
      if (!pairing.redeem(code)) throw new ApiError('pairing-refused')
      const added = callers.add(name)
      if (added === null) throw new ApiError('too-many-programs')
      dependencies.log.info('program-paired', { caller: name, callerId: added.caller.id })
      const program = { id: added.caller.id, name }
      return c.json({ mode: lookUps.mode, token: added.token, program }, 201, HEADERS)
    },
    challenge: (c) => {
      const { program = '', nonce = '' } = c.req.query()
      const proof = callers.proofFor(program, `${String(port())} ${parseNonce(nonce)}`)
      if (proof === null) {
        const message = `No program with the id ${program} is paired. The parameter program must be the id of POST /v1/pairing.`
        throw new ApiError('unauthorized', { field: 'program', message })
      }
      return c.json({ mode: lookUps.mode, proof }, 200, HEADERS)
    },
    issueSlip: async (c) => {
      const body = parseSlipBody(await readJson(c))
      const { status, slip } = await slipRequests.issue(c.get('caller'), body)
      return c.json(slip, status, HEADERS)
    },
    readSlip: async (c) => {
      return c.json(await slipRequests.read(c.get('caller'), referenceIn(c)), 200, HEADERS)
    },
    reprintSlip: async (c) => {
      parseBody(emptyRequest, await readJson(c))
      return c.json(await slipRequests.reprint(c.get('caller'), referenceIn(c)), 200, HEADERS)
    },
    redeem: async (c) => {
      const body = parseBody(redemptionRequest, await readJson(c))
      const redeemed = await redemptionRequests.ask(c.get('caller'), body)
      return c.json(redeemed.body, redeemed.status, HEADERS)
    },
    credit: async (c) => {
      const body = parseBody(creditRequest, await readJson(c))
      const credited = await creditRequests.ask(c.get('caller'), body)
      return c.json(credited.body, credited.status, HEADERS)
    },
    readCredit: async (c) => {
      return c.json(await creditRequests.read(c.get('caller'), referenceIn(c)), 200, HEADERS)
    },
    takeBack: async (c) => {
      const body = parseReturnBody(await readJson(c))
      const returned = await returnRequests.ask(c.get('caller'), body)
      return c.json(returned.body, returned.status, HEADERS)
    },
    readReturn: async (c) => {
      return c.json(await returnRequests.read(c.get('caller'), referenceIn(c)), 200, HEADERS)
    },
    cancelSlip: async (c) => {
      const { reason } = parseBody(reasonRequest, await readJson(c))
      return c.json(await slipRequests.cancel(c.get('caller'), referenceIn(c), reason), 200, HEADERS)
    },
    readRedemption: async (c) => {
      return c.json(await redemptionRequests.read(c.get('caller'), referenceIn(c)), 200, HEADERS)
    },
    undoRedemption: async (c) => {
      const { reason } = parseBody(reasonRequest, await readJson(c))
      const undone = await redemptionRequests.undo(c.get('caller'), referenceIn(c), reason)
      return c.json(undone.body, undone.status, HEADERS)
    },
    registerCustomer: async (c) => {
      const registration = parseBody(registrationRequest, await readJson(c))
      permissions.requireCashier(c.get('caller'))
      await permissions.requireService()
      permissions.requireCashier(c.get('caller'))
      const { status, body } = await lookUps.register(registration)
      return c.json(body, status, HEADERS)
    },
    findCustomers: async (c) => {
      return c.json(await lookUps.customersBody(parseCustomerQuery(c.req.query())), 200, HEADERS)
    },
    listRewards: async (c) => {
      return c.json(await lookUps.rewards(c.req.query('customer') ?? null), 200, HEADERS)
    },
    readStatus: async (c) => {
      return c.json(await lookUps.status(), 200, HEADERS)
    },
    streamEvents: (c) => {
      const stream = slipEvents.open(c.get('caller').id)
      return c.body(stream, 200, { ...HEADERS, 'Content-Type': 'text/event-stream' })
    },
    readDocument: (c) => {
      return c.json(openApiDocument(version, port()), 200, HEADERS)
    }
  }

  const paths = new Map<string, string[]>()
  const operations: readonly (readonly [string, OperationDefinition])[] = Object.entries(OPERATIONS)
  for (const [id, { method, path: template, isPublic = false, nothing }] of operations) {
    const path = template.replace(/\{(\w+)\}/gu, ':$1')
    app.on(method, path, async (c, next) => {
      c.set('nothing', nothing)
      await next()
    })
    const handle = handlers[id as OperationId]
    if (isPublic) app.on(method, path, handle)
    else app.on(method, path, authenticate, handle)
    paths.set(path, [...(paths.get(path) ?? []), method.toUpperCase()])
  }
  for (const [path, methods] of paths) {
    app.all(path, () => {
      throw new ApiError('method-not-allowed', { headers: { Allow: methods.join(', ') } })
    })
  }
  return app
}

export interface Limits {
  readonly perSecond: number
  readonly atOnce: number
}

/** A till issues a slip in seconds; a program that calls more often is in a loop. */
export const DEFAULT_LIMITS: Limits = { perSecond: 10, atOnce: 2 }

const SECOND_MS = 1000

interface Use {
  /** times of the last requests, at most `perSecond`, in ms of `performance.now()` */
  readonly startedAt: number[]
  pending: number
}

/** Counts the requests of each program. */
export class RequestLimits {
  readonly #limits: Limits
  readonly #uses = new Map<string, Use>()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Counts a request. Returns a function to call when it has ended. Throws 429 beyond a limit. */
  enter(callerId: string): () => void {
    const use = this.#uses.get(callerId) ?? { startedAt: [], pending: 0 }
    this.#uses.set(callerId, use)
    const now = performance.now()
    while (use.startedAt[0] !== undefined && now - use.startedAt[0] >= SECOND_MS) use.startedAt.shift()
    if (use.startedAt.length >= this.#limits.perSecond) throw new ApiError('too-many-requests')
    use.startedAt.push(now)
    if (use.pending >= this.#limits.atOnce) throw new ApiError('too-many-at-once')
    use.pending += 1
    return () => {
      use.pending -= 1
    }
  }

  /** Forgets a program that was removed. */
  remove(callerId: string): void {
    this.#uses.delete(callerId)
  }
}
