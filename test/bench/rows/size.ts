/** Compares the size of the installed app without Electron with a starter packed in the same way. */
import { createPackage } from '@electron/asar'
import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { release } from '../../packed/pack.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import { buildStarter } from '../baseline/build-starter.ts'
import type { Bench } from '../bench.ts'
import { megabytes, megabytesOf } from '../files.ts'
import { FONTS_FOLDER } from '../layout/sheet.ts'
import type { Measured } from '../line.ts'

/** The till's archive and fonts: packed as a release is, or for a smoke test what was built, without its packages. */
async function ours(full: boolean, folder: string): Promise<{ archive: string; fonts: string }> {
  if (full) {
    await promisify(execFile)(process.execPath, [join(PROJECT, 'test/packed/pack-now.ts')], {
      cwd: PROJECT,
      maxBuffer: 2 ** 26
    })
    return { archive: join(release.resources, 'app.asar'), fonts: join(release.resources, 'fonts') }
  }
  const app = join(folder, 'app')
  await cp(join(PROJECT, 'package.json'), join(app, 'package.json'))
  // A smoke test runs without a build, too.
  for (const part of ['main', 'preload', 'renderer']) {
    const built = join(PROJECT, 'out', part)
    if (existsSync(built)) await cp(built, join(app, 'out', part), { recursive: true })
  }
  await createPackage(app, join(folder, 'app.asar'))
  return { archive: join(folder, 'app.asar'), fonts: FONTS_FOLDER }
}

/** The row of the size. */
export const sizeBench: Bench = {
  name: 'size',
  description: 'archive and fonts of the installed app, against a starter’s archive',
  async measure({ extent, folder, say }) {
    say('packing')
    const { archive, fonts } = await ours(extent === 'full', folder)
    const starter = join(folder, 'starter')
    await buildStarter(starter)
    await createPackage(starter, join(folder, 'starter.asar'))
    const line = (name: string, size: number, baseline: number): Measured => ({
      name: `size: ${name}`,
      unit: 'MB',
      samples: { ours: [size], baseline: [baseline] },
      against: 'a starter’s app.asar',
      target: { kind: 'none' }
    })
    const least = await megabytes(join(folder, 'starter.asar'))
    return {
      lines: [
        line('app.asar', await megabytes(archive), least),
        line('fonts beside it', await megabytesOf(fonts), least)
      ]
    }
  }
}
