/**
 * Two tills of a shop at the project's own service, and the phones of its customers: whatever happens, a till never shows what
 * the ledger does not have, and at the end the journals and the ledger agree about what is collected.
 */
import fc from 'fast-check'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import * as v from 'valibot'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { collectionOf, type Slip } from '../../electron/contract/slips.ts'
import { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import { restoreJournal } from '../../electron/main/upkeep/restore.ts'
import type { SlipService } from '../../electron/main/slips/slip-service.ts'
import { hashToken } from '../../electron/service/domain/identifiers.ts'
import { TillStore } from '../../electron/service/store/tills.ts'
import { runs, SEEDS } from '../fuzz/runs.ts'
import { noOpLogger } from '../support/no-op-logger.ts'
import { business } from '../support/sample-business.ts'
import { openTestSlips } from '../support/slip-service.ts'
import { openPages, ORIGIN } from '../unit/service/pages/visitor.ts'
import { paperRenderer } from './printer.ts'

const RUNS = runs(1000, 12)
const MINUTE_MS = 60_000
/** For runs that hang, not for slow ones. */
const TIMEOUT_MS = 60 * 60_000

type Pages = Awaited<ReturnType<typeof openPages>>
const FAULTS = ['none', 'refuse-connection', 'lose-answer', 'error', 'html'] as const
type Fault = (typeof FAULTS)[number]

const entryRow = v.object({ id: v.string(), customer: v.string(), code: v.string(), at: v.string() })
const reversalRow = v.object({ code: v.string(), at: v.string() })

/** A till on a folder, with a token of its own. */
class Till {
  readonly #world: World
  readonly #root: string
  readonly #client: LoyaltyClient
  #starts = 0
  #folder: string
  slips: SlipService
  fault: Fault = 'none'
  /** processes that were killed: what they have open is closed at the end */
  readonly #killed: SlipService[] = []

  constructor(world: World, root: string, token: string) {
    this.#world = world
    this.#root = root
    this.#client = new LoyaltyClient({
      baseUrl: `${ORIGIN}/api`,
      token,
      languages: { screen: 'en' },
      fetch: (request) => this.#fetch(request)
    })
    this.#folder = join(root, '0')
    mkdirSync(this.#folder, { recursive: true })
    this.slips = this.#open()
  }

  get journalFile(): string {
    return join(this.#folder, 'journal.db')
  }

  list(): readonly Slip[] {
    const list: Slip[] = []
    for (let hasMore = true; hasMore;) {
      const page = this.slips.queries.list({ offset: list.length })
      if (!page.ok) throw new Error('The journal cannot be read')
      list.push(...page.value.slips)
      hasMore = page.value.hasMore
    }
    return list
  }

  async issue(points: number): Promise<void> {
    const intentId = crypto.randomUUID()
    const issued = await this.slips.counter.issue({ intentId, points, customer: null })
    if (!issued.ok) throw new Error(`Nothing was issued: ${issued.failure.kind}`)
    while (this.slips.pendingWork() !== null) await nextTurn()
  }

  async restart(): Promise<void> {
    await this.slips.close()
    this.slips = this.#open()
  }

  kill(): void {
    this.#killed.push(this.slips)
    this.#starts += 1
    const next = join(this.#root, String(this.#starts))
    // SQLite's index of the write-ahead log is memory that the processes share: it ends with them.
    cpSync(this.#folder, next, { recursive: true, filter: (file) => !file.endsWith('-shm') })
    this.#folder = next
    this.slips = this.#open()
  }

  async restore(): Promise<void> {
    const from = this.slips.backups.newest()
    if (from === null) return
    await this.slips.close()
    await restoreJournal({ journalFile: this.journalFile, from, now: this.#world.now, log: noOpLogger })
    this.slips = this.#open()
  }

  async close(): Promise<void> {
    await this.slips.close()
    for (const slips of this.#killed) await slips.close()
  }

  #open(): SlipService {
    const slips = openTestSlips(this.#folder, {
      pdfRenderer: paperRenderer,
      createQr: (points) => this.#client.createQr(points),
      readCollections: (since) => this.#client.collections(since),
      currentBusiness: () => ({ ...business, id: this.#world.pages.business }),
      now: () => this.#world.now
    })
    slips.collections.start()
    return slips
  }

  async #fetch(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    const isRead = pathname.startsWith('/ext/')
    if (isRead && this.fault === 'refuse-connection') throw new TypeError('fetch failed')
    const body = request.method === 'POST' ? { body: await request.text() } : {}
    const init = { method: request.method, headers: request.headers, ...body }
    const response = await this.#world.pages.fetch(pathname + search, init)
    if (!isRead || this.fault === 'none') return response
    if (this.fault === 'lose-answer') throw new TypeError('terminated')
    return this.fault === 'error'
      ? new Response('', { status: 500 })
      : new Response('<!doctype html><title>Welcome</title>')
  }
}

class World {
  readonly pages: Pages
  readonly tills: readonly Till[]
  readonly #folder = mkdtempSync(join(tmpdir(), 'collecting-'))
  #points = 0
  #customers = 0

  private constructor(pages: Pages) {
    this.pages = pages
    this.tills = [1, 2].map(
      (number) => new Till(this, join(this.#folder, String(number)), `token-${String(number)}`)
    )
  }

  static async open(): Promise<World> {
    const pages = await openPages()
    const { shop } = pages
    const tills = new TillStore(shop.database)
    for (const number of [1, 2]) {
      const till = {
        business: shop.business,
        name: `Till ${String(number)}`,
        createdAt: shop.now.toISOString()
      }
      await tills.add({ ...till, id: `til_${String(number)}` }, hashToken(`token-${String(number)}`))
    }
    return new World(pages)
  }

  get now(): Date {
    return this.pages.shop.now
  }

  till(place: number): Till {
    const till = this.tills[place]
    if (till === undefined) throw new Error('There is no such till')
    return till
  }

  /** Lets time pass for the service, the tills and their timers. */
  async pass(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 1) {
      this.pages.shop.now = new Date(this.now.getTime() + MINUTE_MS)
      await vi.advanceTimersByTimeAsync(MINUTE_MS)
      // A request in the process, and the slices of its page.
      for (let turn = 0; turn < 40; turn += 1) await nextTurn()
    }
  }

  async issue(place: number): Promise<void> {
    this.#points += 1
    await this.till(place).issue(this.#points)
  }

  /** A customer opens the page of a code, also of one that was collected, and sends the form. */
  async collect(index: number): Promise<void> {
    const codes = this.tills.flatMap((till) => till.list().flatMap(({ code }) => code ?? []))
    const code = codes[index % codes.length]
    if (code === undefined) return
    this.#customers += 1
    const phone = `690 123 ${String(1000 + (this.#customers % 5))}`
    await this.pages.visitor().post(`/q/${code}`, { phone, name: 'Maria' })
  }

  /** The shop takes the points of a collected code back. */
  async takeBack(index: number): Promise<void> {
    const collected = await this.#collected()
    const entry = collected[index % collected.length]
    const reversed = new Set((await this.#reversed()).map(({ code }) => code))
    if (entry === undefined || reversed.has(entry.code)) return
    await this.pages.shop.reverse(entry.customer, entry.id)
  }

  /** What the ledger says of each code. */
  async ledger(): Promise<
    ReadonlyMap<string, { readonly collectedAt: string; readonly takenBackAt: string | null }>
  > {
    const reversed = new Map((await this.#reversed()).map(({ code, at }) => [code, at]))
    return new Map(
      (await this.#collected()).map(({ code, at }) => [
        code,
        { collectedAt: at, takenBackAt: reversed.get(code) ?? null }
      ])
    )
  }

  async close(): Promise<void> {
    for (const till of this.tills) await till.close()
    rmSync(this.#folder, { recursive: true, force: true })
    expect(this.pages.faults).toEqual([])
  }

  async #collected() {
    const rows = await this.pages.shop.database.read(
      `SELECT entries.id AS id, customers.id AS customer, entries.code AS code, entries.at AS at
       FROM entries JOIN customers ON customers.customer = entries.customer
       WHERE entries.business = $1 AND entries.kind = 'collected' ORDER BY entries.entry`,
      [this.pages.shop.business]
    )
    return rows.map((row) => v.parse(entryRow, row))
  }

  async #reversed() {
    const rows = await this.pages.shop.database.read(
      `SELECT collected.code AS code, entries.at AS at FROM entries JOIN entries AS collected ON collected.id = entries.reverses
       WHERE entries.business = $1 AND entries.kind = 'reversed' AND collected.kind = 'collected'`,
      [this.pages.shop.business]
    )
    return rows.map((row) => v.parse(reversalRow, row))
  }
}

/** A till shows nothing that the ledger does not have. */
async function expectNothingInvented(world: World): Promise<void> {
  const ledger = await world.ledger()
  for (const { code, collectedAt, takenBackAt } of world.tills.flatMap((till) => till.list())) {
    const entry = ledger.get(code ?? '')
    if (collectedAt !== null) expect(collectedAt).toBe(entry?.collectedAt)
    if (takenBackAt !== null) expect(takenBackAt).toBe(entry?.takenBackAt)
  }
}

/** Every slip of both journals is what the ledger says. */
async function expectAgreement(world: World): Promise<void> {
  for (const till of world.tills) till.fault = 'none'
  // The longest time between two reads after failures, and what two pages take.
  await world.pass(70)
  const ledger = await world.ledger()
  for (const till of world.tills) {
    for (const slip of till.list()) {
      const entry = ledger.get(slip.code ?? '')
      const isTakenBack = (entry?.takenBackAt ?? null) !== null
      const expected = entry === undefined ? 'not-collected' : isTakenBack ? 'taken-back' : 'collected'
      expect([slip.code, collectionOf(slip, till.slips.collections.asOf)]).toEqual([slip.code, expected])
    }
  }
}

const place = fc.constantFrom(0, 1)
const index = fc.nat({ max: 20 })
const STEPS = fc.oneof(
  fc.record({ kind: fc.constant('issue' as const), place }),
  fc.record({ kind: fc.constant('issue' as const), place }),
  fc.record({ kind: fc.constant('collect' as const), index }),
  fc.record({ kind: fc.constant('collect' as const), index }),
  fc.record({ kind: fc.constant('takeBack' as const), index }),
  fc.record({ kind: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('fault' as const), place, fault: fc.constantFrom(...FAULTS) }),
  fc.record({ kind: fc.constantFrom('restart', 'kill', 'backUp', 'restore'), place })
)
type Step = typeof STEPS extends fc.Arbitrary<infer Value> ? Value : never

async function take(world: World, step: Step): Promise<void> {
  switch (step.kind) {
    case 'issue':
      return world.issue(step.place)
    case 'collect':
      return world.collect(step.index)
    case 'takeBack':
      return world.takeBack(step.index)
    case 'pass':
      return world.pass(step.minutes)
    case 'fault':
      world.till(step.place).fault = step.fault
      return
    case 'restart':
      return world.till(step.place).restart()
    case 'kill':
      world.till(step.place).kill()
      return
    case 'backUp':
      await world.till(step.place).slips.backups.backUpToday()
      return
    case 'restore':
      return world.till(step.place).restore()
  }
}

describe.each(SEEDS)('two tills and their service with %s', (_name, seed) => {
  it(`agree about what is collected in ${String(RUNS)} runs`, { timeout: TIMEOUT_MS }, async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    let seen = 0
    const property = fc.asyncProperty(
      fc.array(STEPS, { minLength: 8, maxLength: 20, size: 'max' }),
      async (steps) => {
        const world = await World.open()
        try {
          for (const step of steps) {
            await take(world, step)
            await expectNothingInvented(world)
          }
          await expectAgreement(world)
          seen += (await world.ledger()).size
        } finally {
          await world.close()
        }
      }
    )
    await fc.assert(property, { seed, numRuns: RUNS })
    expect(seen).toBeGreaterThan(0)
  })
})
