/**
 * The package of the points service on a machine with systemd, as docs/service.md says. The tests are steps: each continues
 * where the one before it ended.
 */
import { expect, test } from '@playwright/test'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { appendFile, copyFile, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as v from 'valibot'
import { PROJECT } from '../../resources/scripts/tools.ts'
import { AUTHORITY_FILE, trusted } from '../support/certificates/index.ts'
import { Chroot } from './chroot.ts'
import { NEXT_VERSION, VERSION } from './installers.ts'
import { Machine, type HttpAnswer } from './machine.ts'
import { packInto, readDocumentedSteps } from './service-packages.ts'

const NAME = 'tillpoints-service'
const SERVICE = `${NAME}.service`
const SOCKET = `${NAME}.socket`
const BACKUP = `${NAME}-backup.service`
const TIMER = `${NAME}-backup.timer`
const DEFAULTS = `/etc/default/${NAME}`
const TLS_FOLDER = `/etc/${NAME}/tls`
const DATA = `/var/lib/private/${NAME}`

/** Ten times the exposure that `systemd-analyze security` finds; 100 is a service without any setting. */
const MAX_EXPOSURE = { [SERVICE]: 11, [BACKUP]: 2 }

/** The name of the document, by Caddy's port. */
const HOST = 'points.example.com'
const ORIGIN = `https://${HOST}`
const CADDYFILE = '/etc/caddy/Caddyfile'
const AUTHORITY = '/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt'

/** Restarts under load, and the requests between two. */
const RESTARTS = 20
const BETWEEN = 100

/** What `issuing-process.ts` prints. */
const loadReport = v.object({
  begun: v.number(),
  failures: v.array(v.string()),
  held: v.number(),
  longestMs: v.number(),
  issued: v.number()
})

/** A backup that the owner's browser has saved. */
const SAVED = '/root/saved.sqlite.zst'

const PHONE = '+306940000001'

const TEST_PACKAGES = ['curl', 'lintian']

let chroot: Chroot
let machine: Machine | undefined
/** paths inside */
let deb: string
let nextDeb: string
let token: string
/** id of the shop */
let business: string

test.beforeAll(async () => {
  chroot = await Chroot.create()
  // Who reads the document presses Enter.
  await writeFile(chroot.path('/etc/apt/apt.conf.d/yes'), 'APT::Get::Assume-Yes "true";\n')
  deb = await packInto(chroot, '/srv/packages', VERSION)
  nextDeb = await packInto(chroot, '/srv/packages/next', NEXT_VERSION)
  await chroot.install(...TEST_PACKAGES)
})
test.afterAll(async () => {
  await machine?.cutPower()
  await chroot.remove()
})

/** The machine that runs. */
const running = (): Machine => {
  if (machine === undefined) throw new Error('The machine has not been started')
  return machine
}

/** Runs a program as root. */
const run = (...words: readonly string[]): Promise<string> => running().run(...words)

/** Runs lines of the document. */
async function follow(lines: readonly string[]): Promise<void> {
  for (const line of lines) await run('sh', '-c', line)
}

/** Runs a command of the service. */
const command = (...args: readonly string[]): Promise<string> => run(NAME, ...args)

const json = async <Schema extends v.GenericSchema>(
  schema: Schema,
  ...args: readonly string[]
): Promise<v.InferOutput<Schema>> => v.parse(schema, JSON.parse(await command(...args, '--json')))

/** Sends a request by the shop's name. */
const request = (path: string, ...options: readonly string[]): Promise<HttpAnswer> =>
  running().request(ORIGIN + path, '--resolve', `${HOST}:443:127.0.0.1`, '--cacert', AUTHORITY, ...options)

/** Resolves when the service answers what `ask` sends for its first page. Rejects when it has ended. */
async function answering(ask: () => Promise<HttpAnswer>): Promise<void> {
  while ((await ask().catch(() => null))?.status !== 200) await run('systemctl', 'is-active', SERVICE)
}

/** Resolves when the service listens, and Caddy has its certificate. */
const listening = (): Promise<void> => answering(() => request('/'))

/** The options of curl for a POST of JSON. */
const post = (body: object): readonly string[] => [
  '--header',
  'Content-Type: application/json',
  '--data',
  JSON.stringify(body)
]

/** Calls an operation as the till. */
const call = (path: string, ...options: readonly string[]): Promise<HttpAnswer> =>
  request(`/api${path}`, '--header', `Authorization: Bearer ${token}`, ...options)

const issued = v.object({ code: v.string() })

/** Issues a slip's code. */
async function issue(points: number): Promise<string> {
  const { body } = await call('/qr', ...post({ points }))
  return v.parse(issued, JSON.parse(body)).code
}

/** The options of curl for a form of the service's own page. */
const form = (fields: Readonly<Record<string, string>>): readonly string[] => [
  ...Object.entries(fields).flatMap(([name, text]) => ['--data-urlencode', `${name}=${text}`]),
  // A button alone sends nothing.
  ...['--data', '', '--header', `Origin: ${ORIGIN}`]
]

/** What the owner types on the page of the first link. */
const OWNER = {
  shop: 'Corner Café',
  place: 'GR Europe/Athens',
  name: 'Ana',
  password: 'three horses and a boat',
  repeated: 'three horses and a boat'
}

/** Sends a form in the owner's browser, which keeps its cookies. */
const asOwner = (
  path: string,
  fields: Readonly<Record<string, string>>,
  ...options: readonly string[]
): Promise<HttpAnswer> =>
  request(path, ...form(fields), '--cookie', '/root/owner', '--cookie-jar', '/root/owner', ...options)

/** Opens a page in the owner's browser. */
const seeAsOwner = (path: string, ...options: readonly string[]): Promise<HttpAnswer> =>
  request(path, '--cookie', '/root/owner', ...options)

/** Collects a code as a customer does, by the form of its page. */
async function collect(code: string): Promise<HttpAnswer> {
  const page = `/q/${code}`
  expect((await request(page)).body).toContain('<form method="post"')
  // What became of the form is shown to the browser that keeps its cookies.
  return request(page, ...form({ phone: PHONE, name: 'Zoé' }), '--location', '--cookie', '')
}

const balance = async (): Promise<number> =>
  (await json(v.object({ customer: v.object({ balance: v.number() }) }), 'customer', 'show', PHONE)).customer
    .balance

const backups = (): string[] => readdirSync(chroot.path(`${DATA}/backups`)).sort()

const journal = (unit: string): Promise<string> =>
  run('journalctl', '--output=cat', `--identifier=${NAME}`, `--unit=${unit}`)

test.describe.serial('the package of the points service', () => {
  test('passes lintian', async () => {
    await chroot.run('lintian', ['--fail-on', 'error', deb], 'cashier')
  })

  test('starts as a user without a name in /etc/passwd when the machine starts', async () => {
    for (const line of (await readDocumentedSteps()).install) {
      await chroot.run('sh', ['-c', `cd /srv/packages && ${line}`])
    }
    machine = await Machine.boot(chroot)
    expect(await run('systemctl', 'is-active', SERVICE, TIMER)).toBe('active\nactive\n')
    const { uid, mode } = await stat(chroot.path(DATA))
    expect(mode & 0o777).toBe(0o700)
    expect(await readFile(chroot.path('/etc/passwd'), 'utf8')).not.toContain(`:${uid}:`)
    expect((await stat(chroot.path(DEFAULTS))).mode & 0o777).toBe(0o600)
    expect(await run('dpkg', '--verify', NAME)).toBe('')
  })

  test('has units that systemd understands, and takes away what they do not need', async () => {
    expect(await run('systemd-analyze', 'verify', SERVICE, SOCKET, BACKUP, TIMER)).toBe('')
    for (const [unit, exposure] of Object.entries(MAX_EXPOSURE)) {
      await run('systemd-analyze', 'security', '--offline=true', `--threshold=${exposure}`, unit)
    }
  })

  test('lets the owner open the shop by the first link, a till issue, and a customer collect', async () => {
    const { settings, start } = await readDocumentedSteps()
    await appendFile(chroot.path(DEFAULTS), `${settings.join('\n')}\n`)
    // In place of a public authority, which this machine does not reach.
    const sites = await readFile(chroot.path(CADDYFILE), 'utf8')
    await writeFile(chroot.path(CADDYFILE), `{\n\tlocal_certs\n}\n${sites}`)
    await follow(start)
    await listening()
    const links = new RegExp(`${ORIGIN}(/welcome/\\S+)`, 'g')
    const link = [...(await journal(SERVICE)).matchAll(links)].at(-1)?.[1] ?? ''
    expect((await asOwner(link, OWNER)).status).toBe(303)
    const [shop] = await json(v.array(v.object({ id: v.string() })), 'business', 'list')
    business = shop?.id ?? ''
    const { body } = await asOwner(`/manage/${business}/tills`, { name: 'Till 1' }, '--location')
    const code = />([A-Z]{4}-[A-Z]{4})</.exec(body)?.[1] ?? ''
    const paired = await request('/pair', ...post({ code }))
    ;({ token } = v.parse(v.object({ token: v.string() }), JSON.parse(paired.body)))
    expect((await collect(await issue(250))).body).toContain('250')
    expect(await balance()).toBe(250)
  })

  test('writes a verified backup by its timer’s unit', async () => {
    await run('systemctl', 'start', BACKUP)
    expect(backups()).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z\.sqlite\.zst$/)])
    expect(await journal(BACKUP)).toContain(`Backed up to /var/lib/${NAME}/backups/${backups()[0] ?? ''}`)
  })

  test('backs up no PostgreSQL, and says so', async () => {
    const settings = await readFile(chroot.path(DEFAULTS), 'utf8')
    await appendFile(
      chroot.path(DEFAULTS),
      "TILLPOINTS_SERVICE_DATABASE='postgres://shop:secret@db/points'\n"
    )
    await run('systemctl', 'start', BACKUP)
    expect(await journal(BACKUP)).toContain('Nothing to do: the data are in PostgreSQL')
    expect(backups()).toHaveLength(1)
    await writeFile(chroot.path(DEFAULTS), settings)
  })

  test('makes a backup when the owner presses the button of the page, lists it, and saves it', async () => {
    const data = `/manage/${business}/data`
    expect((await asOwner(`${data}/backup`, {})).status).toBe(303)
    while ((await seeAsOwner(`${data}/backup`)).body.includes('<progress'));
    expect((await seeAsOwner(`${data}/backup`)).body).toContain('The backup is made and checked.')
    const links = (await seeAsOwner(data)).body.matchAll(/href="([^"]+\/([^"/]+\.sqlite\.zst))"/g)
    const [newest, ...older] = [...links].map(([, path = '', name = '']) => ({ path, name }))
    expect([newest?.name, ...older.map(({ name }) => name)]).toEqual(backups().toReversed())
    expect(older).toHaveLength(1)
    await seeAsOwner(newest?.path ?? '', '--output', SAVED)
    const [saved, made] = [SAVED, `${DATA}/backups/${newest?.name ?? ''}`].map((file) =>
      readFileSync(chroot.path(file))
    )
    expect(saved).toEqual(made)
  })

  test('is replaced by the next version over its data and settings, and answers each request meanwhile', async () => {
    const pairing = await json(v.object({ code: v.string() }), 'till', 'pair', '--name', 'Till 2')
    const place = { hosts: ['127.0.0.1'], port: 443, name: HOST, authorityFile: chroot.path(AUTHORITY) }
    const issuing = running().startOnNetwork(
      'test/installed/issuing-process.ts',
      JSON.stringify(place),
      pairing.code
    )
    let load: v.InferOutput<typeof loadReport> = { begun: 0, failures: [], held: 0, longestMs: 0, issued: 0 }
    if (issuing.stdin === null || issuing.stdout === null) throw new Error('its streams are piped')
    const lines = createInterface(issuing.stdout)
    lines.on('line', (line) => (load = v.parse(loadReport, JSON.parse(line))))
    const untilMore = async (): Promise<void> => {
      const { begun } = load
      while (load.begun <= begun + BETWEEN) await once(lines, 'line')
    }
    await untilMore()
    const before = await run('systemctl', 'show', '--property=MainPID', SERVICE)
    const settings = await readFile(chroot.path(DEFAULTS), 'utf8')
    await run('dpkg', '--install', nextDeb)
    expect(await run('dpkg-query', '--show', '--showformat=${Status} ${Version}', NAME)).toBe(
      `install ok installed ${NEXT_VERSION}`
    )
    expect(await run('systemctl', 'show', '--property=MainPID', SERVICE)).not.toBe(before)
    expect(await readFile(chroot.path(DEFAULTS), 'utf8')).toBe(settings)
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      await untilMore()
      await run('systemctl', 'restart', SERVICE)
    }
    await untilMore()
    const ended = once(issuing, 'close')
    issuing.stdin.end()
    await ended
    expect(load).toMatchObject({ failures: [], issued: load.begun })
    process.stdout.write(
      `an upgrade and ${String(RESTARTS)} restarts: ${String(load.begun)} requests answered, ${String(load.held)} held back, the longest wait was ${load.longestMs.toFixed(0)} ms\n`
    )
    expect(await balance()).toBe(250)
    await collect(await issue(50))
    expect(await balance()).toBe(300)
  })

  test('continues on a second machine from what the owner saved, with its customers and tills', async () => {
    await run('systemctl', 'stop', SERVICE)
    // The next connection does not start it.
    await expect(running().request('http://127.0.0.1:4010/')).rejects.toThrow('Failed to connect')
    expect(await run('systemctl', 'show', '--property=ActiveState', SERVICE)).toBe('ActiveState=inactive\n')
    await rename(chroot.path(DATA), chroot.path('/root/first-machine'))
    // Only root can read the copy.
    await run('chmod', '600', SAVED)
    await run('systemctl', 'start', SERVICE)
    // The first connection waits until the service has made its data.
    await answering(() => running().request('http://127.0.0.1:4010/'))
    expect(await command('business', 'list')).toBe('No businesses yet.\n')
    const { restore } = await readDocumentedSteps()
    await follow(restore.map((line) => line.replace('FILE', SAVED)))
    await listening()
    expect(await balance()).toBe(250)
    await collect(await issue(75))
    expect(await balance()).toBe(325)
  })

  test('has every issued code after a power cut, and starts by itself', async () => {
    const issuing = running().start(
      ...['sh', '-c', 'while :; do curl --silent "$@"; echo; done', 'sh'],
      ...post({ points: 5 }),
      ...['--header', `Authorization: Bearer ${token}`, 'http://127.0.0.1:4010/api/qr']
    )
    const codes: string[] = []
    const enough = Promise.withResolvers<undefined>()
    if (issuing.stdout === null) throw new Error('its output is piped')
    createInterface(issuing.stdout).on('line', (line) => {
      codes.push(v.parse(issued, JSON.parse(line)).code)
      if (codes.length === 30) enough.resolve(undefined)
    })
    await enough.promise
    await running().cutPower()
    machine = await Machine.boot(chroot)
    await listening()
    expect(await command('verify')).not.toContain('wrong')
    for (const code of codes) expect(await command('code', 'show', code)).toContain('5 points  active')
    expect(await balance()).toBe(325)
    await collect(codes[0] ?? '')
    expect(await balance()).toBe(330)
  })

  test('serves TLS with a certificate whose key only root can read', async () => {
    await run('install', '-d', TLS_FOLDER)
    await writeFile(chroot.path(`${TLS_FOLDER}/cert.pem`), trusted.cert)
    await writeFile(chroot.path(`${TLS_FOLDER}/key.pem`), trusted.key, { mode: 0o600 })
    await copyFile(AUTHORITY_FILE, chroot.path('/root/authority.pem'))
    const settings = await readFile(chroot.path(DEFAULTS), 'utf8')
    const example = /^# +(SERVE_OPTIONS=.*--tls-cert.*)$/m.exec(settings)?.[1] ?? ''
    await appendFile(chroot.path(DEFAULTS), `${example}\n`)
    await run('systemctl', 'stop', 'caddy')
    const page = await readFile(join(PROJECT, 'resources/packaging/service', `${NAME}.8`), 'utf8')
    const folder = chroot.path(`/etc/systemd/system/${SOCKET}.d`)
    await mkdir(folder)
    await writeFile(join(folder, 'override.conf'), /^\.nf\n(.*?)^\.fi/ms.exec(page)?.[1] ?? '')
    await run('systemctl', 'daemon-reload')
    await run('systemctl', 'restart', SOCKET)
    await answering(() => running().request('https://localhost/', '--cacert', '/root/authority.pem'))
  })

  test('is removed and purged, and leaves the data, with which it continues', async () => {
    await run('systemctl', 'revert', SOCKET)
    await run('apt-get', 'remove', NAME)
    await expect(run('systemctl', 'is-active', SERVICE)).rejects.toThrow()
    expect(await run('apt-get', 'purge', NAME)).toContain(`rm -r ${DATA} /var/lib/${NAME}`)
    // The administrator's certificate stays, too. The packages are the test's, and the manual's cache is that of man-db.
    const left = (await chroot.find('/', `*${NAME}*`)).filter((path) => !/^\/(?:srv|var\/cache)\//.test(path))
    expect(left).toEqual([`/etc/${NAME}`, DATA, `/var/lib/${NAME}`])
    await run('dpkg', '--install', nextDeb)
    expect(await run('systemctl', 'is-active', SERVICE, TIMER)).toBe('active\nactive\n')
    expect(await balance()).toBe(330)
  })
})
