/** The rewards catalogue of a training business. */
import type { StoredReward } from '../store/rewards.ts'

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
