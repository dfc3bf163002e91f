/**
 * SIGKILL of the commands that fill a database of PostgreSQL, on both sides of each message that commits: the shop is as before
 * or as after, its ledger is right, who was erased stays so, and the command can be run again.
 */
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, inject, it } from 'vitest'
import { dataFile } from '../../electron/service/cli/place.ts'
import { copyDatabase } from '../../electron/service/store/copy.ts'
import type { Database } from '../../electron/service/store/database.ts'
import { openSqlite } from '../../electron/service/store/sqlite.ts'
import { verifyLedger } from '../../electron/service/store/verify.ts'
import { CommitProxy, type CommitPoint } from '../support/postgres/commit-proxy.ts'
import { createTestDatabase } from '../support/postgres/databases.ts'
import { Shop } from '../support/service-shop.ts'
import { FULL } from '../support/size.ts'
import { ServiceProgram } from '../unit/service/cli/program.ts'

/** Kills of each command, spread over its commits; all of them in the full size. */
const KILLS = FULL ? Number.POSITIVE_INFINITY : 3
/** For a test that hangs. */
const TEST_TIMEOUT_MS = 3_600_000

const ERASED_PHONE = '+306940000002'
/** Three transactions of an import. */
const IMPORTED = 450

const program = new ServiceProgram()

type Customers = readonly unknown[]

/** Every customer who was not erased, with the balance. */
const customersIn = (database: Database): Promise<Customers> =>
  database.read('SELECT phone, balance FROM customers WHERE phone IS NOT NULL ORDER BY phone')

/** Makes a shop of two customers in the folder of the program, of whom one was erased, and a file that has them and others. */
const makeShop = async (): Promise<string> => {
  mkdirSync(program.data)
  const database = await openSqlite(dataFile(program.data))
  const shop = await Shop.addTo(database)
  await shop.adjust(await shop.register('+306940000001', 'Grace'), 100)
  await shop.identities.erase(shop.business, await shop.register(ERASED_PHONE, 'Zoé'))
  await database.close()
  const lines = Array.from({ length: IMPORTED }, (_, index) => `+30695${String(1_000_000 + index)},3`)
  const csv = join(program.folder, 'customers.csv')
  writeFileSync(csv, ['phone,balance', `${ERASED_PHONE},50`, ...lines, ''].join('\n'))
  return csv
}

interface CommandKills {
  readonly args: (url: string, csv: string) => readonly string[]
  /** whether the shop is in the database before */
  readonly isCopied: boolean
  /** whether what a killed run leaves is right */
  readonly isRight: (left: Customers, before: Customers, after: Customers) => boolean
  /** how a run after a killed one ends, and a whole one */
  readonly end: RegExp
}

const COMMANDS: Readonly<Record<string, CommandKills>> = {
  // On a database without the schema: it has the tables first.
  copy: {
    args: (url) => ['copy', '--from', program.data, '--to', url],
    isCopied: false,
    isRight: (left, _, after) => left.length === 0 || isDeepStrictEqual(left, after),
    end: /The ledger is right\.|The target has data already/
  },
  import: {
    args: (url, csv) => ['import', csv, '--customers', '--database', url],
    isCopied: true,
    // Line by line, each with its points.
    isRight: (left, before, after) =>
      left.length >= before.length && isDeepStrictEqual(left, after.slice(0, left.length)),
    end: /; refused: 1\nline 2: The customer was erased here/
  }
}

it.each(Object.entries(COMMANDS))(
  'the data are as before or as after %s into PostgreSQL at every commit',
  { timeout: TEST_TIMEOUT_MS },
  async (name, { args, isCopied, isRight, end }) => {
    const csv = await makeShop()
    /** Runs a command on a database of its own, killed at a point. */
    const runKilled = async (point: CommitPoint | null) => {
      const created = await createTestDatabase(inject('postgresUrl') ?? '', 'template0')
      const open = created.open
      const look = async (): Promise<Customers> => {
        const database = await open()
        try {
          expect(await verifyLedger(database)).toEqual([])
          const customers = await customersIn(database)
          expect(JSON.stringify(customers)).not.toContain(ERASED_PHONE)
          return customers
        } finally {
          await database.close()
        }
      }
      if (isCopied) {
        const [source, target] = [await openSqlite(dataFile(program.data)), await open()]
        await copyDatabase(source, target, () => undefined)
        await Promise.all([source.close(), target.close()])
      }
      const before = isCopied ? await look() : []
      const proxy = await CommitProxy.start(created.url)
      const child = program.start(args(proxy.url, csv))
      if (point !== null) proxy.killAt(child, point)
      child.stdout.resume()
      child.stderr.resume()
      const closed: unknown[] = await once(child, 'close')
      const { commits } = proxy
      await proxy.close()
      const left = await look()
      const again = await program.exactly(...args(created.url, csv))
      const whole = await look()
      await created.remove()
      return { before, left, whole, commits, said: again.stdout + again.stderr, signal: closed[1] }
    }

    const { commits, left: after } = await runKilled(null)
    const points = Array.from({ length: commits }, (_, index) =>
      (['before', 'after'] as const).map((side) => ({ index, side }))
    ).flat()
    const kills = Math.min(points.length, KILLS)
    for (let kill = 0; kill < kills; kill += 1) {
      const point = points[Math.floor((kill * points.length) / kills)]
      if (point === undefined) throw new Error('no such point')
      const { before, left, whole, said, signal } = await runKilled(point)
      const where = `${name} was killed ${point.side} commit ${String(point.index)}`
      expect({ where, signal, isRight: isRight(left, before, after), whole, said }).toEqual({
        ...{ where, signal: 'SIGKILL', isRight: true, whole: after },
        said: expect.stringMatching(end) as unknown
      })
    }
    process.stdout.write(`${name} into PostgreSQL: ${String(kills)} kills at ${String(commits)} commits\n`)
  }
)
