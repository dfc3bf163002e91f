/** From the key press to the customer, against the same requests sent from Node by themselves. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bench, Extent } from '../bench.ts'
import type { Samples } from '../line.ts'
import { milliseconds, sideBySide, type Rounds } from '../side-by-side.ts'
import { atRank, type CostAtSize } from '../statistics.ts'
import { Counter } from '../window/counter.ts'
import { HEADERS, someCustomers, type Known } from '../window/customers.ts'
import { withTill } from '../window/open.ts'
import { recordRequests, type LookUpRequests } from '../window/requests.ts'
import { withService } from '../window/service.ts'

/** Customers of the business, the last one the one that is judged. */
const SIZES: Readonly<Record<Extent, readonly [...number[], number]>> = {
  smoke: [500],
  full: [1_000, 10_000, 100_000]
}
/** For the size that is judged, and for the others, which show how the cost grows. */
const ROUNDS: Readonly<Record<Extent, { readonly judged: Rounds; readonly growing: Rounds }>> = {
  smoke: { judged: { rounds: 3, warmUp: 1 }, growing: { rounds: 3, warmUp: 1 } },
  full: { judged: { rounds: 80, warmUp: 10 }, growing: { rounds: 20, warmUp: 5 } }
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
function lookUp(
  folder: string,
  size: number,
  rounds: Rounds,
  requestsOf: LookUpRequests | null
): Promise<LookUps & { readonly requestsOf: LookUpRequests }> {
  return withService({ customers: size, file: join(folder, 'service.sqlite') }, async (url) => {
    const requests = requestsOf ?? (await recordRequests(join(folder, 'recording'), url))
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
      return { row, card, requestsOf: requests }
    })
  })
}

/** The bench of the look-up. */
export const lookUpBench: Bench = {
  name: 'look-up',
  description: 'key press to the customer painted, against a bare fetch of the same addresses',
  async measure({ extent, folder, say }) {
    let last: LookUps | undefined
    let requestsOf: LookUpRequests | null = null
    const ours: CostAtSize[] = []
    const bare: CostAtSize[] = []
    for (const size of SIZES[extent]) {
      say(`a business of ${size} customers`)
      const own = join(folder, String(size))
      await mkdir(own)
      const { judged, growing } = ROUNDS[extent]
      const rounds = size === SIZES[extent].at(-1) ? judged : growing
      const found = await lookUp(own, size, rounds, requestsOf)
      last = found
      requestsOf = found.requestsOf
      ours.push({ size, cost: atRank(found.card.ours, 'p50') })
      bare.push({ size, cost: atRank(found.card.baseline, 'p50') })
    }
    if (!last) throw new Error('The scan was ignored')
    const against = 'bare fetch from Node'
    const target = { kind: 'at most more', more: 25, rank: 'p95' } as const
    return {
      lines: [
        { name: 'look-up: Enter to the card', unit: 'ms', samples: last.card, against, target },
        { name: 'look-up: last digit to the row', unit: 'ms', samples: last.row, against, target }
      ],
      growing: [
        { name: 'look-up: Enter to the card', of: 'customers', points: ours },
        { name: 'look-up: bare fetch', of: 'customers', points: bare }
      ]
    }
  }
}
