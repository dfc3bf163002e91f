/** `backup` and `restore`, on real files. */
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import * as v from 'valibot'
import { expect, it, vi } from 'vitest'
import { backupCommands } from '../../../../electron/service/cli/backup.ts'
import { runCommand } from '../../../../electron/service/cli/command.ts'
import { abortOnSignal } from '../../../../electron/service/cli/process.ts'
import { Progress } from '../../../../electron/service/cli/progress.ts'
import { backupName } from '../../../../electron/service/domain/backups.ts'
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { CashierStore } from '../../../../electron/service/store/cashiers.ts'
import { CodeStore } from '../../../../electron/service/store/codes.ts'
import { copyDatabase } from '../../../../electron/service/store/copy.ts'
import { DeviceStore } from '../../../../electron/service/store/devices.ts'
import { openSqlite } from '../../../../electron/service/store/sqlite.ts'
import { backUpFile } from '../../../../electron/service/store/sqlite-files.ts'
import { OfflineKeyStore } from '../../../../electron/service/store/offline-keys.ts'
import { StaffMemberStore } from '../../../../electron/service/store/staff-members.ts'
import { TillStore } from '../../../../electron/service/store/tills.ts'
import { Shop } from '../../../support/service-shop.ts'
import { ServiceProgram } from './program.ts'

const program = new ServiceProgram()
const made = v.object({ file: v.string(), removed: v.array(v.string()) })
const restored = v.object({ replaced: v.string(), erasures: v.number(), unread: v.array(v.string()) })

/** Makes a service with two customers, and returns their ids. */
const makeShop = async () => {
  await program.run('init')
  const database = await openSqlite(join(program.data, 'service.sqlite'))
  const shop = await Shop.addTo(database)
  const ids = [
    await shop.register('+306940000001', 'Grace'),
    await shop.register('+306940000002', 'Zoé')
  ] as const
  await shop.adjust(ids[0], 100)
  await shop.adjust(ids[1], 50)
  await database.close()
  return ids
}

it('restores the points of a backup, and erases again who was erased since', async () => {
  const [staying, erased] = await makeShop()
  const { file } = await program.json(made, 'backup')
  expect(file).toMatch(/backups\/\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z\.sqlite\.zst$/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(program.data, 'backups'))).toHaveLength(1)
  await program.run('customer', 'adjust', staying, '--points', '7', '--reason', 'later')
  await program.run('customer', 'erase', erased)

  expect(await program.run('restore', file)).toMatchObject({ code: 0, stderr: '' })
  expect((await program.run('customer', 'show', staying)).stdout).toContain('balance 100,')
  expect(await program.run('customer', 'show', erased)).toMatchObject({ code: 1 })
  expect((await program.run('verify')).code).toBe(0)
  expect(readdirSync(program.data).filter((name) => name.startsWith('replaced-'))).toHaveLength(1)
})

/** Makes a backup in this process, which is faster, and returns its file. */
const backupHere = async (): Promise<string> => {
  const file = join(program.folder, backupName(new Date()))
  const options = { report: () => undefined, signal: new AbortController().signal }
  await backUpFile(join(program.data, 'service.sqlite'), file, options)
  return file
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Restores a backup in this process, and returns what is printed. */
const restoreHere = async (file: string, ...args: string[]): Promise<string> => {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const listening = SIGNALS.map((name) => [name, process.listeners(name)] as const)
  try {
    await runCommand(backupCommands, ['restore', file, '--data', program.data, ...args])
    return String(log.mock.lastCall?.[0])
  } finally {
    log.mockRestore()
    // A command ends with its process.
    for (const [name, before] of listening)
      for (const listener of process.listeners(name))
        if (!before.includes(listener)) process.off(name, listener)
  }
}

const restoredHere = async (file: string) => v.parse(restored, JSON.parse(await restoreHere(file, '--json')))

const readRow = (file: string, sql: string): unknown => {
  const connection = new DatabaseSync(file)
  const row = connection.prepare(sql).get()
  connection.close()
  return row
}

/** Kills a service after a change that is in its write-ahead log only. */
const killAfterChange = async (customer: string): Promise<void> => {
  const server = program.start(['serve', '--port', '0', '--data', program.data])
  await once(createInterface(server.stdout), 'line')
  await program.run('customer', 'adjust', customer, '--points', '7', '--reason', 'later')
  server.kill('SIGKILL')
  await once(server, 'exit')
}

it('restores what is in the backup, also beside the write-ahead log of a service that was killed', async () => {
  const [customer] = await makeShop()
  const { file } = await program.json(made, 'backup')
  await killAfterChange(customer)
  const data = join(program.data, 'service.sqlite')
  expect(statSync(`${data}-wal`).size).toBeGreaterThan(0)
  renameSync(data, join(program.folder, 'away.sqlite'))

  expect(await program.run('restore', file)).toMatchObject({ code: 0, stderr: '' })
  expect((await program.run('customer', 'show', customer)).stdout).toContain('balance 100,')
  expect((await program.run('verify')).code).toBe(0)
  expect(readRow(data, 'PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' })
  // The log is kept with the file that it may be put beside again.
  expect(readdirSync(program.data).filter((name) => /^replaced-.*\.sqlite-wal$/.test(name))).toHaveLength(1)
})

it('keeps what it replaces for a time, and not beyond the next customer who is erased', async () => {
  const [staying, erased] = await makeShop()
  const file = await backupHere()
  await restoreHere(file)
  const replaced = () => readdirSync(program.data).filter((name) => name !== 'service.sqlite')
  const [kept = ''] = replaced()
  for (const name of ['replaced-2026-11-01T080000.000Z.sqlite', 'replaced-2026-11-01T080000.000Z.sqlite-wal'])
    writeFileSync(join(program.data, name), '')
  const database = await openSqlite(join(program.data, 'service.sqlite'))
  database.deleteReplaced(new Date('2026-11-02T08:00:00.000Z'))
  await database.close()
  expect(replaced()).toEqual([kept])

  // Of a restore that was killed.
  writeFileSync(join(program.data, 'service.sqlite.partial'), '')
  await program.run('customer', 'adjust', staying, '--points', '7', '--reason', 'later')
  expect(replaced()).toHaveLength(2)
  await program.run('customer', 'erase', erased)
  expect(replaced()).toEqual([])
})

it('replaces data of a newer version and damaged data, and says what could not be read there', async () => {
  const [, erased] = await makeShop()
  const file = await backupHere()
  const data = join(program.data, 'service.sqlite')
  await program.run('customer', 'erase', erased)
  const newer = new DatabaseSync(data)
  newer.exec('DROP TABLE devices; PRAGMA user_version = 99')
  newer.close()
  expect(await restoredHere(file)).toMatchObject({
    erasures: 1,
    unread: ['unlinked phones']
  })
  expect(await program.run('customer', 'show', erased)).toMatchObject({ code: 1 })

  // A page of one table.
  const { page } = v.parse(
    v.object({ page: v.number() }),
    readRow(data, `SELECT rootpage AS page FROM sqlite_schema WHERE name = 'tokens'`)
  )
  const bytes = readFileSync(data)
  writeFileSync(data, bytes.fill('x', (page - 1) * 4096, page * 4096))
  expect(await restoredHere(file)).toMatchObject({ erasures: 1, unread: ['revoked tills'] })

  writeFileSync(data, 'x'.repeat(5000))
  expect(await restoreHere(file)).toContain(
    'could not be read, and is as in the backup: erasures, phones of erased customers, revoked tills, stopped slips without a connection, cancelled codes, forgotten cashiers, removed staff, passwords, unlinked phones.'
  )
  const kept = readdirSync(program.data).filter((name) => name.startsWith('replaced-'))
  expect(kept.map((name) => readFileSync(join(program.data, name), 'latin1').slice(0, 3))).toContain('xxx')
  expect((await program.run('verify')).code).toBe(0)
})

it('gives no access back that was ended since the backup, also in a later backup', async () => {
  const [ana, zoe] = await makeShop()
  const data = join(program.data, 'service.sqlite')
  const open = async () => {
    const database = await openSqlite(data)
    const dependencies = { database, now: () => new Date(), random: systemRandomBytes }
    return {
      database,
      tills: new TillStore(database),
      staff: new StaffMemberStore(dependencies),
      devices: new DeviceStore(dependencies),
      keys: new OfflineKeyStore(dependencies)
    }
  }
  const before = await open()
  const link = async (customer: string) => {
    const device = before.devices.create(1)
    await before.devices.add(device)
    await before.devices.link(1, customer, await before.devices.offerLink({ ...device, customer: null }))
    return device
  }
  const at = '2026-11-20T09:00:00.000Z'
  for (const id of ['till_kept', 'till_lost']) {
    await before.tills.add({ id, business: 1, name: id, createdAt: at }, `hash of ${id}`)
  }
  const { id: owner } = await before.staff.add(1, { name: 'Owner', role: 'owner' })
  const { id: leaver } = await before.staff.add(1, { name: 'Leaver', role: 'staff' })
  await before.database.write(`UPDATE staff_members SET password_hash = 'old'`)
  await before.staff.beginSession({ id: owner, passwordHash: 'old' })
  await before.staff.offerLink(owner)
  const [kept, unlinked, moved] = [await link(ana), await link(ana), await link(ana)]
  await before.database.close()
  const first = await backupHere()

  const later = await open()
  await later.tills.add({ id: 'till_later', business: 1, name: 'Later', createdAt: at }, 'hash of till_later')
  const { id: shortly } = await later.staff.add(1, { name: 'Shortly', role: 'staff' })
  await later.database.close()
  const second = await backupHere()

  const now = await open()
  for (const id of ['till_lost', 'till_later']) await now.tills.revoke(id, '2026-11-21T09:00:00.000Z')
  await now.keys.stop(1, 'till_kept')
  await now.database.write(`UPDATE staff_members SET password_hash = 'new' WHERE id = $1`, [owner])
  for (const id of [leaver, shortly]) await now.staff.remove(1, id)
  await now.devices.unlink(1, ana, unlinked.id)
  await now.devices.link(1, zoe, await now.devices.offerLink({ ...moved, customer: null }))
  await now.database.close()

  for (const file of [first, second]) {
    expect(await restoredHere(file)).toMatchObject({ unread: [] })
    const after = await open()
    const tills = (await after.tills.list(1)).filter(({ revokedAt }) => revokedAt === null)
    expect(tills.map(({ id }) => id)).toEqual(['till_kept'])
    // Nor a key for slips without a connection.
    expect(await after.keys.tills(1, '2026-11-21')).toMatchObject([
      { id: 'till_kept', stoppedAt: expect.any(String) as string }
    ])
    expect(await after.staff.list(1)).toMatchObject([{ id: owner, passwordHash: 'new' }])
    expect((await after.staff.names(1)).get(leaver)).toBe('Leaver')
    expect(
      await Promise.all([kept, unlinked, moved].map(({ cookie }) => after.devices.find(1, cookie)))
    ).toMatchObject([{ customer: ana }, { customer: null }, { customer: null }])
    for (const table of ['sessions', 'sign_in_links', 'pairings', 'link_codes'])
      expect(await after.database.read(`SELECT * FROM ${table}`), table).toEqual([])
    await after.database.close()
  }
})

it('keeps codes cancelled that were so since the backup, also in a later backup', async () => {
  await makeShop()
  const data = join(program.data, 'service.sqlite')
  const change = async (work: (codes: CodeStore) => Promise<unknown>): Promise<void> => {
    const database = await openSqlite(data)
    await work(new CodeStore(database))
    await database.close()
  }
  const times = { createdAt: '2026-11-20T09:00:00.000Z', updatedAt: '2026-11-20T09:00:00.000Z' }
  const issue = (code: string) =>
    change((codes) => codes.add(1, { code, points: 500, image: true, expiresAt: '2099-01-01', ...times }))
  await issue('KEPT')
  await issue('CANCELLED')
  const first = await backupHere()
  await issue('LATER')
  const second = await backupHere()
  for (const code of ['CANCELLED', 'LATER']) {
    await change((codes) => codes.cancel(1, code, '2026-11-21T09:00:00.000Z'))
  }
  for (const file of [first, second]) {
    expect(await restoredHere(file)).toMatchObject({ unread: [] })
    const states = new DatabaseSync(data)
    expect(states.prepare('SELECT code, points, cancelled_at AS at FROM codes ORDER BY code').all()).toEqual([
      { code: 'CANCELLED', points: 500, at: '2026-11-21T09:00:00.000Z' },
      { code: 'KEPT', points: 500, at: null },
      { code: 'LATER', points: 500, at: '2026-11-21T09:00:00.000Z' }
    ])
    states.close()
  }
})

it('keeps cashiers forgotten that were so since the backup', async () => {
  await makeShop()
  const change = async <Value>(work: (cashiers: CashierStore) => Promise<Value>): Promise<Value> => {
    const database = await openSqlite(join(program.data, 'service.sqlite'))
    const value = await work(new CashierStore(database))
    await database.close()
    return value
  }
  const [ana, boris] = [
    { number: 3, name: 'Ana' },
    { number: 3, name: 'Boris' }
  ]
  await change((cashiers) => cashiers.keyOf(1, ana))
  await change((cashiers) => cashiers.keyOf(1, boris))
  const file = await backupHere()
  await change((cashiers) => cashiers.forget(1, ana))
  expect(await restoredHere(file)).toMatchObject({ unread: [] })
  expect([...(await change((cashiers) => cashiers.names(1))).values()]).toEqual(['3', '3 Boris'])
})

/** Kills the process at the call `TILLPOINTS_TEST_KILL_AT` of those that rename, link and remove files, before it is done. */
const KILLING = `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  let calls = 0
  for (const of of [fs, fs.promises]) for (const name of ['rename', 'renameSync', 'link', 'linkSync', 'rm', 'rmSync', 'unlink', 'unlinkSync']) {
    const original = of[name]
    if (original === undefined) continue
    of[name] = (...args) => {
      calls += 1
      if (calls === Number(process.env.TILLPOINTS_TEST_KILL_AT)) process.kill(process.pid, 'SIGKILL')
      return original(...args)
    }
  }
  syncBuiltinESMExports()`

it('has the shop at every moment of a restore, and what ended stays so with the next', async () => {
  const [, erased] = await makeShop()
  const file = await backupHere()
  await program.run('customer', 'erase', erased)
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(KILLING)}`]
  for (let call = 1, isKilled = true; isKilled; call += 1) {
    const killed = program.start(['restore', file, '--data', program.data], {
      nodeOptions: preload,
      env: { TILLPOINTS_TEST_KILL_AT: String(call) }
    })
    const [code] = v.parse(v.looseTuple([v.nullable(v.number())]), await once(killed, 'close'))
    isKilled = code === null
    expect([code, call]).toEqual([isKilled ? null : 0, call])
    expect(await program.run('init'), `killed at call ${call}`).toMatchObject({ code: 0, stderr: '' })
    const erasures = readRow(join(program.data, 'service.sqlite'), 'SELECT count(*) AS n FROM erasures')
    expect(erasures, `killed at call ${call}`).toEqual({ n: 1 })
    if (!isKilled) expect(call).toBeGreaterThan(5)
  }
  expect(await restoredHere(file)).toMatchObject({ erasures: 1 })
  expect(await program.run('customer', 'show', erased)).toMatchObject({ code: 1 })
})

it('makes no new service, and restores no older one, beside data that a restore replaced', async () => {
  await makeShop()
  const file = await backupHere()
  const data = join(program.data, 'service.sqlite')
  const kept = join(program.data, 'replaced-2026-11-21T100000.123Z.sqlite')
  renameSync(data, kept)
  for (const args of [['init'], ['serve', '--port', '0'], ['restore', file]]) {
    expect(await program.run(...args), args[0]).toMatchObject({
      code: 1,
      stderr: `${data} is missing, but ${kept} was replaced by a restore. Rename it to service.sqlite, or move it elsewhere.\n`
    })
  }
  renameSync(kept, `${data}.partial`)
  for (const args of [['init'], ['serve', '--port', '0']]) {
    expect(await program.run(...args), args[0]).toMatchObject({
      code: 1,
      stderr: `${data} is missing: a restore or a copy did not end. Run it again, or remove ${data}.partial for a new service.\n`
    })
  }
  expect((await program.run('restore', file)).code).toBe(0)
})

it('keeps services out until the backup takes the place of the data', async () => {
  await makeShop()
  const data = join(program.data, 'service.sqlite')
  // More pages than are copied at a time.
  const large = new DatabaseSync(data)
  large.exec('CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (zeroblob(20000000))')
  large.close()
  const file = await backupHere()
  const opened: string[] = []
  const report = vi.spyOn(Progress.prototype, 'report').mockImplementation(() => {
    const connection = new DatabaseSync(data)
    try {
      connection.exec('SELECT 1 FROM businesses')
      opened.push('open')
    } catch (error) {
      opened.push(String(error))
    }
    connection.close()
  })
  await restoreHere(file)
  report.mockRestore()
  expect(new Set(opened)).toEqual(new Set(['Error: database is locked']))
})

it('keeps the newest backups that are named by their time, and the one of now', async () => {
  await makeShop()
  const folder = join(program.data, 'backups')
  await program.run('backup', join(folder, 'by-hand.sqlite'))
  const others = ['2026-01-01', '2026-01-02', '2026-01-03', '2199-01-01'].map(
    (day) => `${day}T030000.000Z.sqlite`
  )
  // Some by an older version.
  others.push('2026-01-02T040000.000Z.sqlite.zst', '2026-01-03T040000.000Z.sqlite.zst')
  for (const name of others) writeFileSync(join(folder, name), '')
  const { file } = await program.json(made, 'backup', '--keep', '3')
  expect(readdirSync(folder).sort()).toEqual(
    [
      '2026-01-03T040000.000Z.sqlite.zst',
      basename(file),
      '2199-01-01T030000.000Z.sqlite',
      'by-hand.sqlite'
    ].sort()
  )
  // The next one may be of the same second.
  const later = await program.json(made, 'backup', '--keep', '2')
  expect(readdirSync(folder).sort()).toEqual(
    [basename(later.file), '2199-01-01T030000.000Z.sqlite', 'by-hand.sqlite'].sort()
  )
  for (const args of [
    ['--keep', '0'],
    [join(program.folder, 'copy.sqlite'), '--keep', '3']
  ])
    expect(await program.run('backup', ...args)).toMatchObject({ code: 2 })
})

it('removes what a killed backup left, and nothing of one that is under way', async () => {
  await makeShop()
  const folder = join(program.data, 'backups')
  mkdirSync(folder)
  const hoursAgo = (hours: number): string => backupName(new Date(Date.now() - hours * 3_600_000))
  const killed = [hoursAgo(13), hoursAgo(13).replace('.zst', '')].flatMap((name) =>
    ['', '-journal', '-wal', '-shm', '.zst'].map((suffix) => `${name}.partial${suffix}`)
  )
  const others = [`${hoursAgo(11)}.partial`, `${hoursAgo(13)}x.partial`, 'by-hand.sqlite.partial']
  for (const name of [...killed, ...others]) writeFileSync(join(folder, name), '')
  // As the page makes one.
  const file = join(folder, backupName(new Date()))
  const { removed } = await program.json(made, 'backup', file)
  expect([...removed].sort()).toEqual(killed.map((name) => join(folder, name)).sort())
  expect(readdirSync(folder).sort()).toEqual([...others, basename(file)].sort())
})

it('backs up while the service runs, and does not restore over it', async () => {
  await makeShop()
  const server = program.start(['serve', '--port', '0', '--data', program.data])
  await once(createInterface(server.stdout), 'line')
  const file = join(program.folder, 'copy.sqlite')
  expect((await program.run('backup', file)).code).toBe(0)
  expect(await program.run('backup', file)).toMatchObject({ code: 1, stderr: `${file} is there already.\n` })
  expect(await program.run('restore', file)).toMatchObject({
    code: 1,
    stderr: `The service is running on ${join(program.data, 'service.sqlite')}. Stop it first.\n`
  })
})

it('restores into an empty folder, and refuses what is no sound backup of this version', async () => {
  await makeShop()
  const file = join(program.folder, 'copy.sqlite')
  await program.run('backup', file)
  const elsewhere = join(program.folder, 'elsewhere')
  expect((await program.exactly('restore', file, '--data', elsewhere)).code).toBe(0)
  const other = new DatabaseSync(join(program.folder, 'other.sqlite'))
  other.close()
  writeFileSync(join(program.folder, 'text.sqlite'), 'x'.repeat(5000))
  for (const name of ['other.sqlite', 'text.sqlite', 'none.sqlite']) {
    expect(await program.run('restore', join(program.folder, name))).toMatchObject({ code: 1, stdout: '' })
  }
  const wrong = new DatabaseSync(file)
  wrong.exec('UPDATE customers SET balance = balance - 1')
  wrong.close()
  expect((await program.run('restore', file)).stderr).toContain('The ledger is wrong: balances')
  const newer = new DatabaseSync(file)
  newer.exec('UPDATE customers SET balance = balance + 1; PRAGMA user_version = 99')
  newer.close()
  expect((await program.run('restore', file)).stderr).toContain('created by a newer version')
  expect(readdirSync(program.data)).toEqual(['service.sqlite'])
  expect(existsSync(`${file}.partial`)).toBe(false)
})

it('restores no compressed backup that is damaged, and says so', async () => {
  const [customer] = await makeShop()
  const whole = readFileSync(await backupHere())
  const changed = Buffer.from(whole)
  const middle = Math.floor(whole.length / 2)
  changed.writeUInt8(whole.readUInt8(middle) ^ 1, middle)
  const file = join(program.folder, 'damaged.sqlite.zst')
  for (const bytes of [changed, whole.subarray(0, middle), whole.subarray(0, -1), whole.subarray(0, 4)]) {
    writeFileSync(file, bytes)
    expect(await program.run('restore', file)).toMatchObject({
      code: 1,
      stderr: `${file} is damaged: it cannot be decompressed.\n`
    })
  }
  writeFileSync(file, zstdCompressSync('x'.repeat(5000)))
  expect(await program.run('restore', file)).toMatchObject({
    code: 1,
    stderr: `${file} is no backup of this service.\n`
  })
  expect(readdirSync(program.data)).toEqual(['service.sqlite'])
  expect((await program.run('customer', 'show', customer)).stdout).toContain('balance 100,')
})

it('restores what was compressed elsewhere, and a backup that was decompressed, whatever their names', async () => {
  const [customer] = await makeShop()
  const inFolder = (name: string): string => join(program.folder, name)
  for (const name of ['plain.sqlite', 'compressed.sqlite.zst']) await program.run('backup', inFolder(name))
  const plain = readFileSync(inFolder('plain.sqlite'))
  const compressed = readFileSync(inFolder('compressed.sqlite.zst'))
  expect(compressed.length).toBeLessThan(plain.length / 3)
  writeFileSync(inFolder('decompressed.zst'), zstdDecompressSync(compressed))
  writeFileSync(inFolder('compressed.sqlite'), zstdCompressSync(plain))
  for (const name of ['decompressed.zst', 'compressed.sqlite']) {
    await program.run('customer', 'adjust', customer, '--points', '7', '--reason', 'later')
    expect(await program.run('restore', inFolder(name))).toMatchObject({ code: 0, stderr: '' })
    expect((await program.run('customer', 'show', customer)).stdout, name).toContain('balance 100,')
  }
})

it('leaves nothing of a backup that is interrupted', async () => {
  await makeShop()
  const source = join(program.data, 'service.sqlite')
  const target = join(program.folder, 'interrupted.sqlite')
  const reason = new Error('Interrupted.')
  // One that comes after the last page counts, too: the file does not exist before it is verified.
  const late = { report: () => undefined, signal: AbortSignal.abort(reason) }
  await expect(backUpFile(source, target, late)).rejects.toThrow(reason)
  expect(readdirSync(program.folder)).toEqual(['shop'])
  // More pages than are copied at a time.
  const large = new DatabaseSync(source)
  large.exec('CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (zeroblob(20000000))')
  large.close()
  const interruption = new AbortController()
  let reports = 0
  const report = (): void => {
    reports += 1
    interruption.abort(reason)
  }
  const early = backUpFile(source, target, { report, signal: interruption.signal })
  await expect(early).rejects.toThrow(reason)
  expect(reports).toBe(1)
  expect(readdirSync(program.folder)).toEqual(['shop'])
})

it('leaves nothing of a backup that is interrupted while it is compressed', async () => {
  await makeShop()
  const source = join(program.data, 'service.sqlite')
  const large = new DatabaseSync(source)
  large.exec('CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (randomblob(20000000))')
  large.close()
  const target = join(program.folder, 'interrupted.sqlite.zst')
  const reason = new Error('Interrupted.')
  const interruption = new AbortController()
  let written = false
  const interrupt = (): void => {
    written = existsSync(`${target}.partial.zst`)
    if (written) interruption.abort(reason)
    else setImmediate(interrupt)
  }
  interrupt()
  const interrupted = backUpFile(source, target, { report: () => undefined, signal: interruption.signal })
  await expect(interrupted).rejects.toThrow(reason)
  expect(readdirSync(program.folder)).toEqual(['shop'])
})

it('leaves nothing of a copy that is interrupted', async () => {
  const [source, target] = [await openSqlite(':memory:'), await openSqlite(':memory:')]
  const shop = await Shop.addTo(source)
  await shop.register('+306940000001')
  const interruption = new AbortController()
  const reason = new Error('Interrupted.')
  const report = (table: string): void => {
    if (table === 'customers') interruption.abort(reason)
  }
  await expect(copyDatabase(source, target, report, interruption.signal)).rejects.toThrow(reason)
  expect(await target.read('SELECT 1 FROM businesses')).toEqual([])
  await Promise.all([source.close(), target.close()])
})

it.each(SIGNALS)('is interrupted by %s', (name) => {
  const signal = abortOnSignal()
  process.emit(name, name)
  expect(signal.reason).toEqual(new Error('Interrupted. Nothing was changed.'))
})
