/** One of three machines, with the files of docs/examples/three-machines, on a loopback address of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { parseEnv } from 'node:util'
import * as v from 'valibot'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import { readExample } from '../examples.ts'
import { LOOPBACK } from '../loopback.ts'
import { Caddy } from '../proxy/caddy.ts'
import { SocketUnit } from '../socket-unit.ts'
import { giveToAccount } from './process-folder.ts'
import { ETCD, PATRONI, POSTGRES_ACCOUNT, POSTGRES_PROGRAMS } from './programs.ts'

/** What systemd starts again by itself. */
export type Part = 'etcd' | 'database' | 'service' | 'proxy'

export const PARTS: readonly Part[] = ['etcd', 'database', 'service', 'proxy']

/** What the machines share. */
export interface Site {
  /** in which their processes work */
  readonly folder: string
  /** IP addresses of the machines */
  readonly hosts: readonly string[]
  /** of the proxies, in place of 80 and 443 */
  readonly httpPort: number
  readonly httpsPort: number
  /** PEM files of the proxies */
  readonly certificate: string
  readonly key: string
}

const PROGRAM = join(PROJECT, 'electron/service/cli/main.ts')

/** The ports of the examples. */
const REST_PORT = 8008
const READINESS_PORT = 9464

/** The addresses of the examples. */
const HOSTS = ['10.0.0.11', '10.0.0.12', '10.0.0.13']
const OWN_HOST = '10.0.0.11'

const nodeName = (index: number): string => `node${String(index + 1)}`

const pidsOf = (text: string): readonly string[] => text.match(/\d+/g) ?? []

/** Kills a process, unless it has ended. */
const killProcess = (pid: string): void => {
  try {
    process.kill(Number(pid), 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Resolves with the text of a response with status 200; null for another status and for no answer. */
const read = async (url: string, options: RequestInit = {}): Promise<string | null> => {
  try {
    const response = await fetch(url, options)
    const text = await response.text()
    return response.status === 200 ? text : null
  } catch {
    return null
  }
}

export class Machine {
  /** as in etcd and Patroni */
  readonly name: string
  /** IP address */
  readonly host: string
  readonly #site: Site
  readonly #folder: string
  /** how to kill each part */
  readonly #killers = new Map<Part, () => void>()
  #service: SocketUnit | null = null

  constructor(site: Site, index: number) {
    this.#site = site
    this.name = nodeName(index)
    this.host = site.hosts[index] ?? ''
    this.#folder = join(site.folder, this.name)
    mkdirSync(this.#folder)
    giveToAccount(this.#folder)
  }

  /** Starts a part with the data that it has. Resolves when its process runs. */
  async start(part: Part): Promise<void> {
    if (part === 'etcd') this.#startEtcd()
    else if (part === 'database') this.#startDatabase()
    else if (part === 'service') await this.#startService()
    else await this.#startProxy()
  }

  /** Kills a part, as a power failure does. */
  kill(part: Part): void {
    this.#killers.get(part)?.()
    if (part !== 'database') return
    // Patroni's children are not this process's, and outlive it.
    const data = join(this.#folder, 'data')
    const file = join(data, 'postmaster.pid')
    const [postmaster = ''] = existsSync(file) ? pidsOf(readFileSync(file, 'utf8')) : []
    const place = join('/proc', postmaster)
    if (postmaster === '' || !existsSync(place) || readlinkSync(join(place, 'cwd')) !== data) return
    const children = pidsOf(readFileSync(join(place, 'task', postmaster, 'children'), 'utf8'))
    for (const pid of [postmaster, ...children]) killProcess(pid)
  }

  /** Resolves with the body of a call to Patroni's interface; null for another status than 200 and for no answer. */
  callPatroni(path: string, body?: object): Promise<string | null> {
    const options = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    return read(`http://${this.host}:${String(REST_PORT)}${path}`, options)
  }

  /** Resolves with whether the service takes writes. */
  async isReady(): Promise<boolean> {
    return (await read(`http://${this.host}:${String(READINESS_PORT)}/readyz`)) !== null
  }

  /** Ends the service by SIGTERM, and starts it again while its socket stays open. Resolves when it listens. */
  async restartService(): Promise<void> {
    await this.#service?.restart()
  }

  /** Runs a command of the service on this machine. Resolves with what it prints. Its process ends with the machines. */
  async command<Schema extends v.GenericSchema>(
    schema: Schema,
    ...args: readonly string[]
  ): Promise<v.InferOutput<Schema>> {
    const child = spawn(process.execPath, [PROGRAM, ...args, '--json'], {
      cwd: this.#folder,
      env: { ...process.env, ...this.#serviceSettings() },
      stdio: ['ignore', 'pipe', 'inherit']
    })
    const [printed, [code]] = await Promise.all([
      textOf(child.stdout),
      once(child, 'close').then((closed) => v.parse(v.looseTuple([v.nullable(v.number())]), closed))
    ])
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}: ${printed}`)
    return v.parse(schema, JSON.parse(printed))
  }

  /** What its processes wrote last. */
  log(): string {
    return readFileSync(this.#logFile, 'utf8').slice(-1500)
  }

  get #logFile(): string {
    return join(this.#folder, 'log')
  }

  /** The list of all machines as an example has it, and what it becomes. @param text what stands for one */
  #list(
    separator: string,
    text: (host: string, index: number) => string = (host) => host
  ): Readonly<Record<string, string>> {
    return { [HOSTS.map(text).join(separator)]: this.#site.hosts.map(text).join(separator) }
  }

  #startEtcd(): void {
    const settings = readExample('three-machines/etcd', {
      ...this.#list(',', (host, index) => `${nodeName(index)}=http://${host}:2380`),
      'ETCD_NAME=node1': `ETCD_NAME=${this.name}`,
      [OWN_HOST]: this.host
    })
    const env = { ...parseEnv(settings), ETCD_DATA_DIR: join(this.#folder, 'etcd'), ETCD_LOG_LEVEL: 'error' }
    this.#spawn('etcd', ETCD, [], env)
  }

  #startDatabase(): void {
    const config = join(this.#folder, 'patroni.yml')
    const settings = readExample('three-machines/patroni.yml', {
      ...this.#list(',', (host) => `${host}:2379`),
      'name: node1': `name: ${this.name}`,
      [OWN_HOST]: this.host,
      '10.0.0.0/24': '127.0.0.0/8',
      '/usr/lib/postgresql/15/bin': POSTGRES_PROGRAMS,
      '/var/lib/postgresql/15/points': join(this.#folder, 'data'),
      '/var/lib/postgresql/patroni.pgpass': join(this.#folder, 'pgpass'),
      '/var/run/postgresql': this.#folder
    })
    writeFileSync(config, settings, { mode: 0o644 })
    this.#spawn('database', PATRONI, [config])
  }

  #serviceSettings(): NodeJS.Dict<string> {
    return parseEnv(
      readExample('three-machines/tillpoints-service', {
        // On loopback every connection comes from this address.
        [`--behind-proxy ${HOSTS.join(',')}`]: `--behind-proxy ${LOOPBACK}`,
        ...this.#list(','),
        [OWN_HOST]: this.host
      })
    )
  }

  async #startService(): Promise<void> {
    const listen = readExample('three-machines/listen.conf', { [OWN_HOST]: this.host })
    const [, host = '', port = ''] = /^ListenStream=([\d.]+):(\d+)$/m.exec(listen) ?? []
    const env = this.#serviceSettings()
    const options = env['SERVE_OPTIONS']?.split(' ') ?? []
    const place = { host, port: Number(port), cwd: this.#folder, log: this.#logFile }
    const service = await SocketUnit.start({ ...place, options, env })
    this.#service = service
    this.#killers.set('service', () => service.kill())
  }

  async #startProxy(): Promise<void> {
    const { certificate, key, httpPort, httpsPort } = this.#site
    const sites = readExample('three-machines/Caddyfile', {
      ...this.#list(' ', (host) => `${host}:4010`),
      '/etc/caddy/points.pem': certificate,
      '/etc/caddy/points.key': key
    })
    const folder = join(this.#folder, 'caddy')
    const ports = { httpPort, httpsPort, host: this.host }
    const caddy = await Caddy.start({ folder, sites, ...ports })
    this.#killers.set('proxy', () => caddy.kill())
  }

  #spawn(part: Part, program: string, args: readonly string[], env: NodeJS.Dict<string> = {}): void {
    const log = openSync(this.#logFile, 'a')
    const child = spawn(program, args, {
      ...POSTGRES_ACCOUNT,
      cwd: this.#folder,
      env: { PATH: process.env['PATH'], HOME: this.#folder, LC_ALL: 'C.UTF-8', ...env },
      stdio: ['ignore', log, log]
    })
    closeSync(log)
    this.#killers.set(part, () => child.kill('SIGKILL'))
  }
}
