/**
 * Two service processes on three nodes with Patroni, under load, while nodes are killed. The longest time without an
 * acknowledged write is printed; docs/service.md has those of a machine that did nothing else.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import * as v from 'valibot'
import { expect, it, onTestFinished } from 'vitest'
import { PatroniCluster } from '../support/postgres/patroni.ts'
import { PointsLoad } from '../support/postgres/points-load.ts'
import { FULL } from '../support/size.ts'

const KILLS = FULL ? 5 : 1
/** Acknowledged writes between two faults. */
const WRITES = FULL ? 2000 : 200
/** For a test that hangs: each of its steps ends with a sentence earlier. */
const TEST_TIMEOUT_MS = 3_600_000

const PROGRAM = join(import.meta.dirname, '../../electron/service/cli/main.ts')
const PUBLIC_URL = 'https://points.example.com'

const say = (text: string): boolean => process.stdout.write(`${text}\n`)

/** Starts a command of the service on the cluster. The process ends with the cluster. */
const start = (cluster: PatroniCluster, ...args: string[]) =>
  spawn(process.execPath, [PROGRAM, ...args, '--database', cluster.url, '--json'], {
    cwd: cluster.folder,
    stdio: ['ignore', 'pipe', 'inherit']
  })

/** Runs a command, and returns what it prints. */
const run = async <Schema extends v.GenericSchema>(
  cluster: PatroniCluster,
  schema: Schema,
  ...args: string[]
): Promise<v.InferOutput<Schema>> => {
  const child = start(cluster, ...args)
  let printed = ''
  child.stdout.on('data', (data: Buffer) => (printed += data.toString()))
  const [code] = v.parse(v.looseTuple([v.nullable(v.number())]), await once(child, 'close'))
  expect(code, args.join(' ')).toBe(0)
  return v.parse(schema, JSON.parse(printed))
}

/** Starts a service process, and returns its base URL. */
const serve = async (cluster: PatroniCluster): Promise<string> => {
  const { stdout } = start(
    ...([cluster, 'serve', '--port', '0', '--public-url', PUBLIC_URL, '--behind-proxy', '127.0.0.1'] as const)
  )
  const [line] = v.parse(v.tuple([v.string()]), await once(createInterface(stdout), 'line'))
  return v.parse(v.object({ url: v.string() }), JSON.parse(line)).url
}

const openServices = async (cluster: PatroniCluster) => {
  await run(cluster, v.object({}), 'init')
  await run(cluster, v.object({}), 'business', 'add', '--name', 'Corner Café', '--country', 'GR')
  const urls = [await serve(cluster), await serve(cluster)] as const
  const { code } = await run(cluster, v.object({ code: v.string() }), 'till', 'pair', '--name', 'Till 1')
  const headers = { 'content-type': 'application/json' }
  const paired = await fetch(new URL('/pair', urls[0]), {
    method: 'POST',
    headers,
    body: JSON.stringify({ code })
  })
  const { token } = v.parse(v.object({ token: v.string() }), await paired.json())
  return { urls, token, publicUrl: PUBLIC_URL }
}

/** Compares what the database has with what was acknowledged. */
const compare = async (cluster: PatroniCluster, { issued, collected }: PointsLoad): Promise<void> => {
  const { host } = await cluster.leader()
  const client = new Client({
    host,
    user: 'postgres',
    database: 'postgres'
  })
  await client.connect()
  const codes = await client.query<{ code: string; points: string }>('SELECT code, points FROM codes')
  const entries = await client.query<{ code: string; phone: string }>(
    'SELECT e.code, c.phone FROM entries e JOIN customers c USING (customer) ORDER BY e.entry'
  )
  const balances = await client.query<{ phone: string; balance: string }>(
    'SELECT phone, balance FROM customers'
  )
  await client.end()

  const pointsOf = new Map(codes.rows.map(({ code, points }) => [code, Number(points)]))
  expect(
    [...issued].filter(([code, points]) => pointsOf.get(code) !== points),
    'lost codes'
  ).toEqual([])
  const phoneOf = new Map(entries.rows.map(({ code, phone }) => [code, phone]))
  expect(
    [...collected].filter(([code, phone]) => phoneOf.get(code) !== phone),
    'lost points'
  ).toEqual([])
  expect(
    entries.rows.filter(({ code, phone }) => collected.get(code) !== phone),
    'points that none got'
  ).toEqual([])
  expect(entries.rows, 'codes that were collected twice').toHaveLength(phoneOf.size)
  const sums = new Map<string, number>()
  for (const [code, phone] of collected) sums.set(phone, (sums.get(phone) ?? 0) + (issued.get(code) ?? 0))
  const wrong = balances.rows.filter(({ phone, balance }) => Number(balance) !== (sums.get(phone) ?? 0))
  expect(wrong, 'wrong balances').toEqual([])
}

it(
  'loses no acknowledged write and does none twice while nodes are killed',
  { timeout: TEST_TIMEOUT_MS },
  async () => {
    const cluster = await PatroniCluster.start()
    onTestFinished(() => cluster.remove())
    const load = new PointsLoad(await openServices(cluster))
    load.start()
    await load.acknowledged(WRITES)
    load.takeLongestGap()

    /** Waits until writes are acknowledged again, and for the cluster to be complete for the next fault. */
    const recovered = async (fault: string): Promise<void> => {
      await load.acknowledged(WRITES)
      await cluster.healthy()
      say(`${fault}: no acknowledged write for ${load.takeLongestGap().toFixed(1)} s`)
    }
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const startAgain = await cluster.killLeader()
      await cluster.leader()
      startAgain()
      await recovered(`leader killed (${String(kill)})`)
    }
    await cluster.switchOver()
    await recovered('switchover')
    if (FULL) {
      cluster.killAndStartAll()
      await recovered('all nodes killed and started again')
    }
    await load.stop()

    await run(cluster, v.unknown(), 'verify')
    await compare(cluster, load)
    const { issued, collected, refused } = load
    say(
      `acknowledged: ${String(issued.size)} codes, ${String(collected.size)} collected; refused: ${String(refused)}`
    )
  }
)
