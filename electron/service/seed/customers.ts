/** Makes the customers of a business: the known ones first, then as many as wanted, the same on every machine. */
import { KNOWN_CUSTOMERS } from './known-customers.ts'
import { allPeople, type Name, type People } from './people.ts'
import { phoneBook } from './phones.ts'
import { chanceFrom, pick, type Chance } from './random.ts'
import type { StoredCustomer } from '../store/customers.ts'

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
