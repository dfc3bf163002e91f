/** Fills a new business with sample data that is the same on every machine. */
import {
  newIdentifier,
  type BusinessId,
  type CodeStore,
  type CustomerStore,
  type RewardStore,
  type StoredCode,
  type StoredReward
} from '../store.ts'
import { createSeededRandom, seededCustomers, type SeededCustomer } from './customers.ts'

/** Number of records of a new business. */
export interface SeedSize {
  readonly customers: number
  readonly rewards: number
}

/** A shop of average size. */
export const DEFAULT_SEED: SeedSize = { customers: 500, rewards: 24 }

interface SeedStores {
  readonly customers: CustomerStore
  readonly rewards: RewardStore
  readonly codes: CodeStore
}

/**
 * Adds the data of one business. Has to run in a transaction. All businesses have the same customers and rewards. Their
 * identifiers are derived from `hash` (64 hexadecimal digits): they differ between businesses and are the same for the
 * same token.
 */
export const seedBusiness = (
  { customers, rewards, codes }: SeedStores,
  { business, hash, now }: { readonly business: BusinessId; readonly hash: string; readonly now: Date },
  size: Partial<SeedSize> = {}
): void => {
  const counts = { ...DEFAULT_SEED, ...size }
  const random = createSeededRandom(Number.parseInt(hash.slice(0, 8), 16))
  const randomBytes = (length: number) => Uint8Array.from({ length }, () => Math.floor(random() * 256))
  const withId = (customer: SeededCustomer) => ({ id: newIdentifier('cus', randomBytes), ...customer })
  customers.addAll(business, seededCustomers(counts.customers).map(withId))
  for (const reward of seededRewards(counts.rewards, now)) {
    rewards.add(business, { id: newIdentifier('rew', randomBytes), ...reward })
  }
  for (const code of seededCodes(now)) codes.add(business, code)
}

/** The fields of the account (interface document, part 2) without links and counts. */
interface Profile {
  readonly id: string
  readonly name: string
  readonly timeZone: string
  readonly currentPlan: string
  readonly currentPlanInterval: string
  readonly address: {
    readonly street: string
    readonly city: string
    readonly state: string
    readonly country: string
    readonly zipCode: string
  }
}

const SHOP_NAMES = ['Café Meltemi', 'Φούρνος Ανεμώνη', 'Bistro Kéfi', 'Ζαχαροπλαστείο Γαρδένια'] as const

/** Returns the profile of a business: a fictional shop in Athens. The names of the first four differ. */
export const profileOf = (business: BusinessId): Profile => ({
  id: `usr_training${String(business).padStart(4, '0')}`,
  name: SHOP_NAMES[business - 1] ?? `Café Meltemi ${business}`,
  timeZone: 'Europe/Athens',
  currentPlan: 'Growth',
  currentPlanInterval: 'monthly',
  address: {
    street: `Οδός Μελτεμιού ${10 + 2 * business}`,
    city: 'Αθήνα',
    state: 'Αττική',
    country: 'Greece',
    zipCode: '105 57'
  }
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

/** QR codes of every business, so that codes can be checked without issuing one. The digits are the points. */
export const SEEDED_CODES = {
  unused: ['TRAINING0050', 'TRAINING0250', 'TRAINING1000'],
  used: ['TRAININGUSED']
} as const

/** Returns the codes with dates in the two days before `now`. */
const seededCodes = (now: Date): readonly StoredCode[] => {
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * HOUR_MS).toISOString()
  const unused = SEEDED_CODES.unused.map((code) => ({
    code,
    points: Number(code.slice(-4)),
    image: false,
    createdAt: hoursAgo(26),
    updatedAt: hoursAgo(26),
    usedAt: null
  }))
  const used = SEEDED_CODES.used.map((code) => ({
    code,
    points: 120,
    image: true,
    createdAt: hoursAgo(47),
    updatedAt: hoursAgo(3),
    usedAt: hoursAgo(3)
  }))
  return [...unused, ...used]
}
