/** Three nodes on loopback, each with etcd, Patroni and PostgreSQL, and with synchronous replication: a chain's database. */
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import { ownAddress } from '../loopback.ts'
import { ProcessFolder } from './process-folder.ts'
import { ETCD, PATRONI, POSTGRES_ACCOUNT, POSTGRES_PROGRAMS, requirePostgres } from './programs.ts'

/** After which a cluster that has not reached a state is given up. */
const STATE_TIMEOUT_MS = 180_000
const POLL_MS = 250

/**
 * What docs/service.md recommends: a leader that is not heard for `ttl` seconds is replaced, a write is acknowledged when two
 * nodes have it, and none is without a second node.
 */
const CLUSTER_SETTINGS = {
  ttl: 20,
  loop_wait: 3,
  retry_timeout: 5,
  synchronous_mode: true,
  synchronous_mode_strict: true,
  postgresql: {
    use_pg_rewind: true,
    parameters: { max_connections: 200, shared_buffers: '64MB', wal_log_hints: 'on' }
  }
}

const clusterSchema = v.object({
  members: v.array(
    v.object({ name: v.string(), role: v.string(), state: v.string(), timeline: v.optional(v.number()) })
  )
})

/** The usual ports: every node has an address of its own, which no other test takes while the node is down. */
const POSTGRES_PORT = 5432
const REST_PORT = 8008
const ETCD_PORT = 2379
const ETCD_PEER_PORT = 2380

/** Resolves with the body of a call to Patroni's interface; null for another status than 200 and for no answer. */
const callRest = async (node: PatroniNode, path: string, body?: object): Promise<unknown> => {
  const options = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  try {
    const response = await fetch(`http://${node.at(REST_PORT)}${path}`, options)
    const text = await response.text()
    return response.status === 200 ? text : null
  } catch {
    return null
  }
}

const pidsOf = (text: string): readonly string[] => text.match(/\d+/g) ?? []

/** Kills a process, unless it has ended. */
const killProcess = (pid: string): void => {
  try {
    process.kill(Number(pid), 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** The machine of one PostgreSQL server. */
class PatroniNode {
  readonly name: string
  /** IP address */
  readonly host: string
  readonly #folder: string
  #processes: ChildProcess[] = []

  constructor(folder: string, name: string, host: string) {
    this.#folder = folder
    this.name = name
    this.host = host
  }

  /** Host and port, as in an address. */
  at(port: number): string {
    return `${this.host}:${String(port)}`
  }

  get #data(): string {
    return join(this.#folder, `${this.name}-data`)
  }

  /** Starts the node, which joins the others with the data that it has. @param all the nodes of the cluster */
  start(all: readonly PatroniNode[]): void {
    const client = `http://${this.at(ETCD_PORT)}`
    const peer = `http://${this.at(ETCD_PEER_PORT)}`
    const config = join(this.#folder, `${this.name}.yml`)
    // JSON is YAML.
    writeFileSync(config, JSON.stringify(this.#configuration(all)), { mode: 0o644 })
    this.#processes = [
      this.#spawn(ETCD, [
        ...['--name', this.name, '--data-dir', join(this.#folder, `${this.name}-etcd`)],
        ...['--enable-v2=false', '--log-level', 'error', '--initial-cluster-state', 'new'],
        ...['--listen-client-urls', client, '--advertise-client-urls', client],
        ...['--listen-peer-urls', peer],
        ...['--initial-advertise-peer-urls', peer],
        ...[
          '--initial-cluster',
          all.map((node) => `${node.name}=http://${node.at(ETCD_PEER_PORT)}`).join(',')
        ]
      ]),
      this.#spawn(PATRONI, [config])
    ]
  }

  /** Kills every process of the node at once, as a power failure does. */
  kill(): void {
    for (const child of this.#processes) child.kill('SIGKILL')
    // Patroni's children are not this process's, and outlive it.
    const file = join(this.#data, 'postmaster.pid')
    if (!existsSync(file)) return
    const [postmaster] = pidsOf(readFileSync(file, 'utf8'))
    if (postmaster === undefined) return
    const children = pidsOf(readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8'))
    for (const pid of [postmaster, ...children]) killProcess(pid)
  }

  #spawn(program: string, args: readonly string[]): ChildProcess {
    const log = openSync(join(this.#folder, `${this.name}.log`), 'a')
    const child = spawn(program, args, {
      ...POSTGRES_ACCOUNT,
      cwd: this.#folder,
      env: { PATH: process.env['PATH'], HOME: this.#folder, LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', log, log]
    })
    closeSync(log)
    return child
  }

  #configuration(all: readonly PatroniNode[]): object {
    const [postgres, rest] = [this.at(POSTGRES_PORT), this.at(REST_PORT)]
    return {
      scope: 'points',
      name: this.name,
      restapi: { listen: rest, connect_address: rest },
      etcd3: { hosts: all.map((node) => node.at(ETCD_PORT)) },
      bootstrap: {
        dcs: CLUSTER_SETTINGS,
        initdb: [{ encoding: 'UTF8' }, 'data-checksums', { locale: 'C.UTF-8' }]
      },
      postgresql: {
        listen: postgres,
        connect_address: postgres,
        data_dir: this.#data,
        bin_dir: POSTGRES_PROGRAMS,
        pgpass: join(this.#folder, `${this.name}.pgpass`),
        authentication: {
          superuser: { username: 'postgres' },
          replication: { username: 'replication' },
          rewind: { username: 'rewind' }
        },
        parameters: { unix_socket_directories: '' },
        pg_hba: ['host all all 127.0.0.0/8 trust', 'host replication all 127.0.0.0/8 trust']
      }
    }
  }
}

export class PatroniCluster {
  readonly #folder: ProcessFolder
  readonly #nodes: readonly PatroniNode[]

  private constructor(folder: ProcessFolder, nodes: readonly PatroniNode[]) {
    this.#folder = folder
    this.#nodes = nodes
  }

  /** Makes a cluster. Resolves when its three nodes run, one of them as the leader and one as its synchronous standby. */
  static async start(): Promise<PatroniCluster> {
    requirePostgres()
    const folder = new ProcessFolder('patroni-')
    const nodes = ['node1', 'node2', 'node3'].map((name) => new PatroniNode(folder.path, name, ownAddress()))
    const cluster = new PatroniCluster(folder, nodes)
    for (const node of nodes) node.start(nodes)
    try {
      await cluster.healthy()
    } catch (error) {
      await cluster.remove()
      throw error
    }
    return cluster
  }

  /** the folder in which a process has to work to end with the cluster */
  get folder(): string {
    return this.#folder.path
  }

  /** address of the database, with all nodes */
  get url(): string {
    return `postgres://postgres@${this.#nodes.map(({ host }) => host).join(',')}/postgres`
  }

  /** Resolves with the node that is the leader now, or becomes it. */
  async leader(): Promise<PatroniNode> {
    return this.#until('has no leader', async () => {
      for (const node of this.#nodes) if ((await callRest(node, '/primary')) !== null) return node
      return null
    })
  }

  /** Resolves when all nodes run, one of them as the leader and one as its synchronous standby. */
  async healthy(): Promise<void> {
    const leader = await this.leader()
    await this.#until('is not complete', async () => {
      const members = await this.#members(leader)
      const count = (...roles: string[]): number => members.filter(({ role }) => roles.includes(role)).length
      const isRunning = members.every(({ state }) => state === 'running' || state === 'streaming')
      const timelines = new Set(members.map(({ timeline }) => timeline))
      const isComplete = members.length === this.#nodes.length && isRunning && timelines.size === 1
      return isComplete && count('leader') === 1 && count('sync_standby') === 1 ? true : null
    })
  }

  /** Kills the leader. Resolves with a function that starts the node again. */
  async killLeader(): Promise<() => void> {
    const leader = await this.leader()
    leader.kill()
    return () => leader.start(this.#nodes)
  }

  /** Kills all nodes at once, and starts them again. */
  killAndStartAll(): void {
    for (const node of this.#nodes) node.kill()
    for (const node of this.#nodes) node.start(this.#nodes)
  }

  /** Makes the synchronous standby the leader, as for maintenance. Resolves when it is. */
  async switchOver(): Promise<void> {
    const leader = await this.leader()
    const standby = (await this.#members(leader)).find(({ role }) => role === 'sync_standby')
    if (standby === undefined) throw new Error('The cluster has no synchronous standby.')
    const answer = await callRest(leader, '/switchover', { leader: leader.name, candidate: standby.name })
    if (answer === null) throw new Error(`Patroni did not make ${standby.name} the leader.`)
    await this.#until(`has not made ${standby.name} its leader`, async () =>
      (await this.leader()).name === standby.name ? true : null
    )
  }

  /** Kills all processes that work in the cluster's folder, and deletes it. */
  remove(): Promise<void> {
    return this.#folder.remove()
  }

  async #members(leader: PatroniNode): Promise<v.InferOutput<typeof clusterSchema>['members']> {
    const body = await callRest(leader, '/cluster')
    return typeof body === 'string' ? v.parse(clusterSchema, JSON.parse(body)).members : []
  }

  /** Resolves with the first result that is not null. Rejects with what the nodes wrote last. */
  async #until<Value>(fault: string, look: () => Promise<Value | null>): Promise<Value> {
    const deadline = Date.now() + STATE_TIMEOUT_MS
    for (;;) {
      const value = await look()
      if (value !== null) return value
      if (Date.now() > deadline) {
        const logs = this.#nodes.map(({ name }) =>
          readFileSync(join(this.folder, `${name}.log`), 'utf8').slice(-1500)
        )
        throw new Error(
          `The cluster ${fault} after ${String(STATE_TIMEOUT_MS / 1000)} s.\n${logs.join('\n\n')}`
        )
      }
      await wait(POLL_MS)
    }
  }
}
