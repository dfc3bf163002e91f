/** Minimal Debian systems in folders, for tests that install packages in a system of their own. Needs root. */
import { execFile, spawn } from 'node:child_process'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PROJECT, TOOLS } from '../../resources/scripts/tools.ts'

/** The name of the release, unless a test needs another one; a folder with another one is made again. */
export const DEBIAN_RELEASE = 'bookworm'

/** debootstrap prints a line for each package. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024

/** The folder of what the tests keep between runs, outside the project. */
export const TEST_CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'tillpoints')

/**
 * Makes a Debian with apt and little else. Programs in it resolve names as this machine does.
 * @param folder replaced if it exists; incomplete if this throws
 * @throws with the output of debootstrap
 */
export async function makeDebian(folder: string, release = DEBIAN_RELEASE): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await promisify(execFile)('debootstrap', ['--variant=minbase', release, folder], {
    maxBuffer: MAX_OUTPUT_BYTES
  })
  for (const file of ['etc/hosts', 'etc/resolv.conf']) await copyFile(join('/', file), join(folder, file))
}

/** The project's folder in a Debian whose programs `runInDebian` runs. */
const PROJECT_IN_DEBIAN = '/project'

/**
 * Mounts $2 at `/project` of $1 and runs the rest there. The mounts end with the namespace of the process. The shell stays
 * its first process, which collects the ended processes of others.
 */
const ENTER = `
root=$1; project=$2; shift 2
mount --make-rprivate /
# A program in it may make a mount namespace only when its root is a mount.
mount --rbind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mkdir -p "$root${PROJECT_IN_DEBIAN}"
mount --bind "$project" "$root${PROJECT_IN_DEBIAN}"
chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \\
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@" || exit
`

/**
 * Runs a command in the Debian of a folder, with the project at `/project`. Resolves with its exit code; null when it was
 * stopped after `timeoutMs`. Every process that it started ends with it.
 */
function runInDebian(folder: string, command: readonly string[], timeoutMs: number): Promise<number | null> {
  const isolate = ['--mount', '--pid', '--fork', '--kill-child']
  return new Promise((resolve, reject) => {
    spawn('unshare', [...isolate, 'sh', '-ec', ENTER, 'sh', folder, PROJECT, ...command], {
      stdio: 'inherit',
      timeout: timeoutMs,
      killSignal: 'SIGKILL'
    })
      .once('error', reject)
      .once('exit', resolve)
  })
}

/** What a Debian for tests consists of. */
interface DebianParts {
  readonly release: string
  readonly packages: readonly string[]
  /** a second architecture that packages are from */
  readonly architecture?: string
  /** names what `addMore` adds */
  readonly more?: unknown
}

/**
 * Makes the Debian of a folder unless it is complete. No service is started in it.
 * @param addMore adds what is in no package
 */
export async function ensureDebian(
  folder: string,
  parts: DebianParts,
  addMore?: () => Promise<void>
): Promise<void> {
  const [file, madeOf] = [join(folder, 'made-of.json'), JSON.stringify(parts)]
  if ((await readFile(file, 'utf8').catch(() => '')) === madeOf) return
  process.stdout.write(`Making a Debian in ${folder}.\n`)
  await makeDebian(folder, parts.release)
  await writeFile(join(folder, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  const { packages, architecture } = parts
  const steps = [
    ...(architecture === undefined ? [] : [`dpkg --add-architecture ${architecture}`]),
    'apt-get update -qq',
    `apt-get install -y -qq --no-install-recommends ${packages.join(' ')}`,
    'apt-get clean'
  ]
  const code = await runInDebian(folder, ['sh', '-ec', steps.join('; ')], 30 * 60_000)
  if (code !== 0) throw new Error('apt-get failed, see above')
  await addMore?.()
  await writeFile(file, madeOf)
}

/**
 * Runs the tests of a vitest configuration of the project, in the Debian of a folder. Resolves with the exit code, 1 if
 * they were stopped after `timeoutMs`.
 */
export async function runVitestInDebian(
  folder: string,
  args: readonly string[],
  timeoutMs: number
): Promise<number> {
  const [node, vitest] = ['node_modules/node/bin/node', TOOLS.vitest].map((path) =>
    join(PROJECT_IN_DEBIAN, path)
  )
  // With CI set, a test fails that lacks a program.
  const command = [
    'env',
    'CI=true',
    String(node),
    String(vitest),
    'run',
    '--root',
    PROJECT_IN_DEBIAN,
    ...args
  ]
  const code = await runInDebian(folder, command, timeoutMs)
  if (code === null) process.stderr.write(`Stopped after ${String(timeoutMs / 60_000)} minutes.\n`)
  return code ?? 1
}
