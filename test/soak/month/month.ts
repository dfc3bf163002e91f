/**
 * A till that stays open for weeks: the traffic of a shop, the work of each day, both changes of the clocks, and between
 * them a sleep of the machine of half a year.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { KNOWN_CUSTOMERS } from '../../../electron/service/index.ts'
import { AcceleratedTill } from './accelerated-till.ts'
import { periodsOf, shopTime, type Period } from './calendar.ts'
import type { Sample } from './flatness.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const PINS = { cashier: '4711', manager: '2468' }

/** When customers come, by the hour of the shop. */
const isOpen = (hour: number): boolean => hour >= 9 && hour < 21
/** Nothing is typed, and no slip is issued: the till locks. */
const isQuiet = (hour: number): boolean => hour >= 14 && hour < 17

/** What happens once a day, by the hour of the shop. */
const HOURS = { reconnect: 10, screens: 11, lock: 13, afterQuiet: 16, batch: 18, afterManager: 19, close: 20 }

/** How much happens. */
export interface MonthSize {
  /** hours until the end of the day of each change of the clocks */
  readonly hours: number
  /** hours between two samples */
  readonly sampleHours: number
  /** in each open hour: customers served by hand, slips issued without the screen, and look-ups */
  readonly served: number
  readonly slips: number
  readonly lookUps: number
  /** leaks a timer, a listener and memory before each sample */
  readonly leak: boolean
}

/** The outcome of a month. */
export interface MonthOutcome {
  /** in order */
  readonly samples: readonly Sample[]
  /** what did not happen as often as it must, and errors in the log */
  readonly violations: readonly string[]
  readonly slips: number
  readonly lookUps: number
}

const staffSchema = v.object({ locked: v.boolean(), manager: v.string() })
const reportSchema = v.object({ slips: v.number(), points: v.number(), hours: v.number() })
const logLineSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ time: v.string(), level: v.string(), event: v.string() })
)

/** Events that the log has once for each day. */
const DAILY_EVENTS = ['backup-made', 'retention-applied']

/** What the shop expects of one of its days. */
interface ShopDay {
  /** the first hour in which the till was open */
  readonly from: number
  slips: number
  points: number
  /** hours of the day in which the till was open */
  hours: number
}

class Month {
  readonly #till: AcceleratedTill
  readonly #size: MonthSize
  readonly #onSample: (sample: Sample, day: string) => void
  readonly #days = new Map<string, ShopDay>()
  /** lines of the log, which removes old ones */
  readonly #logLines = new Set<string>()
  readonly #samples: Sample[] = []
  readonly #violations: string[] = []
  #slips = 0
  #lookUps = 0

  constructor(till: AcceleratedTill, size: MonthSize, onSample: (sample: Sample, day: string) => void) {
    this.#till = till
    this.#size = size
    this.#onSample = onSample
  }

  async run(periods: readonly Period[]): Promise<MonthOutcome> {
    const till = this.#till
    await till.act('setUp', PINS)
    await till.followDisplay()
    for (const [index, { start, hours }] of periods.entries()) {
      if (index > 0) await till.sleepUntil(start)
      for (let hour = 1; hour <= hours; hour++) {
        await this.#hour(start + (hour - 1) * HOUR_MS)
        if (hour % this.#size.sampleHours === 0) await this.#takeSample()
      }
    }
    this.#readLog()
    await this.#checkReports()
    this.#checkLog()
    this.#checkBackups()
    return {
      samples: this.#samples,
      violations: this.#violations,
      slips: this.#slips,
      lookUps: this.#lookUps
    }
  }

  /** One hour from `start` on; its work is in the middle. */
  async #hour(start: number): Promise<void> {
    const till = this.#till
    const profileReads = this.#profileReads()
    await till.advanceTo(start + 30 * MINUTE_MS)
    const { day, hour } = shopTime(till.now)
    this.#dayOf(day, hour).hours += 1
    await this.#work(day, hour)
    await till.advanceTo(start + HOUR_MS)
    // Every five minutes, also in the hour in which the day turned.
    if (hour === 0 && this.#days.size > 1)
      this.#expect(12, this.#profileReads() - profileReads, `reads of the profile on ${day}`)
  }

  async #work(day: string, hour: number): Promise<void> {
    const till = this.#till
    if (hour === HOURS.afterQuiet) this.#expect(true, (await this.#staff()).locked, `locked on ${day}`)
    if (isQuiet(hour)) return
    if (hour === HOURS.lock) await till.act('lock')
    if ((await this.#staff()).locked) await till.act('unlock', PINS.cashier)
    await this.#issue(day, 1, (points) => till.act('issue', points))
    if (isOpen(hour)) await this.#serveCustomers(day)
    if (hour === HOURS.reconnect) await this.#loseNetwork()
    if (hour === HOURS.screens) await till.act('visitScreens')
    if (hour === HOURS.batch) {
      await this.#issue(day, 3, (points) => till.act('runBatch', PINS.manager, points, 3))
      this.#expect('unlocked', (await this.#staff()).manager, `manager session on ${day}`)
    }
    if (hour === HOURS.afterManager)
      this.#expect('locked', (await this.#staff()).manager, `expired manager session on ${day}`)
    if (hour === HOURS.close) await till.act('closeDay', day)
  }

  async #serveCustomers(day: string): Promise<void> {
    const { served, slips, lookUps } = this.#size
    for (let count = 0; count < lookUps; count++) {
      const { phone, name } = this.#customer(this.#lookUps++)
      await this.#till.act('lookUp', count % 2 === 0 ? phone : name)
    }
    for (let count = 0; count < slips; count++)
      await this.#issue(day, 1, (points) => this.#till.act('issue', points))
    for (let count = 0; count < served; count++) {
      const { phone } = this.#customer(count)
      await this.#issue(day, 1, (points) => this.#till.act('serve', phone, points))
    }
  }

  /** Issues `count` slips with the same points, which no neighbour has, and expects them in the report of the day. */
  async #issue(day: string, count: number, issue: (points: number) => Promise<unknown>): Promise<void> {
    const points = 1 + (this.#slips % 1000)
    await issue(points)
    this.#slips += count
    const expected = this.#dayOf(day)
    expected.slips += count
    expected.points += count * points
  }

  async #loseNetwork(): Promise<void> {
    const { network } = this.#till
    network.fail('reset-connection', 'GET')
    await this.#till.act('lookUpOffline')
    network.fail('pass', 'GET')
    await this.#till.act('reconnect')
  }

  async #takeSample(): Promise<void> {
    this.#readLog()
    if (this.#size.leak) await this.#till.leak()
    const sample = await this.#till.sample()
    this.#samples.push(sample)
    this.#onSample(sample, shopTime(this.#till.now).day)
  }

  #customer(index: number): (typeof KNOWN_CUSTOMERS)[number] {
    return KNOWN_CUSTOMERS[index % KNOWN_CUSTOMERS.length] ?? KNOWN_CUSTOMERS[0]
  }

  async #staff(): Promise<v.InferOutput<typeof staffSchema>> {
    return v.parse(staffSchema, await this.#till.act('staff'))
  }

  #profileReads(): number {
    return this.#till.network.seen.filter(({ method, path }) => method === 'GET' && path === '/account')
      .length
  }

  #dayOf(day: string, hour = 0): ShopDay {
    const found = this.#days.get(day) ?? { from: hour, slips: 0, points: 0, hours: 0 }
    this.#days.set(day, found)
    return found
  }

  #expect(expected: unknown, found: unknown, what: string): void {
    if (found !== expected) this.#violations.push(`${what}: ${String(found)} instead of ${String(expected)}`)
  }

  /** Keeps the lines that are checked at the end. */
  #readLog(): void {
    const folder = join(this.#till.userData, 'logs')
    for (const name of readdirSync(folder)) {
      for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
        if (line.includes('"level":"error"') || DAILY_EVENTS.some((event) => line.includes(event)))
          this.#logLines.add(line)
      }
    }
  }

  /** Each day's report has the slips of the day, and an hour for each that it has: 23 or 25 when the clocks change. */
  async #checkReports(): Promise<void> {
    const days = [...this.#days]
    for (const [index, [day, { from, hours, ...sums }]] of days.entries()) {
      const { hours: reported, ...found } = v.parse(reportSchema, await this.#till.act('report', day))
      this.#expect(JSON.stringify(sums), JSON.stringify(found), `report of ${day}`)
      // A period may begin two hours after midnight, and ends an hour after it.
      const isWhole = from === 0 && index < days.length - 1 && hours > 20
      if (isWhole) this.#expect(hours, reported, `hours in the report of ${day}`)
    }
  }

  #checkLog(): void {
    const lines = [...this.#logLines].map((line) => v.parse(logLineSchema, line))
    for (const { event, time } of lines.filter(({ level }) => level === 'error'))
      this.#violations.push(`${event} at ${time}`)
    for (const event of DAILY_EVENTS) {
      const days = lines
        .filter((line) => line.event === event)
        .map(({ time }) => shopTime(Date.parse(time)).day)
      for (const day of this.#days.keys())
        this.#expect(1, days.filter((one) => one === day).length, `${event} on ${day}`)
    }
  }

  #checkBackups(): void {
    const names = readdirSync(join(this.#till.userData, 'backups'))
    const expected = [...this.#days.keys()].slice(-14).map((day) => `journal-${day}.sqlite`)
    this.#expect(expected.join(), names.toSorted().join(), 'backups')
  }
}

/**
 * Runs a month in `folder`, an empty one: `size.hours` around each change of the clocks of the next year. File times are
 * those of the machine, so that saved PDFs count as old. `onSample` receives each sample with its day.
 */
export async function runMonth(
  folder: string,
  size: MonthSize,
  onSample: (sample: Sample, day: string) => void = () => undefined
): Promise<MonthOutcome> {
  const periods = periodsOf(new Date().getFullYear() + 1, size.hours)
  const till = await AcceleratedTill.open(folder, periods[0].start)
  try {
    return await new Month(till, size, onSample).run(periods)
  } finally {
    await till.close()
  }
}
