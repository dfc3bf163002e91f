/**
 * Three machines on loopback, as in docs/examples/three-machines: each with etcd, Patroni and PostgreSQL, a service process
 * and a proxy.
 */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import * as v from 'valibot'
import { freePort, ownAddress } from '../loopback.ts'
import { issueCertificate } from '../proxy/authority.ts'
import { Machine, type Part, type Site } from './machine.ts'
import type { LoadedService } from './points-load.ts'
import { ProcessFolder } from './process-folder.ts'
import { requirePostgres } from './programs.ts'

/** The name of the examples. */
const SITE_NAME = 'points.example.com'

/** After which machines that have not reached a state are given up. */
const STATE_TIMEOUT_MS = 180_000
const POLL_MS = 250

const clusterSchema = v.object({
  members: v.array(
    v.object({ name: v.string(), role: v.string(), state: v.string(), timeline: v.optional(v.number()) })
  )
})
type Member = v.InferOutput<typeof clusterSchema>['members'][number]

/** What docs/examples/three-machines/patroni.yml says to do once. */
const DATABASE_STATEMENTS = [
  "CREATE ROLE tillpoints LOGIN PASSWORD 'choose-1'",
  'CREATE DATABASE points OWNER tillpoints'
]
const SUPERUSER = { user: 'postgres', password: 'choose-2' }

export class ThreeMachines {
  readonly machines: readonly Machine[]
  /** port of the proxies */
  readonly #httpsPort: number
  /** certificate of the authority that signed the proxies', PEM */
  readonly #authorityFile: string
  readonly #folder: ProcessFolder

  private constructor(folder: ProcessFolder, site: Site, authorityFile: string) {
    this.#folder = folder
    this.machines = site.hosts.map((_, index) => new Machine(site, index))
    this.#httpsPort = site.httpsPort
    this.#authorityFile = authorityFile
  }

  /** Sets the machines up. Resolves when all of it runs, with an empty database. */
  static async start(): Promise<ThreeMachines> {
    requirePostgres()
    const folder = new ProcessFolder('machines-')
    try {
      const certificates = join(folder.path, 'certificates')
      await mkdir(certificates)
      const { authority, certificate, key } = await issueCertificate(certificates, SITE_NAME)
      const hosts = [ownAddress(), ownAddress(), ownAddress()]
      const ports = { httpPort: await freePort(), httpsPort: await freePort() }
      const site = { folder: folder.path, hosts, ...ports, certificate, key }
      const all = new ThreeMachines(folder, site, authority)
      await all.#startParts('etcd', 'database')
      await all.#untilDatabase()
      await all.#prepareDatabase()
      await all.#startParts('service', 'proxy')
      await all.healthy()
      return all
    } catch (error) {
      await folder.remove()
      throw error
    }
  }

  /** Makes a shop. Resolves with a pairing code for its tills. */
  async openShop(): Promise<string> {
    const [machine] = this.machines
    if (machine === undefined) throw new Error('There is no machine.')
    await machine.command(v.object({}), 'business', 'add', '--name', 'Corner Café', '--country', 'GR')
    const { code } = await machine.command(v.object({ code: v.string() }), 'till', 'pair', '--name', 'Till 1')
    return code
  }

  /** Resolves with how a load reaches the service, through each proxy. */
  async reached(): Promise<LoadedService> {
    const hosts = this.machines.map(({ host }) => host)
    return {
      hosts,
      port: this.#httpsPort,
      name: SITE_NAME,
      authority: await readFile(this.#authorityFile)
    }
  }

  /** Resolves with the machine that is the leader now, or becomes it. */
  async leader(): Promise<Machine> {
    return this.#until('have no leader', async () => {
      for (const machine of this.machines) {
        if ((await machine.callPatroni('/primary')) !== null) return machine
      }
      return null
    })
  }

  /** Resolves when everything runs: one leader, one synchronous standby, and each service. */
  async healthy(): Promise<void> {
    await this.#untilDatabase()
    await this.#until('have a service that is not ready', async () => {
      const ready = await Promise.all(this.machines.map((machine) => machine.isReady()))
      return ready.every(Boolean) ? true : null
    })
  }

  /** Makes the synchronous standby the leader, as for maintenance. Resolves when it is. */
  async switchOver(): Promise<void> {
    const leader = await this.leader()
    const standby = (await this.#members(leader)).find(({ role }) => role === 'sync_standby')
    if (standby === undefined) throw new Error('The machines have no synchronous standby.')
    const names = { leader: leader.name, candidate: standby.name }
    if ((await leader.callPatroni('/switchover', names)) === null)
      throw new Error(`Patroni did not make ${standby.name} the leader.`)
    await this.#until(`have not made ${standby.name} their leader`, async () =>
      (await this.leader()).name === standby.name ? true : null
    )
  }

  /** Connects to the database of the leader. */
  async connect(database: string): Promise<Client> {
    const { host } = await this.leader()
    const client = new Client({ host, database, ...SUPERUSER })
    await client.connect()
    return client
  }

  /** Kills all processes, and deletes the folder. */
  remove(): Promise<void> {
    return this.#folder.remove()
  }

  async #startParts(...parts: readonly Part[]): Promise<void> {
    await Promise.all(this.machines.flatMap((machine) => parts.map((part) => machine.start(part))))
  }

  async #prepareDatabase(): Promise<void> {
    const client = await this.connect('postgres')
    for (const statement of DATABASE_STATEMENTS) await client.query(statement)
    await client.end()
  }

  async #untilDatabase(): Promise<void> {
    await this.#until('have an incomplete database', async () => {
      const members = await this.#members(await this.leader())
      const count = (...roles: string[]): number => members.filter(({ role }) => roles.includes(role)).length
      const isRunning = members.every(({ state }) => state === 'running' || state === 'streaming')
      const timelines = new Set(members.map(({ timeline }) => timeline))
      const isComplete = members.length === this.machines.length && isRunning && timelines.size === 1
      return isComplete && count('leader') === 1 && count('sync_standby') === 1 ? true : null
    })
  }

  async #members(leader: Machine): Promise<readonly Member[]> {
    const body = await leader.callPatroni('/cluster')
    return body === null ? [] : v.parse(clusterSchema, JSON.parse(body)).members
  }

  /** Resolves with the first result that is not null. Rejects with what the machines wrote last. */
  async #until<Value>(fault: string, look: () => Promise<Value | null>): Promise<Value> {
    const deadline = Date.now() + STATE_TIMEOUT_MS
    for (;;) {
      const value = await look()
      if (value !== null) return value
      if (Date.now() > deadline) {
        const logs = this.machines.map((machine) => machine.log()).join('\n\n')
        throw new Error(`The machines ${fault} after ${String(STATE_TIMEOUT_MS / 1000)} s.\n${logs}`)
      }
      await wait(POLL_MS)
    }
  }
}
