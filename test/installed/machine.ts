/** A machine that runs the Debian of a `Chroot`: its systemd, with the services that are installed. Needs root. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { PROJECT } from '../../resources/scripts/tools.ts'
import type { Chroot } from './chroot.ts'

const execute = promisify(execFile)

const BOOT = join(import.meta.dirname, 'boot.sh')

/** What an HTTP server answered. */
export interface HttpAnswer {
  readonly status: number
  readonly body: string
}

export class Machine {
  readonly #booted: ChildProcess
  /** the process that is number 1 inside */
  readonly #init: number

  private constructor(booted: ChildProcess, init: number) {
    this.#booted = booted
    this.#init = init
  }

  /** Starts the system. Resolves when its services have started, or failed to. */
  static async boot(chroot: Chroot): Promise<Machine> {
    const booted = spawn(BOOT, [chroot.path('/')], { stdio: ['ignore', 'inherit', 'inherit'] })
    const machine = new Machine(booted, await initBelow(booted))
    // Degraded: a service has failed. The tests ask for the ones that matter. At first systemd gives no answer.
    const state = (): Promise<string> =>
      machine.run('sh', '-c', 'systemctl is-system-running 2>/dev/null || true')
    while (!/^(?:running|degraded)$/m.test(await state())) await wait(50)
    return machine
  }

  /** Runs a program as root inside. Resolves with its output. @throws with its output when it fails */
  async run(...command: readonly string[]): Promise<string> {
    const { stdout } = await execute('nsenter', this.#entering(command))
    return stdout
  }

  /** Starts a program as root inside; its output is piped. */
  start(...command: readonly string[]): ChildProcess {
    return spawn('nsenter', this.#entering(command), { stdio: ['ignore', 'pipe', 'inherit'] })
  }

  /** Starts a program of the project, which runs outside, on this machine's network. Its input and output are piped. */
  startOnNetwork(script: string, ...args: readonly string[]): ChildProcess {
    const command = [`--target=${this.#init}`, '--net', process.execPath, join(PROJECT, script), ...args]
    return spawn('nsenter', command, { stdio: ['pipe', 'pipe', 'inherit'] })
  }

  /** Sends a request from inside with curl, whose options may be given. */
  async request(url: string, ...options: readonly string[]): Promise<HttpAnswer> {
    const output = await this.run(
      'curl',
      '--silent',
      '--show-error',
      '--write-out',
      '\\n%{http_code}',
      ...options,
      url
    )
    const end = output.lastIndexOf('\n')
    return { status: Number(output.slice(end + 1)), body: output.slice(0, end) }
  }

  /** Kills everything that runs inside at once. */
  async cutPower(): Promise<void> {
    if (this.#booted.exitCode !== null) return
    const ended = once(this.#booted, 'exit')
    process.kill(this.#init, 'SIGKILL')
    await ended
  }

  #entering(command: readonly string[]): string[] {
    const environment = ['HOME=/root', 'LANG=C.UTF-8', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin']
    const enter = `--target=${this.#init} --cgroup --ipc --mount --net --pid --uts --root`.split(' ')
    return [...enter, '/usr/bin/env', '--ignore-environment', '--chdir=/root', ...environment, ...command]
  }
}

/** Returns the id of a program's first child, as this machine counts; undefined without one. */
const childOf = async (pid: number): Promise<number | undefined> => {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return children === '' ? undefined : Number.parseInt(children, 10)
}

/** Resolves with the id of the systemd that `boot.sh` becomes, through several programs. */
async function initBelow(booted: ChildProcess): Promise<number> {
  for (;;) {
    if (booted.exitCode !== null) throw new Error(`${BOOT} ended with ${booted.exitCode}: see its output`)
    for (let pid = booted.pid; pid !== undefined; pid = await childOf(pid)) {
      const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
      if (name === 'systemd\n') return pid
    }
    await wait(50)
  }
}
