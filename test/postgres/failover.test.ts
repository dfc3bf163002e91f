import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { MIGRATIONS } from '../../electron/service/store/migrate.ts'
import { openPostgres } from '../../electron/service/store/postgres.ts'
import { nodeAddresses } from '../../electron/service/store/primary-pool.ts'
import { verifyLedger } from '../../electron/service/store/verify.ts'
import { PostgresServer } from '../support/postgres/cluster.ts'
import { openPages, textOf } from '../unit/service/pages/visitor.ts'
import { Shop } from '../unit/service/store/shop.ts'

/** Starts a server that is removed after the test. */
const startServer = async (start: () => Promise<PostgresServer>): Promise<PostgresServer> => {
  const server = await start()
  onTestFinished(() => server.remove())
  return server
}

it('finds the node that takes writes, and finds it again after a failover, with nothing lost or doubled', async () => {
  const primary = await startServer(() => PostgresServer.start())
  const standby = await startServer(() => primary.addStandby())
  const url = `postgres://points@127.0.0.1:9,${standby.host},${primary.host}/postgres`
  const database = await openPostgres(url)
  onTestFinished(() => database.close())
  const shop = await Shop.addTo(database)
  const customer = await shop.register('+306940000001')

  /** codes whose points were acknowledged */
  const collected: string[] = []
  let isRunning = true
  const worker = async (): Promise<void> => {
    while (isRunning) {
      const code = await shop.issue(10)
      await shop.collect(customer, code)
      collected.push(code)
      // The standby receives what is committed within milliseconds; it is promoted when it has all of it.
      await wait(5)
    }
  }
  const workers = Array.from({ length: 4 }, worker)
  await expect.poll(() => collected.length).toBeGreaterThan(50)
  await primary.stop('SIGINT')
  await standby.promote()
  const before = collected.length
  await expect.poll(() => collected.length).toBeGreaterThan(before + 50)
  isRunning = false
  await Promise.all(workers)

  const rows = await database.read('SELECT code FROM entries ORDER BY code')
  expect(rows).toEqual(collected.toSorted().map((code) => ({ code })))
  expect(await shop.balance(customer)).toBe(collected.length * 10)
  expect(await verifyLedger(database)).toEqual([])
})

it('acknowledges what interrupted calls have written only when the standby has it', async () => {
  const primary = await startServer(() => PostgresServer.start())
  const standby = await startServer(() => primary.addStandby())
  await primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
  await primary.execute('SELECT pg_reload_conf()')
  const database = await openPostgres(`postgres://points@${primary.host},${standby.host}/postgres`)
  onTestFinished(() => database.close())
  const shop = await Shop.addTo(database)
  const customers = await Promise.all([1, 2, 3].map((digit) => shop.register(`+30694000000${String(digit)}`)))
  const codes = await Promise.all(customers.map(() => shop.issue(10)))
  await standby.stop()

  /** Resolves when the calls are committed on the primary, and not acknowledged. */
  const waitForStandby = async (): Promise<string> => {
    const waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    const count = async (): Promise<number> => (await primary.execute(waiting)).length
    await expect.poll(count).toBeGreaterThanOrEqual(customers.length)
    return 'all wait for the standby'
  }
  const calls = customers.map((customer, index) => shop.collect(customer, codes[index] ?? ''))
  await waitForStandby()
  await primary.stop('SIGQUIT')
  await primary.start()
  const acknowledged = Promise.race(calls).then(() => 'one is acknowledged')
  expect(await Promise.race([acknowledged, waitForStandby()])).toBe('all wait for the standby')

  await standby.start()
  await Promise.all(calls)
  await primary.stop('SIGQUIT')
  await standby.promote()
  expect(await Promise.all(customers.map((customer) => shop.balance(customer)))).toEqual([10, 10, 10])
  expect(await verifyLedger(database)).toEqual([])
})

it('continues after the only node was killed and started again', async () => {
  const server = await startServer(() => PostgresServer.start())
  const database = await openPostgres(server.url())
  onTestFinished(() => database.close())
  const shop = await Shop.addTo(database)
  const customer = await shop.register('+306940000001')
  const codes = await Promise.all(Array.from({ length: 300 }, () => shop.issue(10)))
  const collecting = Promise.all(codes.map((code) => shop.collect(customer, code)))
  await server.stop('SIGQUIT')
  await server.start()
  await collecting
  expect(await shop.balance(customer)).toBe(3000)
  expect(await verifyLedger(database)).toEqual([])
})

it('says what each node answered when none takes writes', async () => {
  const primary = await startServer(() => PostgresServer.start())
  const standby = await startServer(() => primary.addStandby())
  await primary.stop('SIGINT')
  await expect(
    openPostgres(`postgres://points@${primary.host},${standby.host}/postgres`, 500)
  ).rejects.toThrow(/^No node of the database takes writes: connect ECONNREFUSED \S+; a standby\.$/)
})

it('answers 503 while no node takes writes for longer than a failover, and serves again afterwards', async () => {
  const server = await startServer(() => PostgresServer.start())
  const database = await openPostgres(server.url(), 500)
  onTestFinished(() => database.close())
  const shop = await Shop.addTo(database)
  const { business, visitor } = await openPages(shop)
  const code = await shop.issue(10)
  const paths = ['/api/account', `/q/${code}`, `/me/${business}`]
  const statuses = async (): Promise<readonly number[]> => {
    const browser = visitor()
    const get = (path: string) => browser.get(path, { authorization: 'Bearer unknown' })
    return (await Promise.all(paths.map(get))).map(({ status }) => status)
  }
  expect(await statuses()).toEqual([401, 200, 200])
  await server.stop('SIGQUIT')
  expect(await statuses()).toEqual([503, 503, 503])
  const browser = visitor()
  const { headers } = await browser.post(`/q/${code}`)
  expect(await textOf(await browser.get(headers.get('location') ?? ''))).toContain('Not available right now')
  await server.start()
  expect(await statuses()).toEqual([401, 200, 200])
})

it('brings the schema up to date once when several processes start at once', async () => {
  const server = await startServer(() => PostgresServer.start())
  const opened = await Promise.all(Array.from({ length: 5 }, () => openPostgres(server.url())))
  const [first] = opened
  expect(await first?.read('SELECT version FROM schema_version')).toEqual([{ version: MIGRATIONS.length }])
  for (const database of opened) await database.close()
})

it('refuses a schema of a newer version with a sentence that says what to do', async () => {
  const server = await startServer(() => PostgresServer.start())
  const database = await openPostgres(server.url())
  await database.write('UPDATE schema_version SET version = 99')
  await database.close()
  await expect(openPostgres(server.url())).rejects.toThrow(
    `The database postgres was created by a newer version of the service (its schema is 99, this program knows ${String(MIGRATIONS.length)}). ` +
      'Install the newer version, or restore a backup from before the update.'
  )
})

it.each(['mysql://host/points', 'postgres://', 'postgres://u:secret@a,,b/points', 'points'])(
  'refuses the address %s without repeating a password',
  (url) => {
    expect(() => nodeAddresses(url)).toThrow(
      /^The address of the database must read [^:]+:\/\/user@host1,host2\/database$/
    )
  }
)

it('splits an address into those of its nodes', () => {
  expect(nodeAddresses('postgresql://u:p@a,b:5433,[::1]/points?sslmode=require')).toEqual([
    'postgres://u:p@a/points?sslmode=require',
    'postgres://u:p@b:5433/points?sslmode=require',
    'postgres://u:p@[::1]/points?sslmode=require'
  ])
})
