import type { StoredCustomer } from '../store.ts'
import { allPeople, phoneBook, type Name, type People } from './people.ts'

/** Customers who open every training business, for walk-throughs, tests and the README. */

/**
 * The first customers of the list, in this order. Two are called the same and live in different phones; some have
 * no e-mail, one has no points yet. Points as whole numbers.
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

/** Chance that repeats: the same start gives the same training data on every machine. */

/** Gives the next number, from 0 up to but not 1. */
export type Chance = () => number

/** mulberry32 (public domain): small, quick, and even enough for sample data. Never for codes or tokens. */
export const chanceFrom = (start: number): Chance => {
  let state = start | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** One of `items`, which must not be empty. */
export const pick = <Item>(chance: Chance, items: readonly Item[]): Item => {
  const item = items[Math.floor(chance() * items.length)]
  if (item === undefined) throw new RangeError('nothing to pick from')
  return item
}

/** Bytes for identifiers of seeded records. */
export const bytesFrom =
  (chance: Chance) =>
  (size: number): Uint8Array =>
    Uint8Array.from({ length: size }, () => Math.floor(chance() * 256))

/* from customers.ts: Makes the customers of a business: the known ones first, then as many as wanted, the same on every machine. */

/** RFC 2606: domains that nobody receives mail at. */
const mailDomains = ['example.com', 'example.org', 'example.net']

/** Every group as often as its share says. */
const drawer = allPeople.flatMap((people) => Array.from({ length: people.share }, () => people))

const fullName = ({ order, joiner }: People, given: Name, family: Name): string =>
  order === 'given-first' ? given.written + joiner + family.written : family.written + joiner + given.written

/** A third has never earned much, a few have earned for years. */
const points = (chance: Chance): { balance: number; lifetimePoints: number } => {
  const balance = chance() < 0.1 ? 0 : Math.round(10 ** (1 + chance() * 2.6))
  const redeemed = chance() < 0.4 ? 0 : 50 * Math.round(10 ** (chance() * 2))
  return { balance, lifetimePoints: balance + redeemed }
}

/** A customer without an identifier, which belongs to the business. */
export type SeededCustomer = Omit<StoredCustomer, 'id'>

/** The first `count` customers, one after another; phones are valid, and no two are the same. */
export function* seededCustomers(count: number): Generator<SeededCustomer> {
  yield* KNOWN_CUSTOMERS.slice(0, count)
  const chance = chanceFrom(20_261_121)
  const known = new Set<string>(KNOWN_CUSTOMERS.map(({ phone }) => phone))
  const nextPhone = phoneBook()
  for (let made = KNOWN_CUSTOMERS.length; made < count; made += 1) {
    const people = pick(chance, drawer)
    const given = pick(chance, people.given)
    const family = pick(chance, people.family)
    const domain = pick(chance, mailDomains)
    let phone = nextPhone(pick(chance, people.phones))
    while (known.has(phone)) phone = nextPhone('GR')
    yield {
      name: fullName(people, given, family),
      phone,
      email: chance() < 0.35 ? null : `${given.latin}.${family.latin}${made}@${domain}`,
      ...points(chance)
    }
  }
}
