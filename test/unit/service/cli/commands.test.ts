/** The commands of a shop's own service on one SQLite file. */
import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createInterface } from 'node:readline'
import * as v from 'valibot'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { InvalidArgumentsError, runCommand } from '../../../../electron/service/cli/command.ts'
import { SHOP_COMMANDS } from '../../../../electron/service/cli/commands.ts'
import { BusinessStore } from '../../../../electron/service/store/businesses.ts'
import { openSqlite } from '../../../../electron/service/store/sqlite.ts'
import { post } from '../fixtures.ts'
import { Shop } from '../store/shop.ts'
import { freePort, LOOPBACK } from '../../../support/loopback.ts'
import { ServiceProgram } from './program.ts'

const program = new ServiceProgram()
const run = program.run.bind(program)
const json = program.json.bind(program)

const idSchema = v.object({ id: v.string() })

afterEach(() => vi.unstubAllEnvs())

it('runs a shop: a business, a till that is paired, points, and the end of each', async () => {
  expect(await run('init')).toMatchObject({ code: 0 })
  const business = await json(
    idSchema,
    'business',
    'add',
    '--name',
    'Corner Café',
    ...['--country', 'UA', '--time-zone', 'Europe/Kyiv']
  )
  expect(business.id).toMatch(/^usr_/)

  const port = String(await freePort())
  const own = ['--port', port, '--public-url', `http://${LOOPBACK}:${port}`]
  const server = program.start(['serve', ...own, '--data', program.data])
  const [line] = v.parse(v.tuple([v.string()]), await once(createInterface(server.stdout), 'line'))
  const url = line.replace('listening on ', '')
  const { code } = await json(v.object({ code: v.string() }), 'till', 'pair', '--name', 'Till 1')
  expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
  const paired = await fetch(new URL('/pair', url), post({ code }))
  const { token, baseUrl } = v.parse(
    v.object({ token: v.string(), baseUrl: v.string() }),
    await paired.json()
  )
  expect(baseUrl).toBe(url)
  const call = (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return fetch(url + path, body === undefined ? { headers } : { ...post(body), headers })
  }
  expect(await (await call('/account')).json()).toMatchObject({ name: 'Corner Café', currentCustomers: 0 })
  const customer = v.parse(
    idSchema,
    await (await call('/customers', { name: 'Zoé', phone: '+33639980117' })).json()
  )
  const issued = v.parse(v.object({ code: v.string() }), await (await call('/qr', { points: 5 })).json())

  // Changes of the command line are seen by the server that runs.
  expect(
    (await run('customer', 'adjust', customer.id, '--points', '120', '--reason', 'Welcome')).stdout
  ).toMatch(/^Zoé: adjusted 120 points \(ent_\w+\); the balance is 120\.\n$/)
  expect(await run('customer', 'adjust', customer.id, '--points=-121', '--reason', 'x')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The customer has 120 points; this takes 121.\n'
  })
  expect(await (await call(`/customers/${customer.id}`)).json()).toMatchObject({ balance: 120 })
  expect((await run('code', 'cancel', issued.code.toLowerCase())).code).toBe(0)
  expect(await (await call(`/qr/${issued.code}`)).json()).toMatchObject({ status: 'cancelled' })
  expect((await run('code', 'show', issued.code)).stdout).toContain('5 points  cancelled')
  expect((await run('customer', 'show', customer.id)).stdout).toContain('balance 120, lifetime points 120')
  expect((await run('customer', 'erase', customer.id)).code).toBe(0)
  expect((await call(`/customers/${customer.id}`)).status).toBe(404)

  // For people: names, and times as they write them; for programs ISO 8601.
  expect((await run('till', 'list')).stdout).toMatch(
    /^till_\w+ {2}Till 1 {2}paired [^TZ]+ {2}last used [^TZ]+\n$/
  )
  const [till] = await json(v.array(v.object({ id: v.string(), lastUsedAt: v.string() })), 'till', 'list')
  expect((await run('till', 'revoke', till?.id ?? '')).code).toBe(0)
  await expect.poll(async () => (await call('/account')).status).toBe(401)
  expect((await run('verify')).code).toBe(0)

  const closed = once(server, 'close')
  server.kill('SIGTERM')
  expect(await closed).toEqual([0, null])
})

it('names the people and the rewards that a command is about', async () => {
  await run('init')
  await run('business', 'add', '--name', 'Corner Café', '--country', 'GR')
  const file = join(program.folder, 'customers.csv')
  writeFileSync(file, 'name,phone,balance\nZoé,+33639980117,100\nRené,+33639980118,20\n')
  await run('import', file, '--customers')
  const reward = await json(idSchema, 'reward', 'add', '--name', 'Coffee', '--points', '50')
  await run('customer', 'redeem', '+33639980117', reward.id)
  const shown = (await run('customer', 'show', '+33639980117')).stdout
  expect(shown).toMatch(/ {2}redeemed {2}-50 {2}Coffee {2}/)
  expect((await run('customer', 'redeem', '+33639980117', 'Coffee')).stderr).toBe(
    'There is no reward Coffee (see reward list).\n'
  )
  expect((await run('customer', 'merge', '+33639980117', '33639980118')).stderr).toBe(
    'There is no customer 33639980118: give an id, or a phone with + and the code of the country.\n'
  )
  expect((await run('customer', 'merge', '+33639980117', '+33639980118')).stdout).toBe(
    'Joined René to Zoé; the balance is 70.\n'
  )
  expect((await run('customer', 'erase', '+33639980118')).stdout).toMatch(
    /^Erased Zoé \(cus_\w+\) and René \(cus_\w+\), who are one customer\.\n$/
  )
})

it('corrects what is given of a customer, and shows who corrected what', async () => {
  await run('init')
  await run('business', 'add', '--name', 'Corner Café', '--country', 'FR')
  const file = join(program.folder, 'customers.csv')
  writeFileSync(file, 'name,phone,email\nZo,+33639980117,zo@example.org\nRené,+33639980118,\n')
  await run('import', file, '--customers')
  const correct = (...options: string[]) => run('customer', 'correct', '06 39 98 01 17', ...options)
  expect((await correct('--phone', '06 39')).stderr).toBe('This is no phone number.\n')
  expect((await correct('--phone', '06 39 98 01 18')).stderr).toBe(
    'Another customer has this phone (see customer merge).\n'
  )
  expect((await correct('--name', 'Zoé', '--email=')).stdout).toMatch(
    /^Corrected name, email \(cus_\w+\)\.\n$/
  )
  expect((await correct('--name', 'Zoé')).stdout).toContain('Corrected nothing')
  expect((await correct('--phone', '06 39 98 01 19')).code).toBe(0)
  const shown = (await run('customer', 'show', '+33639980119')).stdout
  expect(shown).toMatch(
    /Zoé {2}\+33639980119 {2}\n.* corrected {2}name, email {2}command line\n.* phone {2}/s
  )
})

it('says whose a collected code is, and how to take its points back', async () => {
  await run('init')
  const business = await json(idSchema, 'business', 'add', '--name', 'Corner Café', '--country', 'GR')
  const database = await openSqlite(join(program.data, 'service.sqlite'))
  const key = (await new BusinessStore(database).find(business.id))?.key
  const shop = new Shop(database, key ?? 0)
  const customer = await shop.register('+33639980117', 'Zoé')
  const code = await shop.issue(10)
  expect((await run('code', 'show', code)).stdout).toContain('10 points  active')
  const { entry } = await shop.collect(customer, code)
  await database.close()

  const words = `customer reverse ${customer} ${entry.id}`
  const collected = `Collected by Zoé (${customer}). To take the points back: ${words}\n`
  const shown = (await run('code', 'show', code)).stdout
  expect(shown).toContain('10 points  used')
  expect(shown.split('\n').slice(1).join('\n')).toBe(collected)
  expect(await run('code', 'cancel', code)).toEqual({
    code: 1,
    stdout: '',
    stderr: `A code that was collected cannot be cancelled. ${collected}`
  })
  expect((await run(...words.split(' '))).code).toBe(0)
  expect((await run('code', 'show', code)).stdout).toMatch(/The points were taken back \(ent_\w+\)\.\n$/)
})

it('verify exits with 1 when a balance is not the sum of its entries', async () => {
  await run('init')
  await run('business', 'add', '--name', 'Corner Café', '--country', 'GR')
  const database = new DatabaseSync(join(program.data, 'service.sqlite'))
  database.exec('UPDATE businesses SET customers = 3')
  database.close()
  const { code, stdout } = await run('verify')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^wrong: customers are counted: 1 records, such as usr_\w+\n$/)
})

it.each([
  [['verify'], 1, /^There is no service in \S+\. Make one with: init --data \S+\n$/],
  [['busyness', 'list'], 2, /^There is no command "busyness list" \(see help\)\n$/],
  [['business', 'add'], 2, /^--name is needed \(see business add --help\)\n$/],
  [['till', 'rewoke'], 2, /^There is no command "till rewoke" \(see help\)\n$/],
  [['help', 'tills'], 2, /^There is no command "help tills" \(see help\)\n$/],
  [
    ['customer', 'adjust', '+1', '--points', '-5'],
    2,
    /^Option '--points' argument is ambiguous: .*=-5 \(see/
  ],
  [['till', 'revoke'], 2, /^till revoke takes TILL \(see till revoke --help\)\n$/],
  [['verify', '--verbose'], 2, /^Unknown option '--verbose' \(see verify --help\)\n$/],
  [['verify', '--database', 'postgres://x'], 2, /^Either --data or --database is needed/]
] as const)('%j exits with %d and one line', async (args, code, stderr) => {
  const result = await run(...args)
  expect(result).toMatchObject({ code, stdout: '' })
  expect(result.stderr).toMatch(stderr)
})

it('refuses a data folder that cannot be made, at once and in a sentence', async () => {
  const file = join(program.folder, 'file')
  writeFileSync(file, '')
  // Node's recursive mkdir never returns for a folder in /proc, which Windows and macOS do not have.
  const folders = [file, join(file, 'shop'), ...(process.platform === 'linux' ? ['/proc/shop/data'] : [])]
  for (const folder of folders) {
    const { code, stdout, stderr } = await program.exactly('init', '--data', folder)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^The folder .+ cannot be made \(E\w+: .+\)\. Name another one\.\n$/)
    expect(stderr).toContain(folder)
  }
})

it('does not copy a service onto itself', async () => {
  await run('init')
  expect(await program.exactly('copy', '--from', program.data, '--to', `${program.data}/`)).toEqual({
    code: 2,
    stdout: '',
    stderr: '--from and --to are the same place\n'
  })
})

it('names the data file that cannot be opened', async () => {
  mkdirSync(join(program.data, 'service.sqlite'), { recursive: true })
  expect(await run('init')).toEqual({
    code: 1,
    stdout: '',
    stderr: `${join(program.data, 'service.sqlite')} cannot be used (unable to open database file).\n`
  })
})

it('finds its place in variables, unless an option names one', async () => {
  vi.stubEnv('TILLPOINTS_SERVICE_DATA', program.data)
  vi.stubEnv('TILLPOINTS_SERVICE_DATABASE', '')
  expect(await program.exactly('init')).toMatchObject({ code: 0 })
  expect(readdirSync(program.data)).toContain('service.sqlite')
  expect(await program.exactly('verify')).toMatchObject({ code: 0 })
  expect((await program.exactly('doctor')).stdout).toContain(`no backup in ${join(program.data, 'backups')}`)
  expect((await program.exactly('copy', '--from', 'a', '--to', 'b')).stderr).toContain('no service in a')

  vi.stubEnv('TILLPOINTS_SERVICE_DATABASE', 'postgres://shop:secret@127.0.0.1:1/points')
  expect((await program.exactly('backup')).stderr).toContain('backup is for a service in a folder')
  expect(await run('verify')).toMatchObject({ code: 0 })
})

it('takes the two letters of a country, and nothing else', async () => {
  await run('init')
  const refused = await run('business', 'add', '--name', 'Shop', '--country', 'Greece')
  expect(refused).toEqual({
    code: 2,
    stdout: '',
    stderr: '--country must be the two letters of a country (ISO 3166), such as GR, not "Greece"\n'
  })
  await run('business', 'add', '--name', 'Shop', '--country', 'gr')
  expect((await run('business', 'list', '--json')).stdout).toContain('"country":"GR"')
})

it('takes the time zone of a country that has one, and asks where it has several', async () => {
  await run('init')
  const shops = v.array(v.object({ timeZone: v.string(), address: v.object({ country: v.string() }) }))
  expect((await run('business', 'add', '--name', 'Shop')).stderr).toBe(
    '--country is needed (see business add --help)\n'
  )
  expect(await run('business', 'add', '--name', 'Shop', '--country', 'ES')).toMatchObject({
    code: 2,
    stderr:
      'ES has several time zones: name one with --time-zone, such as Africa/Ceuta, Atlantic/Canary, Europe/Madrid\n'
  })
  const place = async () => {
    const [shop] = await json(shops, 'business', 'list')
    return [shop?.address.country, shop?.timeZone]
  }
  await run('business', 'add', '--name', 'Shop', '--country', 'GR')
  expect(await place()).toEqual(['GR', 'Europe/Athens'])
  await run('business', 'set', '--country', 'ES', '--time-zone', 'Atlantic/Canary')
  await run('business', 'set', '--country', 'ES', '--city', 'Las Palmas')
  expect(await place()).toEqual(['ES', 'Atlantic/Canary'])
  await run('business', 'set', '--country', 'DE')
  expect(await place()).toEqual(['ES', 'Atlantic/Canary'])
  await run('business', 'set', '--country', 'FR')
  expect(await place()).toEqual(['FR', 'Europe/Paris'])
})

it.each(SHOP_COMMANDS)('$name has help, --json, and a line for a wrong option', async ({ name, summary }) => {
  const printed = vi.spyOn(console, 'log').mockReturnValue()
  onTestFinished(() => printed.mockRestore())
  const words = name.split(' ')
  for (const args of [
    [...words, '--help'],
    ['help', ...words]
  ])
    expect(await runCommand(SHOP_COMMANDS, args)).toBe(0)
  const [[help], [same]] = v.parse(
    v.tuple([v.tuple([v.string()]), v.tuple([v.string()])]),
    printed.mock.calls
  )
  expect(help).toBe(same)
  expect(help).toContain(summary)
  expect(help).toMatch(/^ {2}--json {2,}\S/m)
  // The text of an option stands apart from its name.
  expect(help).not.toMatch(/^ {2}--\S+ (?:\S+[A-Z])?[a-z]/m)
  await expect(runCommand(SHOP_COMMANDS, [...words, '--wrong'])).rejects.toThrow(
    new InvalidArgumentsError(`Unknown option '--wrong' (see ${name} --help)`)
  )
})

it('help lists every command, and each has its own', async () => {
  const { code, stdout } = await run('help')
  expect(code).toBe(0)
  for (const { name, summary } of SHOP_COMMANDS)
    expect(stdout).toMatch(new RegExp(`${name}\\b.*${summary.slice(0, 10)}`))
  expect(stdout).toContain('--metrics-listen')
  const tills = await program.exactly('till', '--help')
  expect(tills.code).toBe(0)
  expect(tills.stdout.match(/^ {2}\w+ \w+/gm)).toEqual(['  till pair', '  till list', '  till revoke'])
  const help = await run('till', 'pair', '--help')
  expect(help.code).toBe(0)
  expect(help.stdout).toContain('--name NAME               name of the till (required)')
})

it("keeps compiled code in the user's cache, and works where that is no folder", async () => {
  vi.stubEnv('NODE_COMPILE_CACHE', undefined)
  vi.stubEnv('LOCALAPPDATA', undefined)
  const cache = join(program.folder, 'cache')
  vi.stubEnv('XDG_CACHE_HOME', cache)
  const spawned = (name: string) => program.spawned(name, '--data', program.data)
  expect(await spawned('init')).toMatchObject({ code: 0, stderr: '' })
  expect(readdirSync(join(cache, 'tillpoints-service'))).toHaveLength(1)

  const file = join(program.folder, 'file')
  writeFileSync(file, '')
  vi.stubEnv('XDG_CACHE_HOME', file)
  expect(await spawned('verify')).toMatchObject({ code: 0, stderr: '' })
})

it('exits with 0, 1 when it is refused, and 2 for arguments that cannot be used', async () => {
  const help = await program.spawned('help')
  expect(help).toEqual(await program.exactly('help'))
  for (const args of [['verify', '--data', program.data], ['verify']]) {
    const refused = await program.spawned(...args)
    expect(refused).toMatchObject({ code: args.length === 1 ? 2 : 1, stdout: '' })
    expect(refused).toEqual(await program.exactly(...args))
  }
})
