/** The built till with a clock that jumps, its service behind a network that can fail, and what it has open. */
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { serve, type ServiceServer } from '../../../electron/service/server.ts'
import type { DevTools } from '../../support/undriven-app/devtools.ts'
import { MALLOC_ENVIRONMENT } from '../../support/undriven-app/processes.ts'
import { openUndriven, type UndrivenApp } from '../../support/undriven-app/undriven.ts'
import { openFaultyNetwork, type FaultyNetwork } from '../../support/faulty-network.ts'
import { TIME_ZONE } from './calendar.ts'
import type { Sample } from './flatness.ts'
import { installJumpingClock } from './jumping-clock.ts'
import { createPageActions, type PageActions } from './page-actions.ts'

const MAIN_PRELOAD = join(import.meta.dirname, 'main-preload.ts')
const TOKEN = 'demo'

/** Shorter than any interval of daily work, so that one ends before the next begins. */
const STEP_MS = 4.5 * 60_000

const MEGABYTE = 2 ** 20
const KILOBYTE = 2 ** 10

const countsSchema = v.object({
  timers: v.number(),
  listeners: v.number(),
  handles: v.number(),
  pid: v.number()
})
const metricsSchema = v.object({ metrics: v.array(v.object({ name: v.string(), value: v.number() })) })
const heapSchema = v.object({ usedSize: v.number() })

/** Returns the V8 heap after a garbage collection in MB. */
async function heapOf(devTools: DevTools): Promise<number> {
  // Twice: finalizers of the first collection may release more.
  for (let turn = 0; turn < 2; turn++) await devTools.send('HeapProfiler.collectGarbage')
  return v.parse(heapSchema, await devTools.send('Runtime.getHeapUsage')).usedSize / MEGABYTE
}

/** Returns what a page has after a garbage collection: its heap in MB, nodes of the document, and event listeners. */
async function pageUsage(page: DevTools): Promise<{ heap: number; nodes: number; listeners: number }> {
  const heap = await heapOf(page)
  await page.send('Performance.enable')
  const { metrics } = v.parse(metricsSchema, await page.send('Performance.getMetrics'))
  const metric = (name: string): number => metrics.find((one) => one.name === name)?.value ?? Number.NaN
  return { heap, nodes: metric('Nodes'), listeners: metric('JSEventListeners') }
}

const countFiles = (folder: string): number => readdirSync(folder).length

/** Installs clock and actions in a page. Timers that it started before do not follow the clock. */
const preparePage = (page: DevTools, aheadMs: number): Promise<unknown> =>
  page.evaluate(`globalThis.soak = {
    ...(${installJumpingClock.toString()})(${String(aheadMs)}),
    actions: (${createPageActions.toString()})()
  }, null`)

/** A till that is connected to a service, and whose time passes only as real time and by `advance` and `sleep`. */
export class AcceleratedTill {
  readonly userData: string
  readonly network: FaultyNetwork
  readonly #service: ServiceServer
  readonly #app: UndrivenApp
  readonly #main: DevTools
  readonly #page: DevTools
  readonly #clock: { aheadMs: number }
  #display: DevTools | null = null

  /** Opens a new till in `folder`, an empty one. Its clock begins at `start`, ms since 1970. */
  static async open(folder: string, start: number): Promise<AcceleratedTill> {
    const clock = { aheadMs: start - Date.now() }
    const service = await serve({
      port: 0,
      tokens: [TOKEN],
      file: join(folder, 'service.sqlite'),
      now: () => new Date(Date.now() + clock.aheadMs)
    })
    const network = await openFaultyNetwork(service.url)
    const userData = join(folder, 'till')
    mkdirSync(userData)
    writeFileSync(join(userData, 'settings.json'), JSON.stringify({ tourSeen: true }))
    const app = await openUndriven({
      userData,
      mainPreload: MAIN_PRELOAD,
      env: {
        ...MALLOC_ENVIRONMENT,
        TZ: TIME_ZONE,
        SOAK_AHEAD_MS: String(clock.aheadMs),
        TILLPOINTS_BASE_URL: network.url,
        TILLPOINTS_TOKEN: TOKEN,
        TILLPOINTS_STAND_IN_DISPLAYS: '1280x800,800x480'
      }
    })
    const page = await app.connectPage('//till')
    await preparePage(page, clock.aheadMs)
    return new AcceleratedTill({
      userData,
      network,
      service,
      app,
      main: await app.connectMain(),
      page,
      clock
    })
  }

  constructor(opened: {
    readonly userData: string
    readonly network: FaultyNetwork
    readonly service: ServiceServer
    readonly app: UndrivenApp
    readonly main: DevTools
    readonly page: DevTools
    readonly clock: { aheadMs: number }
  }) {
    this.userData = opened.userData
    this.network = opened.network
    this.#service = opened.service
    this.#app = opened.app
    this.#main = opened.main
    this.#page = opened.page
    this.#clock = opened.clock
  }

  /** The till's time, ms since 1970. */
  get now(): number {
    return Date.now() + this.#clock.aheadMs
  }

  /** Connects to the page of the customer display, which must be open. */
  async followDisplay(): Promise<void> {
    this.#display = await this.#app.connectPage('//customer-display')
    await this.#display.evaluate(
      `globalThis.soak = (${installJumpingClock.toString()})(${String(this.#clock.aheadMs)}), null`
    )
  }

  /** Lets time pass in main, in the pages and at the service until `time`. */
  async advanceTo(time: number): Promise<void> {
    for (let left = time - this.now; left > 0; left = time - this.now) {
      const ms = Math.min(STEP_MS, left)
      this.#clock.aheadMs += ms
      await this.#jump('advance', ms)
    }
  }

  /** Suspends the machine until `time`. */
  async sleepUntil(time: number): Promise<void> {
    const ms = time - this.now
    this.#clock.aheadMs += ms
    await this.#jump('sleep', ms)
  }

  /** Does something in the page. Rejects as it does. */
  act<Name extends keyof PageActions>(name: Name, ...args: Parameters<PageActions[Name]>): Promise<unknown> {
    return this.#page.evaluate(`soak.actions.${name}(...${JSON.stringify(args)})`)
  }

  /** Leaks a timer, a listener and memory on purpose. */
  async leak(): Promise<void> {
    await this.#main.evaluate('soak.leak()')
  }

  /** Collects garbage, and returns what the till has open. */
  async sample(): Promise<Sample> {
    const [heap, page] = [await heapOf(this.#main), await pageUsage(this.#page)]
    const display = this.#display && (await pageUsage(this.#display))
    const { pid, ...main } = v.parse(countsSchema, await this.#main.evaluate('soak.counts()'))
    const memory = await this.#app.memory()
    const logs = join(this.userData, 'logs')
    return {
      'main: timers': main.timers,
      'main: listeners': main.listeners,
      'main: handles': main.handles,
      'main: file descriptors': countFiles(`/proc/${String(pid)}/fd`),
      'main: heap, MB': heap,
      'main: memory, MB': memory.main,
      'page: timers': v.parse(v.number(), await this.#page.evaluate('soak.timers()')),
      'page: listeners': page.listeners,
      'page: nodes': page.nodes,
      'page: heap, MB': page.heap,
      'page: memory, MB': memory.page ?? 0,
      'display: listeners': display?.listeners ?? 0,
      'display: nodes': display?.nodes ?? 0,
      'display: heap, MB': display?.heap ?? 0,
      'PDF worker: memory, MB': memory.pdfWorker ?? 0,
      'settings, kB': statSync(join(this.userData, 'settings.json')).size / KILOBYTE,
      'log, MB': readdirSync(logs).reduce((sum, name) => sum + statSync(join(logs, name)).size, 0) / MEGABYTE
    }
  }

  async close(): Promise<void> {
    for (const devTools of [this.#display, this.#page, this.#main]) devTools?.close()
    await this.#app.close()
    await this.network.close()
    await this.#service.close()
  }

  async #jump(how: 'advance' | 'sleep', ms: number): Promise<void> {
    const jump = `soak.${how}(${String(ms)})`
    await Promise.all([
      this.#main.evaluate(jump),
      this.#page.evaluate(jump),
      ...(this.#display === null ? [] : [this.#display.evaluate(jump)])
    ])
  }
}
