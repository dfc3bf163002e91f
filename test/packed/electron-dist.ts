/** The runtime that the tests' packings are made with: real Electron where it is, else the stand-in dressed as one. */
import { FuseV1Options, FuseVersion } from '@electron/fuses'
import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PROJECT } from '../../resources/scripts/tools.ts'
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

/** The files of Electron that electron-builder looks for on every system. */
const FILES = ['LICENSE', 'LICENSES.chromium.html', 'locales/en-US.pak']

/**
 * Makes a folder that electron-builder takes for an unpacked Electron.
 * @param program the path of what becomes the executable; the fuses are appended
 */
async function makeDist(
  name: string,
  program: string,
  version: string,
  files: readonly string[]
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tillpoints-electron-'))
  await mkdir(join(folder, 'locales'))
  await mkdir(join(folder, 'resources'))
  await writeFile(join(folder, name), Buffer.concat([await readFile(program), wire()]))
  await chmod(join(folder, name), 0o755)
  await writeFile(join(folder, 'version'), version)
  for (const file of files) await writeFile(join(folder, file), '')
  return folder
}

/** An unsigned Windows program, of a package that electron-builder brings. */
const WINDOWS_PROGRAM = join(PROJECT, 'node_modules/electron-winstaller/vendor/7z-x64.exe')

/**
 * Makes a folder that electron-builder takes for an unpacked Electron for Windows: its program is another Windows program,
 * since there is no stand-in for Windows.
 */
export const windowsElectronDist = (version: string): Promise<string> =>
  makeDist('electron.exe', WINDOWS_PROGRAM, version, FILES)

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
  const files = [...FILES, 'chrome-sandbox']
  return { folder: await makeDist('electron', electron.executable, electron.version, files), made: true }
}
