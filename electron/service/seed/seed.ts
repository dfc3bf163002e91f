/** Fills a new business with a believable shop, in the transaction of whoever calls. */
import {
  newIdentifier,
  type BusinessNumber,
  type CodeStore,
  type CustomerStore,
  type RewardStore,
  type StoredCode,
  type StoredReward
} from '../store.ts'
import { bytesFrom, chanceFrom, seededCustomers, type SeededCustomer } from './customers.ts'

/** How much a new business has. */
export interface SeedSize {
  readonly customers: number
  readonly rewards: number
}

/** A shop of ordinary size. */
export const DEFAULT_SEED: SeedSize = { customers: 500, rewards: 24 }

interface SeedStores {
  readonly customers: CustomerStore
  readonly rewards: RewardStore
  readonly codes: CodeStore
}

/**
 * Adds the seed of one business. All businesses have the same people and rewards; identifiers follow from `hash`
 * (64 hexadecimal digits), so that they differ between businesses and repeat for the same token.
 */
export const seedBusiness = (
  { customers, rewards, codes }: SeedStores,
  { business, hash, now }: { readonly business: BusinessNumber; readonly hash: string; readonly now: Date },
  size: Partial<SeedSize> = {}
): void => {
  const wanted = { ...DEFAULT_SEED, ...size }
  const random = bytesFrom(chanceFrom(Number.parseInt(hash.slice(0, 8), 16)))
  const withIdentifier = (customer: SeededCustomer) => ({ id: newIdentifier('cus', random), ...customer })
  customers.addAll(business, seededCustomers(wanted.customers).map(withIdentifier))
  for (const reward of seededRewards(wanted.rewards, now)) {
    rewards.add(business, { id: newIdentifier('rew', random), ...reward })
  }
  for (const code of seededCodes(now)) codes.add(business, code)
}

/* from profile.ts: The profiles of training businesses: shops in Athens that do not exist. */

/** What the account (interface document, part 2) says beside links and counts. */
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

const shopNames = ['Café Meltemi', 'Φούρνος Ανεμώνη', 'Bistro Kéfi', 'Ζαχαροπλαστείο Γαρδένια'] as const

/** The profile of a business; the first few have names of their own, so that nobody takes one for another. */
export const profileOf = (business: BusinessNumber): Profile => ({
  id: `usr_training${String(business).padStart(4, '0')}`,
  name: shopNames[business - 1] ?? `Café Meltemi ${business}`,
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

/* from rewards.ts: The rewards catalogue of a training business. */

interface Item {
  readonly name: string
  /** points */
  readonly cost: number
  readonly enabled?: false
}

/** In the order of the catalogue, which is by kind and not by cost. */
const catalogue: readonly Item[] = [
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

const itemAt = (index: number): Item => {
  const item = catalogue[index]
  if (item !== undefined) return item
  const again = catalogue[index % catalogue.length]
  const round = Math.floor(index / catalogue.length) + 1
  return { name: `${again?.name ?? 'Coffee'}, edition ${round}`, cost: 50 + ((index * 37) % 496) * 10 }
}

/** Milliseconds of a day. */
const day = 86_400_000

/** The first `count` rewards without identifiers; dates lie in the year before `now`. */
export function* seededRewards(count: number, now: Date): Generator<Omit<StoredReward, 'id'>> {
  for (let index = 0; index < count; index += 1) {
    const { name, cost, enabled = true } = itemAt(index)
    const created = now.getTime() - (360 - (index % 24) * 7) * day
    yield {
      name,
      cost,
      index: index + 1,
      isEnable: enabled,
      createdAt: new Date(created).toISOString(),
      // A reward that was switched off was changed since.
      updatedAt: new Date(enabled ? created : created + 120 * day).toISOString()
    }
  }
}

/* from codes.ts: QR codes that every training business has, so that a code can be checked before one was printed. */

/** Codes by what checking them shows. */
export const SEEDED_CODES = {
  unused: ['TRAINING0050', 'TRAINING0250', 'TRAINING1000'],
  used: ['TRAININGUSED']
} as const

/** Milliseconds of an hour. */
const hour = 3_600_000

/** The seeded codes; dates lie in the two days before `now`. */
const seededCodes = (now: Date): readonly StoredCode[] => {
  const before = (hours: number) => new Date(now.getTime() - hours * hour).toISOString()
  const unused = SEEDED_CODES.unused.map((code) => ({
    code,
    points: Number(code.slice(-4)),
    image: false,
    createdAt: before(26),
    updatedAt: before(26),
    usedAt: null
  }))
  const used = SEEDED_CODES.used.map((code) => ({
    code,
    points: 120,
    image: true,
    createdAt: before(47),
    updatedAt: before(3),
    usedAt: before(3)
  }))
  return [...unused, ...used]
}
