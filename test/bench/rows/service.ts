/** The training service: requests a second against a constant answer, and its search against SQLite's. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { LoyaltyPointsService, KNOWN_CUSTOMERS } from '../../../electron/service/index.ts'
import { customerKeys } from '../../../electron/service/store/customers.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import type { Bench, Growing } from '../bench.ts'
import type { Measured, Samples } from '../line.ts'
import { requestsPerSecond, startServer } from '../service/server.ts'
import { milliseconds, sideBySide, type Rounds } from '../side-by-side.ts'
import { atRank } from '../statistics.ts'

const TOKEN = 'bench'
const PAGE = 20
/** Parts of names, e-mails and phones, some of many customers and some of few. */
const SEARCHES = [
  'mar',
  'papad',
  'anna',
  'ander',
  'kim',
  'lopez',
  '4917',
  'example',
  'σ',
  'no customer of this name'
]

const [customer] = KNOWN_CUSTOMERS

/** What the service is held against: the least that a server in Node does, and the least that one by hono does. */
const CONSTANTS = [
  {
    program: 'constant.ts',
    against: 'node:http with a constant answer',
    target: { kind: 'at least times', times: 0.5 }
  },
  { program: 'constant-hono.ts', against: 'hono with a constant answer', target: { kind: 'none' } }
] as const

async function served(full: boolean, say: (message: string) => void): Promise<Measured[]> {
  say('requests a second')
  const path = `/customers/${encodeURIComponent(customer.phone)}?type=phone`
  const ours = await startServer(join(PROJECT, 'electron/service/cli/main.ts'), [
    ...['--port', '0', '--token', TOKEN]
  ])
  const [rounds, span]: [Rounds, number] = full
    ? [{ rounds: 15, warmUp: 3 }, 1500]
    : [{ rounds: 1, warmUp: 0 }, 200]
  const lines: Measured[] = []
  try {
    const answer = await fetch(`${ours.url.href}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } })
    const body = await answer.text()
    for (const { program, against, target } of CONSTANTS) {
      const constant = await startServer(join(import.meta.dirname, '../service', program), [body])
      try {
        const samples = await sideBySide(
          rounds,
          () => requestsPerSecond(ours, path, TOKEN, span),
          () => requestsPerSecond(constant, path, TOKEN, span)
        )
        lines.push({
          name: 'training: a customer by phone',
          unit: 'requests/s',
          samples,
          against,
          target
        })
      } finally {
        await constant.close()
      }
    }
  } finally {
    await ours.close()
  }
  return lines
}

/** Searches in process, as the till in training asks, and SQLite's own statement on the same file. */
async function searched(folder: string, customers: number, rounds: Rounds): Promise<Samples> {
  const file = join(folder, `${String(customers)}.sqlite`)
  const service = await LoyaltyPointsService.open({
    file,
    tokens: [TOKEN],
    publicUrl: 'http://127.0.0.1:1',
    seed: { customers }
  })
  const database = new DatabaseSync(file)
  try {
    const columns = 'id, name, email, phone, balance, lifetime_points AS lifetimePoints'
    const match = database.prepare(
      `SELECT ${columns} FROM customers WHERE customer IN (
         SELECT rowid FROM customer_search WHERE customer_search MATCH ? AND rowid BETWEEN ? AND ?
         ORDER BY rowid LIMIT ? OFFSET 0
       ) ORDER BY customer`
    )
    const scan = database.prepare(
      `SELECT ${columns} FROM customers WHERE customer BETWEEN ? AND ? AND instr(search_text, ?) > 0
       ORDER BY customer LIMIT ? OFFSET 0`
    )
    const range = customerKeys(1)
    const bare = (text: string): unknown =>
      // The index of three letters cannot help with fewer.
      text.length < 3 ? scan.all(...range, text, PAGE + 1) : match.all(`"${text}"`, ...range, PAGE + 1)
    const headers = { authorization: `Bearer ${TOKEN}` }
    const ask = async (text: string): Promise<void> => {
      const url = `http://127.0.0.1:1/api/customers/?name=${encodeURIComponent(text)}`
      const answer = await service.fetch(new Request(url, { headers }))
      if (answer.status !== 200) throw new Error(`The search for ${text} was answered with ${answer.status}`)
      await answer.json()
    }
    const samples: { ours: number[]; baseline: number[] } = { ours: [], baseline: [] }
    for (const text of SEARCHES) {
      const found = await sideBySide(
        rounds,
        () => milliseconds(() => ask(text)),
        () => milliseconds(() => bare(text))
      )
      samples.ours.push(...found.ours)
      samples.baseline.push(...found.baseline)
    }
    return samples
  } finally {
    database.close()
    await service.close()
  }
}

/** The row of the training service. */
export const trainingBench: Bench = {
  name: 'training',
  description: 'the training service against node:http, and its search against SQLite',
  async measure({ extent, folder, say }) {
    const full = extent === 'full'
    const requests = await served(full, say)
    const rounds = full ? { rounds: 60, warmUp: 15 } : { rounds: 2, warmUp: 1 }
    const measured: { readonly size: number; readonly samples: Samples }[] = []
    for (const size of full ? [1000, 10_000, 100_000] : [1000]) {
      say(`search over ${size.toLocaleString('en')} customers`)
      measured.push({ size, samples: await searched(folder, size, rounds) })
    }
    const searches = measured.map(({ size, samples }): Measured => ({
      name: `training: search over ${size.toLocaleString('en')}`,
      unit: 'ms',
      samples,
      against: 'the same statement, bare',
      target: { kind: 'at most more', more: 1, rank: 'p50' }
    }))
    const growing: Growing = {
      name: 'training: search',
      of: 'customers',
      points: measured.map(({ size, samples }) => ({ size, cost: atRank(samples.ours, 'p50') }))
    }
    return { lines: [...requests, ...searches.slice(-1)], growing: [growing] }
  }
}
