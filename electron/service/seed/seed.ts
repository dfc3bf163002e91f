/** Fills a new business with sample data that is the same on every machine. */
import { OFFLINE_LIMITS, type BusinessKey, type NewBusiness } from '../domain/businesses.ts'
import { expiryOfCode } from '../domain/codes.ts'
import type { CustomerIdentity } from '../domain/customers.ts'
import { newIdentifier, type RandomBytes } from '../domain/identifiers.ts'
import type { StoredReward } from '../domain/rewards.ts'
import { BusinessStore } from '../store/businesses.ts'
import { CodeStore } from '../store/codes.ts'
import { CustomerStore } from '../store/customers.ts'
import type { Queries } from '../store/database.ts'
import { appendEntry } from '../store/ledger-entries.ts'
import { RewardStore } from '../store/rewards.ts'
import { TillStore } from '../store/tills.ts'
import { createSeededRandom, seededCustomers, type SeededCustomer } from './customers.ts'

/** Number of records of a new business. */
export interface SeedSize {
  readonly customers: number
  readonly rewards: number
}

/** A shop of average size. */
export const DEFAULT_SEED: SeedSize = { customers: 500, rewards: 24 }

/** Customers that are added at a time. */
const BATCH = 5000

/**
 * Adds a business with a token and sample data. Has to run in a transaction. All businesses have the same customers and
 * rewards. Their identifiers are derived from `hash` (64 hexadecimal digits): they differ between businesses and are the
 * same for the same token.
 */
export const seedBusiness = async (
  queries: Queries,
  { hash, now }: { readonly hash: string; readonly now: Date },
  size: Partial<SeedSize> = {}
): Promise<void> => {
  const counts = { ...DEFAULT_SEED, ...size }
  const randomBytes = seededBytes(hash.slice(0, 8))
  const entryBytes = seededBytes(hash.slice(8, 16))
  const at = now.toISOString()
  const businesses = new BusinessStore(queries)
  const number = (await businesses.list()).length + 1
  const business = await businesses.add(sampleBusiness(number, at))
  const till = { id: newIdentifier('till', entryBytes), business, name: 'Sample data', createdAt: at }
  await new TillStore(queries).add(till, hash)

  let batch: (SeededCustomer & CustomerIdentity)[] = []
  for (const customer of seededCustomers(counts.customers)) {
    batch.push({ id: newIdentifier('cus', randomBytes), ...customer })
    if (batch.length < BATCH) continue
    await addCustomers(queries, business, batch, { at, entryBytes })
    batch = []
  }
  await addCustomers(queries, business, batch, { at, entryBytes })
  for (const reward of seededRewards(counts.rewards, now)) {
    await new RewardStore(queries).add(business, { id: newIdentifier('rew', randomBytes), ...reward })
  }
  await addCodes(queries, business, now)
}

/** Returns a source of random bytes that is the same for the same 8 hexadecimal digits. */
const seededBytes = (digits: string): RandomBytes => {
  const random = createSeededRandom(Number.parseInt(digits, 16))
  return (length) => Uint8Array.from({ length }, () => Math.floor(random() * 256))
}

/** Adds customers, each with an entry that brings its points. */
const addCustomers = async (
  queries: Queries,
  business: BusinessKey,
  batch: readonly (SeededCustomer & CustomerIdentity)[],
  { at, entryBytes }: { readonly at: string; readonly entryBytes: RandomBytes }
): Promise<void> => {
  const keys = await new CustomerStore(queries).addAll(business, batch, at)
  for (const [index, { balance, lifetimePoints }] of batch.entries()) {
    const customer = keys[index]
    if (typeof customer !== 'number' || lifetimePoints === 0) continue
    const id = newIdentifier('ent', entryBytes)
    const rest = {
      code: null,
      reward: null,
      reason: 'Sample data',
      reverses: null,
      reference: null,
      cashier: null
    }
    const entry = {
      ...rest,
      id,
      kind: 'imported',
      points: balance,
      lifetimePoints,
      at,
      by: 'service'
    } as const
    await appendEntry(queries, { business, customer }, entry)
  }
}

const SHOP_NAMES = ['Café Meltemi', 'Φούρνος Ανεμώνη', 'Bistro Kéfi', 'Ζαχαροπλαστείο Γαρδένια'] as const

/** Days that sample codes can be collected: a shop trains for longer than its codes are valid. */
const SAMPLE_VALIDITY_DAYS = 3650

/** Returns the business with this number, from 1: a fictional shop in Athens. The names of the first four differ. */
const sampleBusiness = (number: number, createdAt: string): NewBusiness => ({
  id: `usr_training${String(number).padStart(4, '0')}`,
  name: SHOP_NAMES[number - 1] ?? `Café Meltemi ${number}`,
  timeZone: 'Europe/Athens',
  currentPlan: 'Growth',
  currentPlanInterval: 'monthly',
  address: {
    street: `Οδός Μελτεμιού ${10 + 2 * number}`,
    city: 'Αθήνα',
    state: 'Αττική',
    country: 'GR',
    zipCode: '105 57'
  },
  codeValidityDays: SAMPLE_VALIDITY_DAYS,
  collectPauseMinutes: 0,
  reversalMinutes: 60,
  creditLimit: null,
  creditApprovalLimit: null,
  offlineLimits: OFFLINE_LIMITS,
  createdAt
})

interface CatalogueItem {
  readonly name: string
  /** points */
  readonly cost: number
  readonly enabled?: false
}

/** In the order of the catalogue: by kind, not by cost. */
const CATALOGUE: readonly CatalogueItem[] = [
  { name: 'Greek coffee', cost: 80 },
  { name: 'Double espresso', cost: 90 },
  { name: 'Freddo cappuccino', cost: 120 },
  { name: 'Filter coffee refill', cost: 50 },
  { name: 'Mountain tea with thyme honey', cost: 110 },
  { name: 'Pumpkin spice latte', cost: 160, enabled: false },
  { name: 'Fresh orange juice', cost: 140 },
  { name: 'Koulouri', cost: 60 },
  { name: 'Cheese pie', cost: 150 },
  { name: 'Spinach pie', cost: 150 },
  { name: 'Bougatsa with cream', cost: 180 },
  { name: 'Portokalopita, a slice', cost: 200 },
  { name: 'Baklava, a plate for two', cost: 350 },
  { name: 'Christmas melomakarona, 500 g', cost: 450, enabled: false },
  { name: 'Breakfast for one', cost: 400 },
  { name: 'Brunch for two', cost: 950 },
  { name: 'Bag of house blend, 250 g', cost: 600 },
  { name: 'Bag of house blend, 1 kg', cost: 1900 },
  { name: 'Copper briki', cost: 1200 },
  { name: 'Two cups with the house mark', cost: 1000 },
  { name: 'Keep cup', cost: 750, enabled: false },
  { name: 'Canvas bag', cost: 500 },
  { name: 'Coffee tasting for two', cost: 2800 },
  { name: 'A year of Sunday coffees', cost: 5000 }
]

/** Returns item `index` of a catalogue that continues with numbered editions after its end. */
const itemAt = (index: number): CatalogueItem => {
  const item = CATALOGUE[index]
  if (item !== undefined) return item
  const repeated = CATALOGUE[index % CATALOGUE.length]
  const edition = Math.floor(index / CATALOGUE.length) + 1
  return { name: `${repeated?.name ?? 'Coffee'}, edition ${edition}`, cost: 50 + ((index * 37) % 496) * 10 }
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Generates the first `count` rewards, without ids. Their dates are in the year before `now`. */
export function* seededRewards(count: number, now: Date): Generator<Omit<StoredReward, 'id'>> {
  for (let index = 0; index < count; index += 1) {
    const { name, cost, enabled = true } = itemAt(index)
    const created = now.getTime() - (360 - (index % 24) * 7) * DAY_MS
    yield {
      name,
      cost,
      index: index + 1,
      isEnable: enabled,
      createdAt: new Date(created).toISOString(),
      // A disabled reward has been updated since.
      updatedAt: new Date(enabled ? created : created + 120 * DAY_MS).toISOString()
    }
  }
}

/**
 * QR codes of the first business, so that codes can be checked without issuing one: codes are unique over all businesses.
 * The digits are the points.
 */
export const SEEDED_CODES = {
  unused: ['TRAINING0050', 'TRAINING0250', 'TRAINING1000'],
  used: ['TRAININGUSED']
} as const

/** Adds the codes, with dates in the two days before `now`, unless another business has them. */
const addCodes = async (queries: Queries, business: BusinessKey, now: Date): Promise<void> => {
  const codes = new CodeStore(queries)
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * HOUR_MS).toISOString()
  const expiresAt = expiryOfCode(now, SAMPLE_VALIDITY_DAYS)
  const unused = { image: false, createdAt: hoursAgo(26), updatedAt: hoursAgo(26), expiresAt }
  for (const code of SEEDED_CODES.unused) {
    await codes.add(business, { ...unused, code, points: Number(code.slice(-4)) })
  }
  const used = { image: true, createdAt: hoursAgo(47), updatedAt: hoursAgo(47), expiresAt }
  for (const code of SEEDED_CODES.used) {
    const added = await codes.add(business, { ...used, code, points: 120 })
    if (added) await codes.use(business, code, { customer: null, at: hoursAgo(3) })
  }
}
