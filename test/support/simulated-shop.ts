/**
 * Weeks of a shop, made up from a seed: what honest cashiers and customers do, with their odd habits, and what a cashier does
 * who gives away points.
 */
import { OFTEN, type WeekActivity } from '../../electron/service/domain/unusual-activity.ts'
import { seededRandom } from './seeded-random.ts'

/** What happens at a till. Hours of the shop; day 0 is a Sunday. */
interface ShopEvent {
  readonly day: number
  readonly hour: number
  readonly till: number
  readonly cashier: number
  readonly kind: 'issued' | 'credited' | 'redeemed' | 'undone'
  readonly points: number
  /** null: the code is not collected */
  readonly customer: number | null
}

export const THEFTS = ['own-phone', 'few-friends', 'undoes', 'near-limit', 'at-night'] as const
export type Theft = (typeof THEFTS)[number]

export interface SimulatedShop {
  readonly events: readonly ShopEvent[]
  readonly creditLimit: number | null
  /** who steals, from `theftDay` on */
  readonly thief: number
  readonly thiefTill: number
}

/** Returns so many days of a shop. @param theft what its thief does; null: the shop is honest */
export const simulateShop = (
  seed: number,
  days: number,
  theft: Theft | null = null,
  theftDay = 0
): SimulatedShop => {
  const random = seededRandom(seed)
  const between = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1))
  const chance = (share: number): boolean => random() < share
  const tills = between(1, 4)
  const cashiers = tills * between(1, 3)
  const perDay = tills * between(15, 90)
  const customers = perDay * between(2, 12)
  const [opens, closes] = [between(6, 10), between(16, 22)]
  const closedWeekday = chance(0.5) ? 0 : -1
  const creditShare = theft === 'few-friends' || theft === 'near-limit' || chance(0.5) ? 0.5 : 0
  const isLimited = theft === 'near-limit' || chance(0.5)
  const averagePoints = between(20, 300)
  /** A few come often. */
  const visitor = (): number => Math.floor(customers * random() ** 1.6)
  const points = (): number =>
    Math.max(1, Math.round((averagePoints * (random() + random() + random() + random())) / 2))
  const lateDay = chance(0.4) ? between(0, days - 1) : -1
  const thief = between(0, cashiers - 1)
  const thiefTill = thief % tills
  const creditLimit = isLimited ? Math.ceil((perDay / tills) * averagePoints * 1.5) : null
  const events: ShopEvent[] = []
  for (let day = 0; day < days; day += 1) {
    const isOpen = day % 7 !== closedWeekday
    /** Each cashier has one of two shifts, and a day off. */
    const works = (cashier: number): boolean => isOpen && (cashiers === 1 || (day + cashier) % 6 !== 0)
    const working = Array.from({ length: cashiers }, (_, index) => index).filter(works)
    const closing = day === lateDay ? closes + 1 : closes
    const creditedByTill = new Map<number, number>()
    const sell = (event: Omit<ShopEvent, 'day' | 'till'> & { readonly till?: number }): void => {
      const till = event.till ?? event.cashier % tills
      if (event.kind === 'credited') creditedByTill.set(till, (creditedByTill.get(till) ?? 0) + event.points)
      events.push({ day, ...event, till })
    }
    if (working.length > 0) {
      const busy = day % 7 === 6 ? 1.5 : 0.7 + random() * 0.5
      for (let sale = 0; sale < perDay * busy; sale += 1) {
        const cashier = working[between(0, working.length - 1)] ?? 0
        const hour = between(opens, closing - 1)
        const customer = visitor()
        const undo = (): void => {
          if (chance(0.03)) sell({ hour, cashier, kind: 'undone', points: points(), customer })
        }
        if (chance(creditShare)) {
          sell({ hour, cashier, kind: 'credited', points: points(), customer })
          undo()
        } else {
          const collected = chance(0.6) ? customer : null
          sell({ hour, cashier, kind: 'issued', points: points(), customer: collected })
        }
        if (chance(0.1)) {
          sell({ hour, cashier, kind: 'redeemed', points: -points(), customer })
          undo()
        }
      }
      // Regulars: one each day, one who comes twice, and a round that is paid in parts.
      const regulars = [
        customers,
        customers + 1,
        customers + 1,
        ...(chance(0.1) ? Array.from({ length: 4 }, () => customers + 2) : [])
      ]
      for (const regular of regulars) {
        const cashier = working[regular % working.length] ?? 0
        sell({
          hour: between(opens, closes - 1),
          cashier,
          kind: 'issued',
          points: points(),
          customer: regular
        })
      }
    }
    if (theft === null || day < theftDay) continue
    const own = customers + 10
    if (theft === 'own-phone' && works(thief))
      for (let slip = between(3, 6); slip > 0; slip -= 1)
        sell({
          hour: between(opens, closes - 1),
          cashier: thief,
          kind: 'issued',
          points: 2 * points(),
          customer: own
        })
    if (theft === 'undoes' && works(thief))
      for (let undone = between(4, 7); undone > 0; undone -= 1) {
        const [hour, customer] = [between(opens, closes - 1), visitor()]
        sell({ hour, cashier: thief, kind: 'redeemed', points: -points(), customer })
        if (undone > 1) sell({ hour, cashier: thief, kind: 'undone', points: points(), customer })
      }
    if (theft === 'near-limit' && creditLimit !== null && works(thief)) {
      const left = Math.floor(creditLimit * (0.92 + random() * 0.07)) - (creditedByTill.get(thiefTill) ?? 0)
      for (const part of left > 4 ? [0.4, 0.3, 0.3] : [])
        sell({
          hour: closes - 1,
          cashier: thief,
          kind: 'credited',
          points: Math.floor(left * part),
          customer: visitor()
        })
    }
    if (theft === 'at-night' && chance(0.7))
      for (let slip = between(2, 5); slip > 0; slip -= 1)
        sell({
          hour: closes >= 22 ? 3 : closes + 1 + between(1, 23 - closes - 1),
          cashier: thief,
          kind: 'issued',
          points: points(),
          customer: visitor()
        })
  }
  // One who credits friends serves nobody else.
  const isFriend = theft === 'few-friends'
  return {
    events: isFriend
      ? events.map((event) =>
          event.cashier === thief && event.day >= theftDay && event.kind === 'credited' && chance(0.9)
            ? { ...event, customer: customers + 20 + between(0, 2) }
            : event
        )
      : events,
    creditLimit,
    thief,
    thiefTill
  }
}

/** The first Sunday of the simulation. */
const FIRST_DAY = Date.parse('2026-08-02T00:00Z')

/** The date of a day, such as `2026-08-02`. */
export const dateOf = (day: number): string =>
  new Date(FIRST_DAY + day * 86_400_000).toISOString().slice(0, 10)

const sum = (rows: readonly ShopEvent[]): number => rows.reduce((all, { points }) => all + points, 0)

/** What the owner's page looks at, on a day: counted from the events themselves. */
export const weekOf = ({ events, creditLimit }: SimulatedShop, last: number): WeekActivity => {
  const maker = ({ cashier }: ShopEvent): string => `cashier:${cashier}`
  const week = events.filter(({ day }) => day > last - 7 && day <= last)
  const before = events.filter(({ day }) => day <= last - 7 && day > last - 35)
  const given = week.filter(
    ({ kind, customer }) => (kind === 'issued' || kind === 'credited') && customer !== null
  )
  const often = new Set(
    [...Map.groupBy(given, ({ customer }) => customer)]
      .filter(([, rows]) => rows.length >= OFTEN)
      .map(([key]) => key)
  )
  const hour = (event: ShopEvent) => ({
    weekday: event.day % 7,
    hour: event.hour,
    day: dateOf(event.day),
    count: 1
  })
  const opens = ({ kind }: ShopEvent): boolean => kind === 'issued' || kind === 'credited'
  const groups = (rows: readonly ShopEvent[], key: (event: ShopEvent) => string) => [
    ...Map.groupBy(rows, key).values()
  ]
  return {
    given: groups(
      given.filter(({ customer }) => often.has(customer)),
      (event) => `${maker(event)} ${String(event.customer)} ${event.day}`
    ).flatMap((rows) => {
      const [one] = rows
      const customer = one?.customer ?? null
      return one === undefined || customer === null
        ? []
        : [
            {
              maker: maker(one),
              customer,
              day: dateOf(one.day),
              count: rows.length,
              points: sum(rows),
              credits: rows.filter(({ kind }) => kind === 'credited').length
            }
          ]
    }),
    makers: [...Map.groupBy(week, maker)].map(([name, rows]) => ({
      maker: name,
      points: sum(rows.filter(opens)),
      credits: rows.filter(({ kind }) => kind === 'credited').length,
      undoable: rows.filter(({ kind }) => kind === 'credited' || kind === 'redeemed').length,
      undone: rows.filter(({ kind }) => kind === 'undone').length,
      lastUndone: rows.some(({ kind }) => kind === 'undone')
        ? dateOf(Math.max(...rows.filter(({ kind }) => kind === 'undone').map(({ day }) => day)))
        : null
    })),
    creditedDays: groups(
      week.filter(({ kind }) => kind === 'credited'),
      ({ day, till }) => `${day} ${till}`
    ).map((rows) => ({
      till: `till:${String(rows[0]?.till)}`,
      day: dateOf(rows[0]?.day ?? 0),
      points: sum(rows)
    })),
    creditLimit,
    hours: week.filter(opens).map((event) => ({ maker: maker(event), ...hour(event) })),
    usualHours: before.filter(opens).map(hour)
  }
}
