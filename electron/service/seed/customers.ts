/** The customers of a new business: fixed ones for tests and demos, then generated ones. */
import type { StoredCustomer } from '../domain/customers.ts'
import { createPhoneGenerator, NAME_GROUPS, type NameGroup, type SeededName } from './people.ts'

/**
 * The first customers of every business, in this order. Two have the same name and different phones; some have no
 * e-mail, one has no points.
 */
export const KNOWN_CUSTOMERS = [
  {
    name: 'Μαρία Παπαδοπούλου',
    phone: '+306941234567',
    email: 'maria.papadopoulou@example.com',
    balance: 1240,
    lifetimePoints: 3870
  },
  { name: 'Γιώργος Οικονόμου', phone: '+306942345678', email: null, balance: 85, lifetimePoints: 85 },
  {
    name: 'Μαρία Παπαδοπούλου',
    phone: '+306947654321',
    email: 'm.papadopoulou@example.org',
    balance: 30,
    lifetimePoints: 530
  },
  {
    name: 'Zoé Lefèvre',
    phone: '+33639980117',
    email: 'zoe.lefevre@example.com',
    balance: 410,
    lifetimePoints: 410
  },
  { name: 'Jürgen Weiß', phone: '+4917604069042', email: null, balance: 0, lifetimePoints: 0 },
  {
    name: 'Oliver Taylor',
    phone: '+442079460321',
    email: 'oliver.taylor+till@example.com',
    balance: 5200,
    lifetimePoints: 18_450
  },
  { name: 'فاطمة حسن', phone: '+201001299001', email: null, balance: 760, lifetimePoints: 1310 },
  {
    name: '佐藤 陽子',
    phone: '+819012990001',
    email: 'yoko.sato@example.net',
    balance: 95,
    lifetimePoints: 2095
  },
  { name: 'Nguyễn Minh Anh', phone: '+84912990001', email: null, balance: 2480, lifetimePoints: 2480 },
  {
    name: 'สมหญิง ใจดี',
    phone: '+66811990001',
    email: 'somying.jaidee@example.com',
    balance: 150,
    lifetimePoints: 900
  },
  {
    name: 'Grace Wood',
    phone: '+12125550142',
    email: 'grace.wood@example.com',
    balance: 615,
    lifetimePoints: 615
  }
] as const

/** Returns the next number, from 0 (inclusive) to 1 (exclusive). */
export type SeededRandom = () => number

/**
 * Creates a generator of reproducible random numbers (mulberry32, public domain). The same seed gives the same data on
 * every machine. Not for codes or tokens.
 */
export const createSeededRandom = (seed: number): SeededRandom => {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Returns one of `items`. Throws if there are none. */
export const pickRandom = <Item>(random: SeededRandom, items: readonly Item[]): Item => {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new RangeError('no items to pick from')
  return item
}

/** RFC 2606: domains without mailboxes. */
const MAIL_DOMAINS = ['example.com', 'example.org', 'example.net']

/** Each group as often as its share, so that a random pick follows the shares. */
const weightedGroups = NAME_GROUPS.flatMap((group) => Array.from({ length: group.share }, () => group))

const fullName = ({ order, separator }: NameGroup, given: SeededName, family: SeededName): string =>
  order === 'given-first'
    ? given.written + separator + family.written
    : family.written + separator + given.written

/** Logger-distributed points: most customers have few, some have many. */
const randomPoints = (random: SeededRandom): { balance: number; lifetimePoints: number } => {
  const balance = random() < 0.1 ? 0 : Math.round(10 ** (1 + random() * 2.6))
  const redeemed = random() < 0.4 ? 0 : 50 * Math.round(10 ** (random() * 2))
  return { balance, lifetimePoints: balance + redeemed }
}

/** A customer without the id, which is different in each business. */
export type SeededCustomer = Omit<StoredCustomer, 'id'>

/** Generates the first `count` customers. Their phones are valid and unique. */
export function* seededCustomers(count: number): Generator<SeededCustomer> {
  yield* KNOWN_CUSTOMERS.slice(0, count)
  const random = createSeededRandom(20_261_121)
  const knownPhones = new Set<string>(KNOWN_CUSTOMERS.map(({ phone }) => phone))
  const nextPhone = createPhoneGenerator()
  for (let index = KNOWN_CUSTOMERS.length; index < count; index += 1) {
    const group = pickRandom(random, weightedGroups)
    const given = pickRandom(random, group.given)
    const family = pickRandom(random, group.family)
    const domain = pickRandom(random, MAIL_DOMAINS)
    let phone = nextPhone(pickRandom(random, group.phones))
    while (knownPhones.has(phone)) phone = nextPhone('GR')
    yield {
      name: fullName(group, given, family),
      phone,
      email: random() < 0.35 ? null : `${given.latin}.${family.latin}${index}@${domain}`,
      ...randomPoints(random)
    }
  }
}
