/** PostgreSQL servers of Debian's package on loopback, each with a folder of its own. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort, LOOPBACK } from '../loopback.ts'
import { ProcessFolder } from './process-folder.ts'
import { POSTGRES_ACCOUNT, POSTGRES_PROGRAMS, requirePostgres } from './programs.ts'

/** The role that owns the databases of a test. */
const USER = 'points'
/** How long a server may take to start or stop. */
const START_TIMEOUT_MS = 60_000

const run = promisify(execFile)

const program = (name: string, args: readonly string[]): Promise<unknown> =>
  run(join(POSTGRES_PROGRAMS, name), args, {
    ...POSTGRES_ACCOUNT,
    cwd: tmpdir(),
    env: { ...process.env, LC_ALL: 'C.UTF-8' }
  })

export class PostgresServer {
  readonly port: number
  readonly #folder: ProcessFolder
  #process: ChildProcess | null = null

  readonly #isDurable: boolean

  private constructor(folder: ProcessFolder, port: number, isDurable: boolean) {
    this.#folder = folder
    this.#isDurable = isDurable
    this.port = port
  }

  /** host and port, as in an address of the database */
  get host(): string {
    return `${LOOPBACK}:${String(this.port)}`
  }

  /** Address of a database of this server alone. */
  url(database = 'postgres'): string {
    return `postgres://${USER}@${this.host}/${database}`
  }

  get #data(): string {
    return join(this.#folder.path, 'data')
  }

  static async #prepare(isDurable: boolean): Promise<PostgresServer> {
    requirePostgres()
    return new PostgresServer(new ProcessFolder('postgres-'), await freePort(), isDurable)
  }

  /** Starts an empty server that can have standbys. */
  static async start(isDurable = false): Promise<PostgresServer> {
    const server = await PostgresServer.#prepare(isDurable)
    await program('initdb', [
      ...['--pgdata', server.#data, '--username', USER, '--auth', 'trust'],
      ...['--encoding', 'UTF8', '--locale', 'C.UTF-8', '--no-sync']
    ])
    await server.start()
    return server
  }

  /** Starts a standby of this server, which follows it and takes no writes until it is promoted. */
  async addStandby(): Promise<PostgresServer> {
    const standby = await PostgresServer.#prepare(this.#isDurable)
    const source = ['--host', LOOPBACK, '--port', String(this.port), '--username', USER]
    await program('pg_basebackup', [
      ...['--pgdata', standby.#data, '--write-recovery-conf', '--checkpoint', 'fast', '--no-sync'],
      ...source
    ])
    await standby.start()
    return standby
  }

  /** Starts the server with the data of its folder. Resolves when it accepts connections. */
  async start(): Promise<void> {
    const settings = {
      listen_addresses: LOOPBACK,
      port: this.port,
      unix_socket_directories: '',
      max_connections: 200,
      wal_level: 'replica',
      shared_buffers: '64MB',
      // The tests end processes, not the machine.
      fsync: this.#isDurable ? 'on' : 'off'
    }
    const child = spawn(
      join(POSTGRES_PROGRAMS, 'postgres'),
      ['-D', this.#data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { ...POSTGRES_ACCOUNT, stdio: ['ignore', 'ignore', 'pipe'] }
    )
    this.#process = child
    let said = ''
    child.stderr.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-5000)))
    const deadline = Date.now() + START_TIMEOUT_MS
    for (;;) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`PostgreSQL did not start: ${said}`)
      const isReady = await program('pg_isready', [
        '--host',
        LOOPBACK,
        '--port',
        String(this.port),
        '--quiet'
      ]).then(
        () => true,
        () => false
      )
      if (isReady) return
      await wait(50)
    }
  }

  /** Runs one statement in the database `postgres`, and returns its rows. */
  async execute(statement: string): Promise<readonly unknown[]> {
    const client = new Client({ connectionString: this.url() })
    await client.connect()
    const { rows } = await client.query<Record<string, unknown>>(statement)
    await client.end()
    return rows
  }

  /** Lets a standby take writes. */
  async promote(): Promise<void> {
    await program('pg_ctl', ['promote', '--pgdata', this.#data, '--wait'])
  }

  /** Ends the server: at once and without a shutdown for SIGKILL, disconnecting its clients for SIGINT. */
  async stop(signal: 'SIGINT' | 'SIGKILL' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const child = this.#process
    this.#process = null
    if (child?.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  /** Stops the server and deletes its data. */
  async remove(): Promise<void> {
    await this.stop('SIGQUIT')
    await this.#folder.remove()
  }
}
