/** The packages of the points service for its tests, and what docs/service.md says to do with them. */
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { packService } from '../../resources/packaging/service/pack.ts'
import { PROJECT } from '../../resources/scripts/tools.ts'
import type { Chroot } from './chroot.ts'
import { OUTPUT } from './installers.ts'

/** Packs a version, and copies it into a folder of a system. Resolves with its path inside. */
export async function packInto(chroot: Chroot, folder: string, version: string): Promise<string> {
  const file = await packService({ version, output: join(PROJECT, OUTPUT, 'service'), isQuick: true })
  const inside = join(folder, basename(file))
  await mkdir(dirname(chroot.path(inside)), { recursive: true })
  await copyFile(file, chroot.path(inside))
  return inside
}

/** What _A shop in ten minutes_ says to type. */
interface DocumentedSteps {
  readonly install: readonly string[]
  readonly settings: readonly string[]
  readonly start: readonly string[]
  readonly restore: readonly string[]
}

/** Reads the steps: each is a block of indented lines. */
export async function readDocumentedSteps(): Promise<DocumentedSteps> {
  const document = await readFile(join(PROJECT, 'docs/service.md'), 'utf8')
  const section = document.split(/^## /mu).find((text) => text.startsWith('A shop in ten minutes')) ?? ''
  const blocks = section
    .split(/\n\n/u)
    .filter((block) => block.startsWith('    '))
    .map((block) => block.split('\n').map((line) => line.trim()))
  const [install, settings, start, restore, ...others] = blocks
  if (!install || !settings || !start || !restore || others.length > 0) {
    throw new Error('The section has not four blocks of lines to type')
  }
  return { install, settings, start, restore }
}
