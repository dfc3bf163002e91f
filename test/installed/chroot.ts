/** A minimal Debian in a folder, for tests that install packages with apt. Needs root. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readlink, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { PROJECT } from '../../resources/scripts/tools.ts'
import { DEBIAN_RELEASE, makeDebian, TEST_CACHE } from '../support/debian.ts'

const execute = promisify(execFile)

const ENTER = join(import.meta.dirname, 'enter.sh')

/** Kept between runs: the system as debootstrap makes it, and the packages that apt downloaded. */
const CACHE = join(TEST_CACHE, 'installed')
const BASE = join(CACHE, DEBIAN_RELEASE)
const ARCHIVES = join(CACHE, 'archives')

/** Programs print up to this many bytes. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/** The path of the project's folder inside the system. */
export const PROJECT_INSIDE = '/srv/project'

/** The home folder of the cashier's account inside the system. */
export const HOME_INSIDE = '/home/cashier'

/** Makes the system that each run copies, unless an earlier run made it. */
async function makeBase(): Promise<void> {
  if (existsSync(BASE)) return
  const unfinished = `${BASE}.unfinished`
  await makeDebian(unfinished)
  await mkdir(join(unfinished, 'srv/project'))
  await rename(unfinished, BASE)
}

/** A fresh copy of the minimal system. */
export class Chroot {
  readonly #folder = join(CACHE, 'run')

  /** Makes the copy, with an account for the cashier and apt's lists of today. */
  static async create(): Promise<Chroot> {
    await mkdir(ARCHIVES, { recursive: true })
    await makeBase()
    const chroot = new Chroot()
    await chroot.remove()
    await execute('cp', ['--archive', BASE, chroot.#folder])
    // Nothing in the copy has to survive a power cut.
    await writeFile(chroot.path('/etc/dpkg/dpkg.cfg.d/unsafe-io'), 'force-unsafe-io\n')
    await chroot.run('useradd', ['--create-home', 'cashier'])
    await chroot.run('apt-get', ['update'])
    return chroot
  }

  /** The path outside of a path inside. */
  path(inside: string): string {
    return join(this.#folder, inside)
  }

  /**
   * Runs a program. Resolves with its output, both streams.
   * @throws with its output when it fails
   */
  async run(program: string, args: readonly string[], user: 'root' | 'cashier' = 'root'): Promise<string> {
    const { stdout, stderr } = await execute(ENTER, [...this.#entering(user), program, ...args], {
      maxBuffer: MAX_OUTPUT_BYTES
    })
    return stdout + stderr
  }

  /** Installs packages, without the ones that they recommend. A package is a name or the path of a file. */
  async install(...packages: readonly string[]): Promise<void> {
    await this.run('apt-get', ['install', '--yes', '--no-install-recommends', ...packages])
  }

  /** Writes a script outside that starts a command inside as the cashier. Resolves with its path. */
  async launcher(command: readonly string[]): Promise<string> {
    const file = `${this.#folder}.start`
    const words = [ENTER, ...this.#entering('cashier'), ...command].map((word) => `'${word}'`)
    await writeFile(file, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, { mode: 0o755 })
    return file
  }

  /** Returns the paths inside of the files and folders below a folder whose names match, as `find -iname` matches. */
  async find(folder: string, name: string): Promise<string[]> {
    // Outside, where the project is not mounted in the system.
    const { stdout } = await execute('find', [this.path(folder), '-iname', name], {
      maxBuffer: MAX_OUTPUT_BYTES
    })
    const paths = stdout.split('\n').filter((line) => line !== '')
    return paths.map((path) => path.slice(this.#folder.length)).sort()
  }

  /** Ends the programs that still run inside. Resolves when they are gone. */
  async stopPrograms(): Promise<void> {
    for (const pid of await this.#programs()) {
      try {
        process.kill(pid)
      } catch {
        // It has ended with another one.
      }
    }
    while ((await this.#programs()).length > 0) await wait(50)
  }

  async remove(): Promise<void> {
    await this.stopPrograms()
    await rm(this.#folder, { recursive: true, force: true })
    await rm(`${this.#folder}.start`, { force: true })
  }

  /** The ids of the processes whose root is this system. */
  async #programs(): Promise<number[]> {
    const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
    const roots = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/root`).catch(() => '')))
    return pids.filter((_, index) => roots[index] === this.#folder)
  }

  #entering(user: 'root' | 'cashier'): string[] {
    return [this.#folder, PROJECT, ARCHIVES, user]
  }
}
