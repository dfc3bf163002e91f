/** A shop with three tills and the phones of its customers, in which things happen at random. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { writeOfflineCode } from '../../electron/codes/offline-code.ts'
import { dayOf, shiftDay } from '../../electron/service/domain/days.ts'
import { hashToken, newCode, systemRandomBytes } from '../../electron/service/domain/identifiers.ts'
import { OfflineCodeStore } from '../../electron/service/store/offline-codes.ts'
import { OfflineKeyStore } from '../../electron/service/store/offline-keys.ts'
import { TillStore } from '../../electron/service/store/tills.ts'
import { setLimits } from '../support/offline-till.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { openPages } from '../unit/service/pages/visitor.ts'
import { createEmptyDatabase, Shop } from '../unit/service/store/shop.ts'
import { OfflineChecks, TILLS, type OfflineChecksDependencies, type Paper } from './offline-checks.ts'
import { CutTill, KilledDatabase, type Line, type TillWorld } from './offline-tills.ts'

const PHONES = 200
const LIMITS = { pointsOfCode: 400, pointsOfDay: 500, days: 2 }
/** A thief tries more than a code may have. */
const MOST_STOLEN_POINTS = 600
const MINUTE_MS = 60_000
const LINES: readonly Line[] = ['mended', 'cut', 'cut', 'cut', 'loses-answers']
/** Minutes by which a clock is wrong. */
const JUMPS = [-400 * 1440, -1500, -1500, -30, 0, 30, 1500, 1500, 2900, 400 * 1440]
/** Days from today that a thief writes. */
const STOLEN_DAYS = [-1, 0, 0, 0, 1, 3]

type Pages = Awaited<ReturnType<typeof openPages>>
type OpenTill = OfflineChecksDependencies['tills'][number]

export class World implements TillWorld {
  readonly #random: () => number
  readonly #folder = mkdtempSync(join(tmpdir(), 'offline-'))
  readonly #shop: Shop
  readonly #close: () => Promise<void>
  #database: KilledDatabase
  #pages: Pages
  #intents = 0
  /** cookies of the phones, by their number */
  readonly #cookies = new Map<number, string>()
  readonly #tills: OpenTill[] = []
  readonly #papers: Paper[] = []
  /** what happened, which is the same for the same seed */
  readonly log: string[] = []
  readonly checks: OfflineChecks

  private constructor(
    seed: number,
    opened: { shop: Shop; database: KilledDatabase; pages: Pages; close: () => Promise<void> }
  ) {
    this.#random = seededRandom(seed)
    this.#shop = opened.shop
    this.#database = opened.database
    this.#pages = opened.pages
    this.#close = opened.close
    this.checks = new OfflineChecks({
      ...{ shop: opened.shop, limits: LIMITS, tills: this.#tills, papers: this.#papers, log: this.log },
      pageOf: async (code) => (await this.#pages.visitor().get(`/q/${code}`)).text()
    })
  }

  /** @param disk that the tills begin with, such as `newDisk()` */
  static async open(seed: number, disk: string): Promise<World> {
    const created = await createEmptyDatabase()
    const whole = await created.open()
    const shop = await Shop.addTo(whole)
    await setLimits(shop, LIMITS)
    const database = new KilledDatabase(whole)
    const pages = await openPages(new Shop(database, shop.business))
    const close = async (): Promise<void> => {
      await whole.close()
      await created.remove()
    }
    const world = new World(seed, { shop, database, pages, close })
    for (const id of TILLS) {
      const till = { id, business: shop.business, name: id, createdAt: shop.now.toISOString() }
      await new TillStore(whole).add(till, hashToken(`token-${id}`))
      world.#tills.push({ id, till: new CutTill(world, join(world.#folder, id), `token-${id}`, disk) })
    }
    for (const { till } of world.#tills) {
      await till.report()
      till.line = world.#pick(LINES)
    }
    return world
  }

  get now(): Date {
    return this.#shop.now
  }

  get business(): string {
    return this.#pages.business
  }

  get #keys(): OfflineKeyStore {
    return new OfflineKeyStore({
      database: this.#shop.database,
      now: () => this.now,
      random: systemRandomBytes
    })
  }

  async fetch(path: string, init: RequestInit): Promise<Response> {
    const { shop, fetch } = this.#pages
    shop.now = this.now
    return fetch(path, init)
  }

  #number(below: number): number {
    return Math.floor(this.#random() * below)
  }

  #pick<Item>(items: readonly Item[]): Item {
    const item = items[this.#number(items.length)]
    if (item === undefined) throw new Error('Nothing to pick')
    return item
  }

  /** Lets something happen, and remembers what. */
  async step(): Promise<void> {
    const open = this.#pick(this.#tills)
    const { id, till } = open
    const chosen = this.#number(100)
    if (chosen < 38) await this.#issue(open, this.#number(8) === 0)
    else if (chosen < 52)
      await this.#during(() => this.#collect(this.#pick(this.#papers)), this.#papers.length > 0)
    else if (chosen < 62) await this.#during(() => till.report(), true)
    else if (chosen < 71) till.line = this.#pick(LINES)
    else if (chosen < 77) this.#shop.now = new Date(this.now.getTime() + this.#number(400) * MINUTE_MS)
    else if (chosen < 81) till.kill()
    else if (chosen < 86) await (this.#number(2) === 0 ? this.#resume(id) : this.#stop(id))
    else if (id === 'jumping') till.aheadMs = this.#pick(JUMPS) * MINUTE_MS
    else if (id === 'copied') await this.#copy(till, chosen)
    this.log.push(`${id} ${String(chosen)} ${till.line} ${String(this.#papers.length)}`)
  }

  async #issue({ id, till }: OpenTill, isKilled: boolean): Promise<void> {
    this.#intents += 1
    const intent = `00000000-0000-4000-8000-${String(this.#intents).padStart(12, '0')}`
    const slip = await till.issue(intent, 1 + this.#number(LIMITS.pointsOfCode), isKilled)
    const phone = this.#number(PHONES)
    const code = slip?.code ?? null
    if (slip === null || code === null) return
    this.#papers.push({ code, points: slip.points, till: id, phone })
  }

  /** A restore, an image or a theft of the third till: its disk has what it had before. */
  async #copy(till: CutTill, chosen: number): Promise<void> {
    if (chosen < 89) await till.backUp()
    else if (chosen < 92) await till.restore()
    else if (chosen >= 95) this.#steal(till)
    else if (this.#tills.length < 5) this.#tills.push({ id: 'copied', till: till.image() })
  }

  /** A thief with the till's disk makes codes as they like. */
  #steal({ key: held }: CutTill): void {
    if (held === null) return
    const { key, secret, timeZone } = held
    const day = shiftDay(dayOf(this.now, timeZone), this.#pick(STOLEN_DAYS))
    for (let count = 1 + this.#number(4); count > 0; count--) {
      const points = 1 + this.#number(MOST_STOLEN_POINTS)
      const serial = newCode(systemRandomBytes).slice(0, 10)
      const code = writeOfflineCode({ key, serial, points, day }, secret)
      this.#papers.push({ code, points, till: 'copied', phone: this.#number(PHONES) })
    }
  }

  async #stop(id: string): Promise<void> {
    await this.#keys.stop(this.#shop.business, id)
    await this.checks.stopped(id)
  }

  async #resume(id: string): Promise<void> {
    await this.checks.expectStopped(id)
    await this.#keys.resume(this.#shop.business, id)
  }

  /** Does work, during which the service is killed and started again now and then. */
  async #during(work: () => Promise<unknown>, isPossible: boolean): Promise<void> {
    if (!isPossible) return
    const isKilled = this.#number(4) === 0
    if (isKilled) this.#database.left = this.#number(25)
    await work()
    if (!isKilled) return
    this.#database = new KilledDatabase(this.#shop.database)
    const { faults } = this.#pages
    expect(faults.filter((fault) => !(fault instanceof Error) || fault.name !== 'Killed')).toEqual([])
    this.#pages = await openPages(new Shop(this.#database, this.#shop.business))
  }

  /** A phone that has a line now opens a slip and sends the form: its own one, or a photo of another one's. */
  async #collect(paper: Paper): Promise<void> {
    if (this.#number(3) === 0) return
    const phone = this.#number(6) === 0 ? this.#number(PHONES) : paper.phone
    const chosen = this.#number(4)
    if (chosen === 0) await this.#send(paper, phone, () => this.#stop(paper.till))
    else if (chosen === 1) {
      const other = this.#pick(this.#papers.filter(({ till }) => till === paper.till))
      await this.#send(paper, phone, () => this.#send(other, other.phone))
    } else await this.#send(paper, phone)
  }

  /** Sends the form of a slip. @param meanwhile what happens when the form was looked at, and before anything is written */
  async #send({ code }: Paper, phone: number, meanwhile?: () => Promise<void>): Promise<void> {
    const { shop } = this.#pages
    const { address } = shop
    shop.now = this.now
    // Each phone has an address of its own.
    shop.address = `198.51.100.${String(phone)}`
    this.#database.meanwhile = meanwhile ?? null
    const name = `device-${this.business}`
    const browser = this.#pages.visitor()
    const cookie = this.#cookies.get(phone)
    if (cookie !== undefined) browser.setCookie(name, cookie)
    await browser.post(`/q/${code}`, { phone: `690 123 4${String(phone).padStart(3, '0')}`, name: 'Maria' })
    const kept = browser.cookie(name)
    if (kept !== undefined) this.#cookies.set(phone, kept)
    shop.address = address
    // A form that writes nothing.
    const { meanwhile: left } = this.#database
    this.#database.meanwhile = null
    await left?.()
  }

  /** Everything works again: the tills report, and each customer collects what is in their hand, some of them at the same time. */
  async settle(papers: readonly Paper[] = this.#papers): Promise<void> {
    for (const { till } of this.#tills) {
      till.line = 'mended'
      till.aheadMs = 0
      // What the owner has stopped stays so.
      await till.report()
    }
    const left = [...papers]
    for (let paper = left.shift(); paper !== undefined; paper = left.shift()) {
      const other = this.#number(2) === 0 ? left.shift() : undefined
      await this.#send(paper, paper.phone, other && (() => this.#send(other, other.phone)))
    }
    expect(this.#pages.faults).toEqual([])
  }

  /** The owner allows what was refused, the tills report again, and the customers collect. */
  async allow(refused: readonly Paper[]): Promise<void> {
    const offline = new OfflineCodeStore({ database: this.#shop.database, now: () => this.now })
    const allow = (code: string): Promise<void> => offline.allow(this.#shop.business, code, 'staff:owner')
    for (const { code } of refused) await allow(code)
    for (const { till } of this.#tills)
      for (const { code, offline: made } of till.list())
        if (code !== null && made !== null && made.refusal !== null) await allow(code)
    await this.settle(refused)
    expect(await this.checks.expectWorth()).toEqual([])
  }

  async close(): Promise<void> {
    for (const { till } of this.#tills) await till.close()
    await this.#close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
