/** What `doctor` says: of shops behind a real Caddy, and of what keeps customers from reaching one. */
import { createServer as createHttpServer } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls'
import * as v from 'valibot'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { addressFindings, type Resolver } from '../../../../electron/service/cli/doctor/address.ts'
import type { Diagnosis } from '../../../../electron/service/cli/doctor/diagnosis.ts'
import { createDoctorCommand } from '../../../../electron/service/cli/doctor/index.ts'
import { Progress } from '../../../../electron/service/cli/progress.ts'
import { Log } from '../../../../electron/service/monitoring/log.ts'
import { openDnsServer } from '../../../support/dns-server.ts'
import { freePort, LOOPBACK } from '../../../support/loopback.ts'
import { issueCertificate } from '../../../support/proxy/authority.ts'
import { Caddy, caddySkipReason } from '../../../support/proxy/caddy.ts'
import { ServiceProgram } from './program.ts'

const NAME = 'points.example.com'
const LEADS_HERE = `The name ${NAME} leads to ${LOOPBACK}, which phones do not reach.`

const program = new ServiceProgram()

const authorities = getCACertificates('default')
const trust = (file: string): void => setDefaultCACertificates([...authorities, readFileSync(file, 'utf8')])
afterAll(() => setDefaultCACertificates(authorities))

/** DNS servers that know the name of the shop and no other. */
const openNames = async (): Promise<Resolver> => {
  const server = await openDnsServer({ [NAME]: LOOPBACK })
  onTestFinished(() => server.close())
  return server.resolver
}

/** Runs the command in this process, with DNS servers of its own. */
const diagnose = async (
  resolver: Resolver,
  options: Readonly<Record<string, string>>,
  now = () => new Date()
): Promise<Diagnosis> => {
  const given: Readonly<Record<string, string>> = { data: program.data, ...options }
  const command = createDoctorCommand(resolver)
  if (command.opensItself !== true) throw new Error('doctor opens the data itself')
  const { json } = await command.run({
    option: (name) => given[name],
    required: (name) => given[name] ?? '',
    isGiven: () => false,
    all: () => [],
    now,
    progress: new Progress({ write: () => true, isTTY: false }, false),
    log: new Log()
  })
  const texts = v.array(v.string())
  return v.parse(v.object({ findings: texts, notSeen: texts, right: texts }), json)
}

/** Starts the service of a shop with a country and a backup. Returns its port. */
const startShop = async (): Promise<string> => {
  await program.run('init')
  await program.run('business', 'add', '--name', 'Shop', '--country', 'GR', '--time-zone', 'Europe/Athens')
  await program.run('backup')
  const server = program.start(['serve', '--port', '0', '--data', program.data])
  for await (const line of createInterface(server.stdout)) return new URL(line.replace(/^\w+ on /, '')).port
  throw new Error('The service did not start')
}

const listening = async (server: Server): Promise<string> => {
  server.listen(0, LOOPBACK)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return String(v.parse(v.object({ port: v.number() }), server.address()).port)
}

/** Another program with a certificate. */
const serveTls = (options: ServerOptions): Promise<string> =>
  listening(createServer(options, (_request, response) => response.end('Hello')))

const serveHttp = (): Promise<string> =>
  listening(createHttpServer((_request, response) => response.end('Hello')))

describe.skipIf(caddySkipReason() !== null)('behind Caddy', () => {
  /** Whether Caddy, which makes certificates while it answers, has one for its site. */
  const hasCertificate = async (port: number, site: string): Promise<boolean> => {
    const socket = connect({ host: LOOPBACK, port, servername: site, rejectUnauthorized: false })
    const has = await once(socket, 'secureConnect').then(
      () => true,
      () => false
    )
    socket.destroy()
    return has
  }

  const startCaddy = async (port: string, site = NAME) => {
    const [httpPort, httpsPort] = [await freePort(), await freePort()]
    const caddy = await Caddy.start({
      folder: join(program.folder, 'caddy'),
      sites: `${site} {\n\treverse_proxy 127.0.0.1:${port}\n}\n`,
      httpPort,
      httpsPort
    })
    onTestFinished(() => caddy.stop())
    await expect.poll(() => hasCertificate(httpsPort, site)).toBe(true)
    return {
      caddy,
      url: `https://${NAME}:${String(httpsPort)}`,
      place: `${NAME}:${String(httpsPort)} (${LOOPBACK})`
    }
  }

  it('sees the name, the certificate, and the service of this shop through the proxy', async () => {
    const port = await startShop()
    const { caddy, url, place } = await startCaddy(port)
    const clock = await serveHttp()
    const look = async () =>
      diagnose(await openNames(), { 'public-url': url, port, clock: `http://${LOOPBACK}:${clock}` })
    expect((await look()).findings).toEqual([
      expect.stringContaining(LEADS_HERE),
      expect.stringContaining(`Phones do not trust the certificate at ${place}`)
    ])
    trust(caddy.authorityFile)
    const { findings, notSeen, right } = await look()
    expect(findings).toEqual([expect.stringContaining(LEADS_HERE)])
    expect(notSeen).toEqual([])
    expect(right).toEqual([
      'The database answers.',
      expect.stringMatching(
        /^The certificate at .* is for points\.example\.com, and valid for \d+ hours more\.$/
      ),
      `The service of this shop answers at ${place}.`,
      `The service of this shop answers at ${LOOPBACK}:${port}.`,
      `The clock agrees with that of http://${LOOPBACK}:${clock}.`,
      expect.stringContaining('The time zone Europe/Athens'),
      expect.stringContaining('MB left.'),
      expect.stringContaining('0 hours old.')
    ])
  })

  it('says that the proxy does not reach the service', async () => {
    await program.run('init')
    const port = String(await freePort())
    const { url, place } = await startCaddy(port)
    const { findings } = await diagnose(await openNames(), { 'public-url': url, port })
    expect(findings).toContainEqual(
      expect.stringContaining(`The proxy at ${place} does not reach the service (502).`)
    )
    expect(findings).toContainEqual(
      expect.stringContaining(`The service does not answer at ${LOOPBACK}:${port} (ECONNREFUSED).`)
    )
  })

  it('says that the proxy has no certificate for the name', async () => {
    await program.run('init')
    const { url, place } = await startCaddy('9', 'other.example.com')
    const { findings } = await diagnose(await openNames(), { 'public-url': url, port: '0' })
    expect(findings).toContainEqual(expect.stringContaining(`What answers at ${place} has no certificate.`))
  })

  it('tells the service of another shop', async () => {
    const port = await startShop()
    const { url, place } = await startCaddy(port)
    const other = join(program.folder, 'other')
    await program.exactly('init', '--data', other)
    await program.exactly('business', 'add', '--name', 'Other', '--country', 'GR', '--data', other)
    const { findings } = await diagnose(await openNames(), { 'public-url': url, port, data: other })
    for (const at of [place, `${LOOPBACK}:${port}`]) {
      expect(findings).toContainEqual(expect.stringContaining(`The service at ${at} is another shop's`))
    }
  })
})

it.each([
  ['wrong name', 'shop.example.com', 30, 0, 'is for DNS:shop.example.com, not for points.example.com'],
  ['expired certificate', NAME, -1, 0, ' ended at '],
  ['certificate that was not renewed', NAME, 30, 29, ' ends in 23 hours']
])('says that another program answers, and of its certificate: %s', async (_, host, days, later, said) => {
  await program.run('init')
  const files = await issueCertificate(program.folder, host, days)
  trust(files.authority)
  const port = await serveTls({ cert: readFileSync(files.certificate), key: readFileSync(files.key) })
  const options = { 'public-url': `https://${NAME}:${port}`, port: await serveHttp() }
  const now = () => new Date(Date.now() + later * 24 * 3_600_000)
  const { findings } = await diagnose(await openNames(), options, now)
  expect(findings.filter((text) => text.includes('certificate'))).toEqual([expect.stringContaining(said)])
  expect(findings.filter((text) => text.startsWith('Another program answers at'))).toHaveLength(2)
})

it('says that a name leads nowhere, and what it therefore could not look at', async () => {
  await program.run('init')
  const { findings, notSeen } = await diagnose(await openNames(), {
    'public-url': 'https://other.example.com',
    port: '0'
  })
  expect(findings).toContainEqual(expect.stringContaining('The name other.example.com leads nowhere'))
  expect(notSeen).toContainEqual(expect.stringContaining('What answers at other.example.com'))
  expect(notSeen).toContainEqual(expect.stringContaining('The port of the service'))
})

it('says that no DNS server answers', async () => {
  await program.run('init')
  const refuse = () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
  const { notSeen } = await diagnose(
    { resolve4: refuse, resolve6: refuse },
    { 'public-url': `https://${NAME}`, port: '0' }
  )
  expect(notSeen).toContainEqual(expect.stringContaining(`Where the name ${NAME} leads`))
})

it('looks at the rest when the data cannot be read', async () => {
  const { findings } = await diagnose(await openNames(), {
    'public-url': `https://${NAME}:${await serveHttp()}`,
    port: String(await freePort())
  })
  expect(findings).toEqual([
    expect.stringContaining('There is no service in'),
    expect.stringContaining(LEADS_HERE),
    expect.stringContaining('does not speak TLS'),
    expect.stringContaining('The service does not answer')
  ])
})

it('compares the clock with that of another machine', async () => {
  await program.run('init')
  const past = new Date(Date.now() - 10 * 60_000).toUTCString()
  const port = await listening(
    createHttpServer((_request, response) => response.setHeader('Date', past).end())
  )
  const { findings } = await diagnose(await openNames(), { port: '0', clock: `http://${LOOPBACK}:${port}` })
  expect(findings).toContainEqual(expect.stringContaining('The clock is 10 minutes ahead of that of'))
})

it('says which zones of the system are newer and differ', async () => {
  await program.run('init')
  await program.run('business', 'add', '--name', 'Shop', '--country', 'GR', '--time-zone', 'Europe/Athens')
  const zones = join(program.folder, 'zones')
  mkdirSync(join(zones, 'Europe'), { recursive: true })
  cpSync('/usr/share/zoneinfo/Europe/Paris', join(zones, 'Europe/Athens'), { dereference: true })
  vi.stubEnv('TZDIR', zones)
  onTestFinished(() => void vi.unstubAllEnvs())
  const look = async (release: string) => {
    writeFileSync(join(zones, 'tzdata.zi'), `# version ${release}\n`)
    return diagnose(await openNames(), { port: '0' })
  }
  expect((await look('2999a')).findings).toContainEqual(
    expect.stringMatching(
      /^The time zone Europe\/Athens is \+0[23]:00 in this program \(.*\) and \+0[12]:00 in the system \(2999a\)/
    )
  )
  expect((await look('2001a')).right).toContainEqual(
    expect.stringContaining('The time zone Europe/Athens is newer')
  )
})

it('says in words what is wrong, and exits with 1', async () => {
  await program.run('init')
  const backups = join(program.folder, 'backups')
  mkdirSync(backups)
  const old = join(backups, 'old.sqlite')
  writeFileSync(old, '')
  utimesSync(old, new Date(), new Date(Date.now() - 3 * 24 * 3_600_000))
  const flags = ['--port', '0', '--backups', backups]
  const answer = await program.run('doctor', '--public-url', 'http://192.168.1.5', ...flags, '--json')
  expect(answer.code).toBe(1)
  const { findings } = v.parse(v.looseObject({ findings: v.array(v.string()) }), JSON.parse(answer.stdout))
  expect(findings).toEqual(
    expect.arrayContaining([
      expect.stringContaining('no business yet'),
      expect.stringContaining("only phones in the shop's Wi-Fi"),
      expect.stringContaining('no TLS'),
      expect.stringContaining('72 hours old')
    ])
  )
})

it.each([
  ['https://points.example.com', 0],
  ['https://8.8.8.8', 0],
  ['https://127.0.0.1:4010', 1],
  ['https://[::1]', 1],
  ['https://localhost', 1],
  ['https://172.20.1.1', 1],
  ['https://[fd00::1]', 1],
  ['https://till.local', 1],
  ['https://shop', 1],
  ['http://points.example.com', 1],
  ['nonsense', 1]
])('%s has %i findings', (address, count) => {
  expect(addressFindings(address)).toHaveLength(count)
})
