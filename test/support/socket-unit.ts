/** The units of the service, as systemd runs them: the socket stays open while the service restarts. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { PROJECT } from '../../resources/scripts/tools.ts'

const ACTIVATE = '/usr/bin/systemd-socket-activate'
export const ACTIVATE_PACKAGE = 'systemd'

const PROGRAM = join(PROJECT, 'electron/service/cli/main.ts')
const UNIT = join(PROJECT, 'resources/packaging/service/tillpoints-service.service')

/**
 * Returns why the tests with a socket of systemd are skipped, as one sentence; null when they run. With `CI` set they run in any
 * case, and fail where it is missing.
 */
export const socketUnitSkipReason = (): string | null =>
  existsSync(ACTIVATE) || process.env['CI']
    ? null
    : `The tests of a restart need ${ACTIVATE}: apt-get install --no-install-recommends ${ACTIVATE_PACKAGE}`

/**
 * Keeps the socket of its parent, and starts the service again whenever it ends. A line tells the id of each process.
 * The variable names the process that the socket is for: see sd_listen_fds(3).
 */
const KEEP = 'while :; do sh -c \'LISTEN_PID=$$ exec "$@"\' sh "$@" & echo "started $!"; wait $!; done'

/** The command of the service's unit. */
const commandOf = (options: readonly string[]): readonly string[] => {
  const [, words = ''] = /^ExecStart=.*\/main\.mjs (.*)$/m.exec(readFileSync(UNIT, 'utf8')) ?? []
  const given = words.split(' ').flatMap((word) => (word === '$SERVE_OPTIONS' ? options : [word]))
  return [process.execPath, PROGRAM, ...given]
}

interface SocketUnitOptions {
  readonly host: string
  readonly port: number
  /** of `serve`, as in /etc/default/tillpoints-service */
  readonly options: readonly string[]
  readonly env: NodeJS.Dict<string>
  readonly cwd: string
  /** file to which what the service says is added */
  readonly log: string
}

export class SocketUnit {
  /** resolves when the service says for the first time that it listens */
  readonly ready: Promise<void>
  readonly #keeper: ChildProcess
  readonly #lines: Interface
  #service = 0

  private constructor(keeper: ChildProcess, lines: Interface) {
    this.#keeper = keeper
    this.#lines = lines
    keeper.setMaxListeners(0)
    lines.on('line', (line) => {
      const [, id] = /^started (\d+)$/.exec(line) ?? []
      if (id !== undefined) this.#service = Number(id)
    })
    this.ready = this.#untilListening()
    this.ready.catch(() => undefined)
  }

  /** Listens, and starts the service. Resolves when it has a process. */
  static async start({ host, port, options, env, cwd, log }: SocketUnitOptions): Promise<SocketUnit> {
    const variables = Object.entries(env).map(([name, value = '']) => `--setenv=${name}=${value}`)
    const listen = [`--listen=${host}:${String(port)}`, ...variables]
    const keeper = spawn(ACTIVATE, [...listen, '/bin/sh', '-c', KEEP, 'sh', ...commandOf(options)], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group, which ends together.
      detached: true
    })
    const unit = new SocketUnit(keeper, createInterface(keeper.stdout))
    keeper.stderr.on('data', (text: Buffer) => appendFileSync(log, text))
    // It says that it listens, and waits for a connection before it starts another program.
    await once(keeper.stderr, 'data')
    const first = connect(port, host)
    await once(unit.#lines, 'line')
    first.destroy()
    return unit
  }

  /** Ends the service by SIGTERM, and starts it again. Resolves when it says that it listens. */
  async restart(): Promise<void> {
    const listening = this.#untilListening()
    process.kill(this.#service, 'SIGTERM')
    await listening
  }

  /** Kills the service with its socket, as a power failure does. */
  kill(): void {
    if (this.#keeper.pid !== undefined && this.#keeper.exitCode === null) {
      process.kill(-this.#keeper.pid, 'SIGKILL')
    }
  }

  #untilListening(): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (line: string): void => {
        if (!line.startsWith('listening on ')) return
        this.#lines.off('line', look)
        resolve()
      }
      this.#lines.on('line', look)
      this.#keeper.once('exit', () => reject(new Error('The socket was closed.')))
    })
  }
}
