/** The runtime that the tests' packings are made with: real Electron where it is, else the stand-in dressed as one. */
import { FuseV1Options, FuseVersion } from '@electron/fuses'
import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ElectronChoice } from '../support/electron-runtime.ts'

/** Fuses of Electron as it is downloaded, before anybody throws one. */
const FUSES_BEFORE = Object.values(FuseV1Options).filter((fuse) => typeof fuse === 'number')

/** The mark that `@electron/fuses` looks for in an executable. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

/** Where the fuses are in an executable: behind a mark, their version, their number, then `0` or `1` for each. */
const wire = (): Buffer =>
  Buffer.concat([
    Buffer.from(`\n# ${SENTINEL}`, 'latin1'),
    Buffer.from([Number(FuseVersion.V1), FUSES_BEFORE.length]),
    Buffer.from('1'.repeat(FUSES_BEFORE.length), 'latin1')
  ])

/**
 * A folder that electron-builder takes for an unpacked Electron.
 * @returns the folder, and whether it was made for this run and may be removed
 */
export async function electronDist(electron: ElectronChoice): Promise<{ folder: string; made: boolean }> {
  const home = dirname(electron.executable)
  if (electron.kind === 'electron') {
    // On macOS the executable lies in Electron.app/Contents/MacOS.
    return { folder: process.platform === 'darwin' ? join(home, '../../..') : home, made: false }
  }
  const folder = await mkdtemp(join(tmpdir(), 'tillpoints-electron-'))
  await mkdir(join(folder, 'locales'))
  await mkdir(join(folder, 'resources'))
  await writeFile(join(folder, 'electron'), Buffer.concat([await readFile(electron.executable), wire()]))
  await chmod(join(folder, 'electron'), 0o755)
  await writeFile(join(folder, 'version'), electron.version)
  for (const file of ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox', 'locales/en-US.pak']) {
    await writeFile(join(folder, file), '')
  }
  return { folder, made: true }
}
