/** What is around a till: its service behind a faulty network, a receipt printer, screens; and the facts about its slips. */
import { TEST_PAGE_CODE } from '../../electron/main/slip-pdf/test-page.ts'
import type { ElectronApplication, Page } from '@playwright/test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { SLIP_STATES } from '../../electron/contract/slips.ts'
import { serve, type ServiceServer } from '../../electron/service/server.ts'
import { slipsOf } from '../e2e/support/bridge.ts'
import { setDisplays } from '../e2e/support/main-process.ts'
import { openTill, type OpenTill } from '../e2e/support/till.ts'
import { journalBusinessId } from '../../electron/main/session/data-owners.ts'
import { openFaultyNetwork, type FaultyNetwork } from '../support/faulty-network.ts'
import { printoutOf, type JournalFacts, type MadeCode } from '../support/journal-invariants.ts'
import {
  startReceiptPrinter,
  type ReceiptPrinterBehaviour,
  type SimulatedReceiptPrinter
} from '../support/receipt-printer/index.ts'
import { installPageProbe, type Screen } from './page-probe.ts'

/** Tokens of two businesses, and one that is refused. */
export const TOKENS = ['demo', 'second-shop', 'demo-expired'] as const
/** Of the manager and of each cashier: the monkey types no other one as a new PIN. */
export const PIN = '2468'
export const DISPLAYS = { one: '1280x800', two: '1280x800,800x480' } as const

/** For what never comes, not for what is slow: the longest is a request that gets no answer. */
const SETTLE_LIMIT_MS = 45_000
/** Calls whose answer does not depend on the action before: they search the network for seconds. */
const LONG_CALLS = /^(printers|updates)\./

const slipRows = v.array(
  v.object({
    number: v.number(),
    intentId: v.string(),
    businessId: v.string(),
    training: v.pipe(
      v.number(),
      v.transform((flag) => flag === 1)
    ),
    state: v.picklist(SLIP_STATES),
    points: v.number(),
    code: v.nullable(v.string()),
    failure: v.nullable(v.string()),
    batchId: v.nullable(v.string()),
    copyPrinting: v.number()
  })
)
export type SlipRow = v.InferOutput<typeof slipRows>[number]
const codeRows = v.array(v.object({ code: v.string(), points: v.number(), businessId: v.string() }))
const logLine = v.object({ level: v.string(), event: v.string() })

const query = <Schema extends v.GenericSchema>(
  file: string,
  schema: Schema,
  sql: string
): v.InferOutput<Schema> => {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return v.parse(schema, database.prepare(sql).all())
  } finally {
    database.close()
  }
}

const countByPoints = (all: readonly number[]): Map<number, number> =>
  new Map([...new Set(all)].map((points) => [points, all.filter((one) => one === points).length]))

declare global {
  /** in main: see main-preload.ts */
  var monkey: { pending(): readonly string[] } | undefined
}

export class World {
  readonly network: FaultyNetwork
  readonly printer: SimulatedReceiptPrinter
  readonly till: OpenTill
  readonly #service: ServiceServer
  readonly #folder: string
  /** what went wrong in the pages and main, since it was last taken */
  readonly #errors: string[] = []
  #held = 0
  #open: (() => void) | null = null
  #isPrinterReady = true
  #isUnplugged = false
  #logBytes = 0
  readonly #papers = new Set<string>()
  readonly #stored = new Map<string, string>()

  private constructor(
    folder: string,
    service: ServiceServer,
    network: FaultyNetwork,
    printer: SimulatedReceiptPrinter,
    till: OpenTill
  ) {
    this.#folder = folder
    this.#service = service
    this.network = network
    this.printer = printer
    this.till = till
    this.#watch(till.page)
    till.app.on('window', (page) => this.#watch(page))
  }

  /** Opens a connected till in an empty folder. */
  static async open(folder: string): Promise<World> {
    const [token, other] = TOKENS
    const file = join(folder, 'service.sqlite')
    const service = await serve({ port: 0, tokens: [token, other], file, seed: { customers: 60 } })
    const network = await openFaultyNetwork(service.url)
    const printer = await startReceiptPrinter()
    const till = await openTill({
      userData: join(folder, 'till'),
      mainPreload: fileURLToPath(new URL('main-preload.ts', import.meta.url)),
      env: { TILLPOINTS_BASE_URL: network.url, TILLPOINTS_TOKEN: token },
      size: { width: 1024, height: 768 }
    })
    const world = new World(folder, service, network, printer, till)
    await till.page.addInitScript(installPageProbe)
    await till.page.reload()
    // Resolves when the journal is open.
    await slipsOf(till.page)
    return world
  }

  async close(): Promise<void> {
    this.#open?.()
    if (!this.till.isClosed()) await this.till.kill()
    await this.printer.stop()
    await this.network.close()
    await this.#service.close()
  }

  get page(): Page {
    return this.till.page
  }

  get app(): ElectronApplication {
    return this.till.app
  }

  get isHealthy(): boolean {
    return this.#open === null && !this.#isUnplugged
  }

  /** whether nothing is under way that waits for the network or the printer */
  get isAtRest(): boolean {
    return this.isHealthy && this.#isPrinterReady
  }

  /** The service executes requests, and answers none until `recover`. */
  holdAnswers(): void {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    this.#open = () => resolve(undefined)
    this.network.fail({
      until: async () => {
        this.#held++
        await promise
        this.#held--
      }
    })
  }

  async unplug(): Promise<void> {
    this.#isUnplugged = true
    await this.network.unplug()
  }

  /** Ends each fault of the network. Resolves when the till has noticed. */
  async recover(): Promise<void> {
    this.network.fail('pass')
    this.#open?.()
    this.#open = null
    if (this.#isUnplugged) await this.network.plugIn()
    this.#isUnplugged = false
    // Otherwise the till asks after up to half a minute.
    await this.page.evaluate(() => window.tillpoints?.connection.retryConnection())
  }

  behavePrinter(behaviour: ReceiptPrinterBehaviour): void {
    this.#isPrinterReady = Object.keys(behaviour).length === 0
    this.printer.behave(behaviour)
  }

  setDisplays(count: keyof typeof DISPLAYS): Promise<void> {
    return setDisplays(this.app, DISPLAYS[count])
  }

  /** Looks at the page once nothing more comes of the last action. Throws when that never is. */
  async settle(): Promise<Screen> {
    const started = performance.now()
    let last: Screen | undefined
    let waitsFor = ''
    for (let same = 0; performance.now() - started < SETTLE_LIMIT_MS;) {
      const pending = (await this.app.evaluate(() => globalThis.monkey?.pending() ?? [])).filter(
        (call) => !LONG_CALLS.test(call)
      )
      const screen = await this.#look()
      const isWorking = this.#held === 0 && (pending.length > 0 || this.#hasUnfinishedSlips())
      waitsFor = `${pending.join(', ')}${screen?.isBusy ? ', the page' : ''}`
      same = screen && !isWorking && screen.fingerprint === last?.fingerprint ? same + 1 : 0
      last = screen
      // While answers are held, what waits for them is busy.
      if (screen && same >= 2 && (!screen.isBusy || this.#held > 0)) return screen
    }
    throw new Error(`The till does not come to rest: ${waitsFor}`)
  }

  /** Returns what went wrong since the last call, and forgets it. */
  async takeErrors(): Promise<readonly string[]> {
    this.#readLog()
    const violations = await this.page.evaluate(() => window.monkeyProbe?.violations.splice(0) ?? [])
    return [...this.#errors.splice(0), ...violations.map((one) => `Content security policy: ${one}`)]
  }

  /** Rows of the journal, oldest first. */
  slipRows(): readonly SlipRow[] {
    return query(
      join(this.till.userData, 'journal.sqlite'),
      slipRows,
      `SELECT slips.number, intent_id AS intentId, slips.business_id AS businessId, slips.training, slips.state,
         slips.points, code, slips.failure, batch_id AS batchId,
         EXISTS (SELECT 1 FROM copies WHERE slip = slips.number AND copies.state = 'printing') AS copyPrinting
       FROM slips ORDER BY slips.number`
    )
  }

  /** The facts about the business's slips; papers and codes seen before are kept. */
  facts(): JournalFacts {
    const all = this.slipRows()
    const training = new Set(all.flatMap((row) => (row.training ? [row.code] : [])))
    const slips = all
      .filter((row) => !row.training)
      .map((row) => ({ ...row, isCopyPrinting: row.copyPrinting === 1 }))
    const made = query(
      join(this.#folder, 'service.sqlite'),
      codeRows,
      `SELECT code, points, businesses.id AS businessId FROM codes JOIN businesses USING (business)
       WHERE code NOT LIKE 'TRAINING%'`
    )
    this.#readPapers()
    const facts: JournalFacts = {
      slips,
      made: new Map(
        made.map(({ code, points, businessId: id }): [string, MadeCode] => {
          const businessId = journalBusinessId(id, `${this.network.url}/`)
          return [code, { points, businessId, training: false }]
        })
      ),
      posts: countByPoints(
        // However often it is asked with its key, it is one request.
        [
          ...new Map(
            this.network.seen.flatMap(({ method, path, headers, body }, index) => {
              const points = /"points":(\d+)/.exec(body)?.[1]
              const isIssue = method === 'POST' && (path === '/qr' || path === '/ext/codes')
              if (!isIssue || points === undefined) return []
              return [[String(headers['idempotency-key'] ?? index), Number(points)] as const]
            })
          ).values()
        ]
      ),
      intents: countByPoints(slips.map(({ points }) => points)),
      stored: new Map(this.#stored),
      papers: [...this.#papers].map(printoutOf).filter(({ code }) => !training.has(code)),
      forgotten: new Set()
    }
    for (const { intentId, code } of slips) if (code !== null) this.#stored.set(intentId, code)
    return facts
  }

  #readPapers(): void {
    const folder = join(this.till.userData, 'slips')
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      if (name.endsWith('.pdf') && !/^(?:(?:report|test)%20|redemption-)/.test(name)) this.#papers.add(name)
    for (const part of this.printer.printed()) {
      // A slip of the receipt printer has its code in the printer's own drawing. Which copy it is cannot be told.
      if (part.kind === 'code' && part.content !== TEST_PAGE_CODE)
        this.#papers.add(`${part.content.split('/').at(-1) ?? ''}.pdf`)
    }
  }

  /** Without those that wait for a printer that cannot print. */
  #hasUnfinishedSlips(): boolean {
    if (!this.#isPrinterReady) return false
    return this.slipRows().some(
      ({ state, copyPrinting }) => state === 'requested' || state === 'printing' || copyPrinting === 1
    )
  }

  async #look(): Promise<Screen | undefined> {
    try {
      return await this.page.evaluate(async () => {
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        return window.monkeyProbe?.look()
      })
    } catch (error) {
      // The page is reloading.
      if (/context was destroyed|navigation/i.test(String(error))) return undefined
      throw error
    }
  }

  #watch(page: Page): void {
    page.on('pageerror', (error) =>
      this.#errors.push(`Uncaught in the page: ${error.stack ?? error.message}`)
    )
    page.on('console', (message) => {
      if (message.type() === 'error')
        this.#errors.push(`Console: ${message.text()} ${message.location().url}`)
    })
    page.on('crash', () => this.#errors.push('The page crashed'))
  }

  #readLog(): void {
    const file = join(this.till.userData, 'logs', 'till.log')
    if (!existsSync(file)) return
    const text = readFileSync(file)
    // A new file begins at one megabyte.
    if (text.length < this.#logBytes) this.#logBytes = 0
    const lines = text.subarray(this.#logBytes).toString().split('\n')
    this.#logBytes = text.length
    for (const line of lines.filter(Boolean)) {
      const { level, event } = v.parse(logLine, JSON.parse(line))
      if (level === 'error' || event === 'call-invalid') this.#errors.push(`Log: ${line}`)
    }
  }
}
