/** Builds the starter: the least that an Electron app with a Svelte page is, with the tools that build the till. */
import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PROJECT, TOOLS } from '../../../resources/scripts/tools.ts'

const STARTER = join(import.meta.dirname, 'starter')

/**
 * Builds the starter into `folder` as an app: `package.json`, and `out/` with `main/`, `preload/` and `renderer/`.
 * Takes a second or two. Rejects with what the tool said.
 */
export async function buildStarter(folder: string): Promise<void> {
  const args = ['build', '--outDir', join(folder, 'out'), '--logLevel', 'warn']
  await promisify(execFile)(process.execPath, [join(PROJECT, TOOLS.electronVite), ...args], { cwd: STARTER })
  await cp(join(STARTER, 'package.json'), join(folder, 'package.json'))
}
