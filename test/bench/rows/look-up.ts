/** From the key press to the customer, against the same requests sent from Node by themselves. */
import { join } from 'node:path'
import type { Bench, Extent } from '../bench.ts'
import type { Samples } from '../line.ts'
import { milliseconds, sideBySide, type Rounds } from '../side-by-side.ts'
import { Counter } from '../window/counter.ts'
import { HEADERS, someCustomers, type Known } from '../window/customers.ts'
import { withTill } from '../window/open.ts'
import { recordRequests } from '../window/requests.ts'
import { withService } from '../window/service.ts'

/** Customers of the business. */
const CUSTOMERS: Readonly<Record<Extent, number>> = { smoke: 500, full: 100_000 }
const ROUNDS: Readonly<Record<Extent, Rounds>> = {
  smoke: { rounds: 3, warmUp: 1 },
  full: { rounds: 80, warmUp: 10 }
}

interface LookUps {
  readonly row: Samples
  readonly card: Samples
}

/** Fetches all of them at once, as the till does, bodies included. */
const fetchAll = (urls: readonly string[]): Promise<unknown> =>
  Promise.all(urls.map(async (url) => (await fetch(url, { headers: HEADERS })).text()))

/** Gives each of `all` in turn. */
function cycling<One>(all: readonly One[]): () => One {
  let turn = 0
  return () => {
    const one = all[turn++ % all.length]
    if (one === undefined) throw new Error('There is no customer to look up')
    return one
  }
}

/** Looks up in a business of `size` customers, each time another one. */
async function lookUp(folder: string, size: number, rounds: Rounds): Promise<LookUps> {
  return withService({ customers: size, file: join(folder, 'service.sqlite') }, async (url) => {
    const requests = await recordRequests(join(folder, 'recording'), url)
    const people = await someCustomers(url, size, 2 * (rounds.rounds + rounds.warmUp))
    return withTill({ folder, url }, async ({ page }) => {
      const counter = new Counter(page)
      await counter.ready()
      const measured = (ours: (known: Known) => Promise<number>): Promise<Samples> => {
        const [mine, bare] = [cycling(people), cycling(people)]
        return sideBySide(
          rounds,
          () => ours(mine()),
          () => milliseconds(() => fetchAll(requests(url, bare().phone)))
        )
      }
      const row = await measured((known) => counter.toTheRow(known))
      const card = await measured((known) => counter.toTheCard(known))
      return { row, card }
    })
  })
}

/** The bench of the look-up. */
export const lookUpBench: Bench = {
  name: 'look-up',
  description: 'key press to the customer painted, against a bare fetch of the same addresses',
  async measure({ extent, folder }) {
    const { row, card } = await lookUp(folder, CUSTOMERS[extent], ROUNDS[extent])
    const against = 'bare fetch from Node'
    // The rest is the frame of the page and two hops between the processes.
    const target = { kind: 'at most times', times: 6, rank: 'p95' } as const
    return [
      { name: 'look-up: Enter to the card', unit: 'ms', samples: card, against, target },
      { name: 'look-up: last digit to the row', unit: 'ms', samples: row, against, target }
    ]
  }
}
