/** The folder that the Windows installer contains, also packed on other systems. */
import { getCurrentFuseWire, FuseState } from '@electron/fuses'
import { getRawHeader, listPackage } from '@electron/asar'
import { expect, test } from '@playwright/test'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { FUSES } from '../../resources/packaging/fuses.ts'
import { PROJECT } from '../../resources/scripts/tools.ts'
import { windows } from './pack.ts'

const SUMATRA = 'SumatraPDF-3.4.6-32.exe'

const archive = join(windows.resources, 'app.asar')

/** Returns the text of a key in the version resource of a Windows program, such as `ProductName`. */
function versionText(program: Buffer, key: string): string | undefined {
  const start = program.indexOf(Buffer.from(`${key}\0`, 'utf16le'))
  if (start < 0) return undefined
  const following = program.toString('utf16le', start + 2 * (key.length + 1), start + 400)
  return /^\0*([^\0]+)\0/.exec(following)?.[1]
}

test.describe('the Windows folder', () => {
  test('has a program with the name, version and copyright of the app', async () => {
    const program = await readFile(windows.executable)
    expect(versionText(program, 'ProductName')).toBe('Tillpoints')
    expect(versionText(program, 'FileDescription')).toBe('Tillpoints')
    expect(versionText(program, 'ProductVersion')).toMatch(new RegExp(`^${manifest.version}(\\.0)?$`))
    expect(versionText(program, 'LegalCopyright')).toBe('Copyright © Tillpoints')
  })

  test('has a program with the icon of the app', async () => {
    const program = await readFile(windows.executable)
    const icon = await readFile(join(PROJECT, 'resources/icons/icon.ico'))
    // ICONDIR: its number of images, and the size and position of each.
    const images = Array.from({ length: icon.readUInt16LE(4) }, (_, index) => {
      const entry = 6 + 16 * index
      const position = icon.readUInt32LE(entry + 12)
      return icon.subarray(position, position + icon.readUInt32LE(entry + 8))
    })
    expect(images.length).toBeGreaterThan(3)
    for (const image of images) expect(program.includes(image)).toBe(true)
  })

  test('has a program that starts with this archive only', async () => {
    const program = await readFile(windows.executable)
    const { headerString } = getRawHeader(archive)
    const value = createHash('sha256').update(headerString).digest('hex')
    const integrity = [{ file: 'resources\\app.asar', alg: 'SHA256', value }]
    expect(program.includes(JSON.stringify(integrity))).toBe(true)
  })

  test('has all fuses at their safe setting', async () => {
    const wire = Object.entries(await getCurrentFuseWire(windows.executable))
    const fuses = wire.filter(([fuse]) => fuse !== 'version')
    expect(Object.fromEntries(fuses.map(([fuse, state]) => [fuse, state === FuseState.ENABLE]))).toEqual(
      FUSES
    )
  })

  test('has the program that prints and the native code for Windows outside the archive', async () => {
    const unpacked = await readdir(`${archive}.unpacked`, { recursive: true, withFileTypes: true })
    const binaries = unpacked
      .filter((entry) => entry.isFile() && /\.(exe|dll|node)$/.test(entry.name))
      .map(({ name, parentPath }) =>
        join(parentPath, name).slice(`${archive}.unpacked/node_modules/`.length).replaceAll('\\', '/')
      )
    expect(binaries.sort()).toEqual([
      '@serialport/bindings-cpp/prebuilds/win32-x64/@serialport+bindings-cpp.node',
      `pdf-to-printer/dist/${SUMATRA}`
    ])
    const packed = listPackage(archive, { isPack: false })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => path.includes('/pdf-to-printer/'))
    expect(packed.map((path) => path.replace('/node_modules/pdf-to-printer/', '')).sort()).toEqual([
      'LICENSE',
      'dist',
      `dist/${SUMATRA}`,
      'package.json'
    ])
  })
})
