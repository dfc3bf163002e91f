/** What a service that runs says of itself: the requests and the store that it watches, and its process. */
import { getPath } from 'hono/utils/url'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ServiceApp } from '../api/app.ts'
import { Counter, DurationHistogram, gauge, type Metric } from './metrics.ts'

/** Methods that have a route. Any other text of a request line becomes `other`. */
const METHODS = new Set(['GET', 'HEAD', 'POST'])

const NANOSECONDS = 1e9
/** A timer of so many ms is watched; what it is late is the delay. */
const DELAY_RESOLUTION_MS = 10

/** Counts what happens in this process, for `renderMetrics`. */
export class Monitor {
  readonly #requests = new Counter(
    'tillpoints_requests_total',
    'Requests by the pattern of their route and the class of their status.',
    true
  )
  readonly #durations = new DurationHistogram(
    'tillpoints_request_duration_seconds',
    'Time until a request is answered.'
  )
  readonly #issued = new Counter('tillpoints_codes_issued_total', 'Codes that tills got.')
  readonly #collected = new Counter('tillpoints_codes_collected_total', 'Codes that customers collected.')
  readonly #refused = new Counter(
    'tillpoints_attempts_refused_total',
    'Requests that were one attempt too many, by the pattern of their route.',
    true
  )
  readonly #errors = new Counter(
    'tillpoints_internal_errors_total',
    'Requests that failed for an internal reason.'
  )
  readonly #storeErrors = new Counter(
    'tillpoints_store_errors_total',
    'Statements and transactions that failed.'
  )
  readonly #repeats = new Counter(
    'tillpoints_store_repeats_total',
    'Further runs of transactions: after a conflict or a broken connection with PostgreSQL, or because another one of the same SQLite commit failed.'
  )
  readonly #delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS })
  readonly #newestBackup: () => number | null

  /** @param newestBackup returns the time of the newest backup in ms since 1970; null if there is none */
  constructor(newestBackup: () => number | null) {
    this.#newestBackup = newestBackup
    this.#delay.enable()
  }

  /** Answers a request with the app, and counts it. */
  async fetch(app: ServiceApp, request: Request, environment: object): Promise<Response> {
    const start = performance.now()
    const response = await app.fetch(request, environment)
    const route = routeOf(app, request)
    const method = METHODS.has(request.method) ? request.method : 'other'
    this.#requests.add({ route, method, status: `${Math.floor(response.status / 100)}xx` })
    this.#durations.observe({ route, method }, (performance.now() - start) / 1000)
    if (response.status === 429) this.#refused.add({ route })
    if (response.status === 200 && method === 'POST' && route === '/api/qr') this.#issued.add()
    return response
  }

  countCollected(): void {
    this.#collected.add()
  }

  countInternalError(): void {
    this.#errors.add()
  }

  countStoreError(): void {
    this.#storeErrors.add()
  }

  countRepeat(): void {
    this.#repeats.add()
  }

  /** Everything that is counted and measured. The names of the process's metrics are those of Prometheus's clients. */
  get metrics(): readonly Metric[] {
    const delay = (name: string, help: string, read: () => number): Metric =>
      gauge(`nodejs_eventloop_lag_${name}_seconds`, help, () =>
        Math.max(0, read() / NANOSECONDS - DELAY_RESOLUTION_MS / 1000)
      )
    return [
      ...[this.#requests, this.#durations, this.#issued, this.#collected, this.#refused],
      ...[this.#errors, this.#storeErrors, this.#repeats],
      gauge('tillpoints_newest_backup_timestamp_seconds', 'Time of the newest backup.', () => {
        const time = this.#newestBackup()
        return time === null ? null : time / 1000
      }),
      gauge('process_resident_memory_bytes', 'Resident memory of the process.', () =>
        process.memoryUsage.rss()
      ),
      gauge('process_start_time_seconds', 'Start of the process.', () => performance.timeOrigin / 1000),
      delay('p50', 'Median delay of the event loop since the start.', () => this.#delay.percentile(50)),
      delay('p99', '99th percentile of the delay of the event loop.', () => this.#delay.percentile(99)),
      delay('max', 'Longest delay of the event loop.', () => this.#delay.max)
    ]
  }

  /** Ends measuring. */
  close(): void {
    this.#delay.disable()
  }
}

/** The pattern of a request's route, such as `/q/:code`: a path may contain a code or an id, a pattern does not. */
export const routeOf = (app: Pick<ServiceApp, 'router'>, request: Request): string => {
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const [handlers] = app.router.match(method, getPath(request))
  const path = handlers.find(([[, route]]) => route.method === method)?.[0][1].path
  return path?.replace(/\{.*\}$/, '') ?? 'none'
}
