/** A till without a window in a child process: executes the calls of its parent and replies with their results. */
import dns from 'node:dns'
import { setTimeout as after } from 'node:timers/promises'
import type { Result } from '../../electron/contract/failure.ts'
import type { NewQrCode } from '../../electron/contract/loyalty.ts'
import { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import { openSlips, type SlipService } from '../../electron/main/slips/slip-service.ts'
import { slipDependencies } from '../support/slip-service.ts'
import type { CallName, Calls, OpenOptions, WorkerRequest, WorkerReply } from './protocol.ts'
import { EXTENSION_OPERATIONS, OPERATIONS } from './operations.ts'

let service: LoyaltyClient | undefined
let slips: Result<SlipService> | undefined

// --- the clock, the time limits and the name resolution of this process

const trueNow = Date.now
const trueLookup = dns.lookup
let clockOffset = 0
Date.now = () => trueNow() + clockOffset
/** A Date whose current time includes the offset. */
globalThis.Date = new Proxy(Date, {
  construct: (date, values: unknown[], made): Date =>
    Reflect.construct(date, values.length === 0 ? [Date.now()] : values, made) as Date
})

/** The client's time limit, which no other timer of this process has. */
const TIMEOUT_MS = 40_001

type TimerId = ReturnType<typeof setTimeout>

/** The running time limits of the client: what they call. */
const timeLimits = new Map<TimerId, () => void>()
const trueSetTimeout = globalThis.setTimeout
const trueClearTimeout = globalThis.clearTimeout
Object.assign(globalThis, {
  setTimeout(call: (...values: readonly unknown[]) => void, ms: number, ...values: unknown[]): TimerId {
    const run = (): void => call(...values)
    const timer = trueSetTimeout(run, ms)
    if (ms === TIMEOUT_MS) timeLimits.set(timer, run)
    return timer
  },
  clearTimeout(timer: TimerId): void {
    timeLimits.delete(timer)
    trueClearTimeout(timer)
  }
})

const expire = (): null => {
  if (timeLimits.size === 0) throw new Error('No request has a time limit')
  for (const [timer, run] of timeLimits) {
    clearTimeout(timer)
    run()
  }
  return null
}

const noName: (...values: readonly unknown[]) => void = (host, ...rest) => {
  const callback = rest.at(-1)
  const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${String(host)}`), {
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
    hostname: host
  })
  if (typeof callback === 'function') process.nextTick(callback, error)
}

const jumpingFetch =
  (jump: number) =>
  (request: Request): Promise<Response> => {
    const answer = fetch(request)
    clockOffset = jump
    return answer
  }

// --- the calls

const opened = (): LoyaltyClient => {
  if (service === undefined) throw new Error('The till is not open')
  return service
}

const issuing = (): SlipService => {
  if (slips?.ok !== true) throw new Error('The till has no slips')
  return slips.value
}

const open = ({ baseUrl, clockJump, withoutNames, slips: places }: OpenOptions): null => {
  clockOffset = 0
  Object.assign(dns, { lookup: withoutNames ? noName : trueLookup })
  service = new LoyaltyClient({
    baseUrl,
    token: 'demo',
    languages: { screen: 'en' },
    fetch: clockJump === undefined ? fetch : jumpingFetch(clockJump),
    retryDelay: () => 0,
    timeoutMs: TIMEOUT_MS
  })
  if (places) {
    const createQr = (points: number): Promise<Result<NewQrCode>> => opened().createQr(points)
    const dependencies = slipDependencies(places.folder, {
      createQr,
      redeem: (key, asked) => opened().redeem(key, asked),
      retryDelaysMs: []
    })
    slips ??= openSlips(dependencies).slips
  }
  return null
}

/** Maximum wait for aborted connections to close, which takes a few turns of the event loop: for a test that fails. */
const LEFTOVER_WAIT = { turns: 1500, ms: 20 }

const AWAKE = new Set([
  'Timeout',
  'Immediate',
  'TCPSocketWrap',
  'TLSWrap',
  'GetAddrInfoReqWrap',
  'ConnectWrap'
])

const awake = (): string[] => process.getActiveResourcesInfo().filter((resource) => AWAKE.has(resource))

const calls: Readonly<Record<CallName, (input: never) => unknown>> = {
  open,
  run: ({ operation, given }: Parameters<Calls['run']>[0]) => OPERATIONS[operation].run(opened(), given),
  runExtension: ({ operation, given }: Parameters<Calls['runExtension']>[0]) =>
    EXTENSION_OPERATIONS[operation].run(opened(), given),
  expire,
  issue: async ({ intentId, points }: Parameters<Calls['issue']>[0]) => {
    if (slips?.ok === false) return slips
    const answer = await issuing().counter.issue({ intentId, points, customer: null })
    return answer.ok ? issuing().printouts.print({ intentId }) : answer
  },
  redeem: (request: Parameters<Calls['redeem']>[0]) => issuing().redemptions.redeem(request),
  askAgain: () => issuing().lostAnswers.askAgain(),
  redemptions: (customerId: Parameters<Calls['redemptions']>[0]) =>
    issuing().redemptions.ofCustomer(customerId),
  slips: () => {
    const answer = issuing().queries.list({ offset: 0 })
    if (!answer.ok) throw new Error(JSON.stringify(answer.failure))
    return answer.value.slips
  },
  close: async () => {
    if (slips?.ok === true) await slips.value.close()
    slips = undefined
    return null
  },
  leftovers: async () => {
    let found = awake()
    for (let turn = 0; found.length > 0 && turn < LEFTOVER_WAIT.turns; turn += 1) {
      await after(LEFTOVER_WAIT.ms)
      found = awake()
    }
    return found
  },
  // libuv reports kilobytes.
  peakMemory: () => process.resourceUsage().maxRSS * 1024
}

const reply = (value: WorkerReply): void => {
  process.send?.(value)
}

process.on('message', ({ id, call, input }: WorkerRequest) => {
  void (async () => {
    try {
      reply({ id, value: await calls[call](input as never) })
    } catch (error) {
      reply({ id, thrown: error instanceof Error ? String(error.stack) : String(error) })
    }
  })()
})
// An unhandled rejection ends the process, which is Node's default; the parent rejects its pending calls with stderr.
process.on('disconnect', () => process.exit(0))
reply({ id: 0, value: null })
