/** From the key press to the customer, against the same request sent from Node by itself. */
import type { Bench } from '../bench.ts'
import { atMostTimes, type Samples } from '../line.ts'
import { milliseconds, sideBySide } from '../side-by-side.ts'
import { Counter } from '../window/counter.ts'
import { HEADERS, someCustomers, type Known } from '../window/customers.ts'
import { withService, withTill } from '../window/open.ts'

const EXTENT = {
  smoke: { customers: 500, rounds: 3, warmUp: 1 },
  full: { customers: 100_000, rounds: 80, warmUp: 10 }
} as const

/** Gives each of `all` in turn. */
function cycling<One>(all: readonly One[]): () => One {
  let turn = 0
  return () => {
    const one = all[turn++ % all.length]
    if (one === undefined) throw new Error('There is no customer to look up')
    return one
  }
}

/** The bench of the look-up. */
export const lookUpBench: Bench = {
  name: 'look-up',
  description: 'key press to the customer painted, against a bare fetch of the same address',
  measure({ extent, folder }) {
    const { customers, ...rounds } = EXTENT[extent]
    return withService(folder, customers, async (url) => {
      const people = await someCustomers(url, customers, 2 * (rounds.rounds + rounds.warmUp))
      return withTill({ folder, url }, async ({ page }) => {
        const counter = new Counter(page)
        await counter.ready()
        const fetchOne = async ({ phone }: Known): Promise<void> => {
          const path = `/customers/${encodeURIComponent(phone)}?type=phone`
          const answer = await fetch(url + path, { headers: HEADERS })
          await answer.text()
          if (!answer.ok) throw new Error(`The service answered ${String(answer.status)}`)
        }
        const measured = (ours: (known: Known) => Promise<number>): Promise<Samples> => {
          const [mine, bare] = [cycling(people), cycling(people)]
          return sideBySide(
            rounds,
            () => ours(mine()),
            () => milliseconds(() => fetchOne(bare()))
          )
        }
        // The rest is the frame of the page and two hops between the processes.
        const line = { unit: 'ms', against: 'bare fetch from Node', target: atMostTimes(6, 'p95') } as const
        const row = await measured((known) => counter.toTheRow(known))
        const card = await measured((known) => counter.toTheCard(known))
        return [
          { ...line, name: 'look-up: Enter to the card', samples: card },
          { ...line, name: 'look-up: last digit to the row', samples: row }
        ]
      })
    })
  }
}
