/** The contents of the packed app. */
import { getCurrentFuseWire, FuseState } from '@electron/fuses'
import { listPackage } from '@electron/asar'
import { expect, test } from '@playwright/test'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import * as v from 'valibot'
import { FUSES } from '../../resources/packaging/fuses.ts'
import { thirdPartyComponents } from '../../resources/packaging/licences.ts'
import { EXTERNAL_PACKAGES, packageFolders, packageName } from '../../resources/packaging/packages.ts'
import { PROJECT } from '../../resources/scripts/tools.ts'
import { driven, release, type Packed } from './pack.ts'

/** `chunks.json` of the build: the modules of each file with their sizes. */
const chunksSchema = v.record(v.string(), v.record(v.string(), v.number()))

const MEGABYTE = 1024 * 1024

const archive = join(release.resources, 'app.asar')

const files = (): string[] =>
  listPackage(archive, { isPack: false }).map((path) => path.split(sep).join('/').replace(/^\//, ''))

/** Returns whether each fuse of an executable is on, by its number. */
const fusesOf = async (packed: Packed): Promise<Record<string, boolean>> => {
  const wire = Object.entries(await getCurrentFuseWire(packed.fused)).filter(([fuse]) => fuse !== 'version')
  return Object.fromEntries(wire.map(([fuse, state]) => [fuse, state === FuseState.ENABLE]))
}

test.describe('the archive', () => {
  test('holds the built app, its external packages, and nothing else', () => {
    const packages = [...packageFolders(PROJECT, EXTERNAL_PACKAGES)].map(packageName)
    const expected = ['out', 'out/main', 'out/preload', 'out/renderer', 'package.json', 'node_modules']
    for (const file of files()) {
      const [top = '', second = '', third = ''] = file.split('/')
      if (top === 'node_modules' && second !== '') {
        const name = second.startsWith('@') && third !== '' ? `${second}/${third}` : second
        const scope = packages.some((each) => each.startsWith(`${name}/`))
        expect(scope || packages.includes(name), file).toBe(true)
      } else {
        expect(expected, file).toContain(second === '' ? top : `${top}/${second}`)
      }
    }
    expect(files()).toEqual(
      expect.arrayContaining([
        'package.json',
        'out/main/index.js',
        'out/preload/index.cjs',
        'out/renderer/index.html'
      ])
    )
  })

  test('holds no sources, source maps, tests or documentation', () => {
    const unwanted =
      /\.(map|ts|mts|cts|tsx|svelte|md|markdown)$|(^|\/)(test|tests|__tests__|docs|\.yarn)(\/|$)/
    expect(files().filter((file) => unwanted.test(file))).toEqual([])
  })

  test('holds of the points service what training mode needs, and no more', async () => {
    const chunks = v.parse(chunksSchema, JSON.parse(await readFile(join(PROJECT, 'out/chunks.json'), 'utf8')))
    const modules = Object.values(chunks).flatMap((chunk) => Object.keys(chunk))
    expect(modules).toContain('electron/service/index.ts')
    const shopOnly =
      /service\/(pages|cli)\/|service\/server|store\/(postgres|primary-pool|attempts|devices)\.ts|messages\/pages/
    expect(modules.filter((module) => shopOnly.test(module))).toEqual([])
    expect(files().filter((file) => /^node_modules\/(pg|pg-[^/]*|@hono\/node-server)\//.test(file))).toEqual(
      []
    )
  })

  test('holds the native code of this system only, which is outside the archive', async () => {
    const native = files().filter((file) => file.endsWith('.node'))
    expect(native).toHaveLength(1)
    expect(native[0]).toMatch(
      new RegExp(
        `^node_modules/@serialport/bindings-cpp/prebuilds/${process.platform}-[^/]*${process.arch}[^/]*/`
      )
    )
    expect((await stat(join(`${archive}.unpacked`, native[0] ?? ''))).size).toBeGreaterThan(0)
    expect(files().filter((file) => /\.(cpp|c|h|gypi?|o)$/.test(file))).toEqual([])
  })

  test('is at most 13.5 MB, its fonts at most 39 MB', async () => {
    expect((await stat(archive)).size).toBeLessThanOrEqual(13.5 * MEGABYTE)
    const folder = join(release.resources, 'fonts')
    const sizes = await Promise.all(
      (await readdir(folder)).map(async (file) => (await stat(join(folder, file))).size)
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(39 * MEGABYTE)
  })

  test('has the files that the app reads beside it, and no others', async () => {
    const expectedFiles = ['THIRD-PARTY-LICENCES.txt', 'app.asar', 'fonts', 'icon.png', 'policy']
    const ofElectron =
      /\.(lproj|icns)$|^(default_app\.asar|LICENSE\.electron\.txt|LICENSES\.chromium\.html|elevate\.exe|app\.asar\.unpacked|app-update\.yml)$/
    const beside = await readdir(release.resources)
    expect(beside.filter((name) => !ofElectron.test(name)).sort()).toEqual(expectedFiles.sort())
  })
})

test.describe('the licences', () => {
  test('name every package, font and embedded component, each with its text', async () => {
    const text = await readFile(join(release.resources, 'THIRD-PARTY-LICENCES.txt'), 'utf8')
    for (const component of await thirdPartyComponents()) {
      const version = component.version === null ? '' : ` ${component.version}`
      expect(text).toContain(`- ${component.name}${version}: ${component.licence}`)
      expect(text).toContain(component.text)
    }
  })

  test('name every font of the slips', async () => {
    const text = await readFile(join(release.resources, 'THIRD-PARTY-LICENCES.txt'), 'utf8')
    const families = (await readdir(join(release.resources, 'fonts'))).filter((file) =>
      file.endsWith('-LICENSE.txt')
    )
    expect(families.length).toBeGreaterThan(0)
    for (const file of families)
      expect(text).toContain(`- ${file.replace('-LICENSE.txt', '')} (font): OFL-1.1`)
  })

  test('of Electron and Chromium are beside the program', async () => {
    const folder = process.platform === 'darwin' ? release.resources : release.folder
    expect(await readdir(folder)).toEqual(
      expect.arrayContaining(['LICENSE.electron.txt', 'LICENSES.chromium.html'])
    )
  })
})

test.describe('the fuses', () => {
  test('of the release are all at their safe setting', async () => {
    expect(await fusesOf(release)).toEqual(FUSES)
  })

  test('of the tested build differ in the inspect fuse only', async () => {
    const [ofRelease, ofDriven] = [await fusesOf(release), await fusesOf(driven)]
    const different = Object.keys(ofRelease).filter((fuse) => ofRelease[fuse] !== ofDriven[fuse])
    expect(different).toEqual(['3'])
  })
})
