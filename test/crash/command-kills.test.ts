/**
 * SIGKILL of the commands that replace, copy and fill data, at each system call that renames, removes or syncs a file: the shop
 * is as before or as after, its ledger is right, who was erased stays so, and the command can be run again.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdDecompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { dataFile } from '../../electron/service/cli/place.ts'
import { openSqlite } from '../../electron/service/store/sqlite.ts'
import { backUpFile } from '../../electron/service/store/sqlite-files.ts'
import { verifyLedger } from '../../electron/service/store/verify.ts'
import { Shop } from '../support/service-shop.ts'
import { FULL } from '../support/size.ts'
import { straceSkipReason, SystemCalls } from '../support/system-calls.ts'
import { MAIN, ServiceProgram } from '../unit/service/cli/program.ts'

/** Kills of each command, spread over its calls; all of them in the full size. */
const KILLS = Number(process.env['TILLPOINTS_KILLS'] ?? (FULL ? Number.POSITIVE_INFINITY : 3))
/** For a test that hangs. */
const TEST_TIMEOUT_MS = 3_600_000

const ERASED_PHONE = '+306940000002'
/** Several transactions of an import. */
const IMPORTED = 1200

const program = new ServiceProgram()

/** Every customer with the balance, in a text; null for no file. */
const customersIn = (file: string): string | null => {
  if (!existsSync(file)) return null
  const database = new DatabaseSync(file)
  const rows = database.prepare('SELECT phone, balance FROM customers ORDER BY customer').all()
  database.close()
  return JSON.stringify(rows)
}

/** Opens the data as the next start does. Rejects if something is wrong with them. Returns the customers. */
const recovered = async (file: string): Promise<string | null> => {
  const database = await openSqlite(file)
  expect(await database.read('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(await verifyLedger(database)).toEqual([])
  await database.close()
  return customersIn(file)
}

/** Backups that commands make, what is left of them, and one that is decompressed. */
const COPIES = [
  ...['copy.sqlite', 'copy.sqlite.partial', 'decompressed.sqlite'],
  ...['copy.sqlite.zst', 'copy.sqlite.zst.partial', 'copy.sqlite.zst.partial.zst']
]

/** Decompresses the backup `copy.sqlite.zst`, if it is there, and returns the file. Throws if it is not whole. */
const decompressed = (): string => {
  const [copy, file] = [join(program.folder, 'copy.sqlite.zst'), join(program.folder, 'decompressed.sqlite')]
  if (existsSync(copy)) writeFileSync(file, zstdDecompressSync(readFileSync(copy)))
  return file
}

/** The folder of a shop, backups of it from before its last changes, and a file to import. */
class Prepared {
  readonly folder = join(program.folder, 'prepared')
  readonly data = program.data
  readonly file = dataFile(program.data)
  readonly backup = join(program.folder, 'backup.sqlite')
  readonly compressed = join(program.folder, 'backup.sqlite.zst')
  readonly csv = join(program.folder, 'customers.csv')
  before = ''

  static async make(): Promise<Prepared> {
    const prepared = new Prepared()
    mkdirSync(prepared.data)
    const database = await openSqlite(prepared.file)
    const shop = await Shop.addTo(database)
    const staying = await shop.register('+306940000001', 'Grace')
    const erased = await shop.register(ERASED_PHONE, 'Zoé')
    await shop.adjust(staying, 100)
    await shop.adjust(erased, 50)
    const options = { report: () => undefined, signal: new AbortController().signal }
    await backUpFile(prepared.file, prepared.backup, options)
    await backUpFile(prepared.file, prepared.compressed, options)
    await shop.adjust(staying, 7)
    await shop.identities.erase(shop.business, erased)
    // With the log of a service that was killed.
    cpSync(prepared.data, prepared.folder, { recursive: true })
    await database.close()
    prepared.before = customersIn(prepared.file) ?? ''
    const lines = Array.from({ length: IMPORTED }, (_, index) => `+30695${String(1_000_000 + index)},3`)
    writeFileSync(prepared.csv, ['phone,balance', ...lines, ''].join('\n'))
    return prepared
  }

  /** Makes the shop as it was, and nothing else. */
  reset(): void {
    for (const name of ['shop', 'target', ...COPIES, 'new'])
      rmSync(join(program.folder, name), { recursive: true, force: true })
    cpSync(this.folder, this.data, { recursive: true })
  }
}

interface CommandKills {
  readonly args: (prepared: Prepared) => readonly string[]
  /** looks at what a killed or a whole run leaves */
  readonly check: (prepared: Prepared, after: string | null, isWhole: boolean) => Promise<void>
  /** the data that the command changes */
  readonly changed: (prepared: Prepared) => string
}

const target = (): string => dataFile(join(program.folder, 'target'))

const sum = (text: string | null): number =>
  [...(text ?? '').matchAll(/"\+30695\d+","balance":(\d+)/g)].reduce(
    (total, [, points]) => total + Number(points),
    0
  )

const restoring = (backup: 'backup' | 'compressed'): CommandKills => ({
  args: (prepared) => ['restore', prepared[backup], '--data', prepared.data],
  changed: ({ file }) => file,
  check: async ({ before, file }, after, isWhole) => {
    const customers = await recovered(file)
    expect(isWhole ? [after] : [before, after]).toContain(customers)
    expect(customers).not.toContain(ERASED_PHONE)
  }
})

/** @param copyOf returns the backup that the command has made, to be looked at */
const backingUp = (name: string, copyOf: () => string): CommandKills => ({
  args: ({ data }) => ['backup', join(program.folder, name), '--data', data],
  changed: copyOf,
  check: async ({ before, file }, after, isWhole) => {
    expect(await recovered(file)).toBe(before)
    const copy = copyOf()
    if (existsSync(copy)) expect(await recovered(copy)).toBe(after)
    else expect(isWhole).toBe(false)
  }
})

const COMMANDS: Readonly<Record<string, CommandKills>> = {
  restore: restoring('backup'),
  'restore of a compressed backup': restoring('compressed'),
  backup: backingUp('copy.sqlite', () => join(program.folder, 'copy.sqlite')),
  'a compressed backup': backingUp('copy.sqlite.zst', decompressed),
  copy: {
    args: ({ data }) => ['copy', '--from', data, '--to', join(program.folder, 'target')],
    changed: target,
    check: async ({ before, file }, after, isWhole) => {
      expect(await recovered(file)).toBe(before)
      if (!existsSync(target())) expect(isWhole).toBe(false)
      else expect(await recovered(target())).toBe(after)
    }
  },
  import: {
    args: ({ csv, data }) => ['import', csv, '--customers', '--data', data],
    changed: ({ file }) => file,
    check: async ({ before, file }, after, isWhole) => {
      const customers = await recovered(file)
      // Line by line, each with its points.
      const points = sum(customers)
      expect(customers?.startsWith(before.slice(0, -1))).toBe(true)
      expect(points).toBe(3 * (customers?.match(/"\+30695/g) ?? []).length)
      if (isWhole) expect(customers).toBe(after)
    }
  },
  init: {
    args: () => ['init', '--data', join(program.folder, 'new')],
    changed: () => dataFile(join(program.folder, 'new')),
    check: async (_, after) => {
      const file = dataFile(join(program.folder, 'new'))
      if (existsSync(file)) expect(await recovered(file)).toBe(after)
    }
  }
}

it.skipIf(straceSkipReason() !== null).each(Object.entries(COMMANDS))(
  'the data are as before or as after %s at every moment',
  { timeout: TEST_TIMEOUT_MS },
  async (name, { args, changed, check }) => {
    const prepared = await Prepared.make()
    // Two threads: the calls of each are counted apart.
    const command = ['env', 'UV_THREADPOOL_SIZE=1', process.execPath, MAIN, ...args(prepared)]
    const calls = new SystemCalls(program.folder)
    prepared.reset()
    const points = await calls.record(command)
    const after = customersIn(changed(prepared))
    await check(prepared, after, true)

    const step = Math.max(1, points.length / KILLS)
    let kills = 0
    for (let at = 0; at < points.length; at += step) {
      const point = points[Math.floor(at)]
      if (point === undefined) continue
      prepared.reset()
      if (await calls.killAt(point, command)) kills += 1
      const where = `${name} was killed at ${JSON.stringify(point)}`
      await check(prepared, after, false).catch((error: unknown) => {
        throw new Error(where, { cause: error })
      })
      const again = await program.exactly(...args(prepared))
      // What was done before the kill is not done twice.
      const isDone = /is there already|has data already/.test(again.stderr)
      expect({ ...again, where }).toMatchObject({ code: isDone ? 1 : 0 })
      await check(prepared, after, true)
    }
    expect(kills).toBeGreaterThan(0)
    process.stdout.write(`${name}: ${String(kills)} kills at ${String(points.length)} calls\n`)
  }
)
