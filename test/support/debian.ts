/** Minimal Debian systems in folders, for tests that install packages in a system of their own. Needs root. */
import { execFile } from 'node:child_process'
import { copyFile, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The name of the release; a folder with another one is made again. */
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
export async function makeDebian(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await promisify(execFile)('debootstrap', ['--variant=minbase', DEBIAN_RELEASE, folder], {
    maxBuffer: MAX_OUTPUT_BYTES
  })
  for (const file of ['etc/hosts', 'etc/resolv.conf']) await copyFile(join('/', file), join(folder, file))
}
