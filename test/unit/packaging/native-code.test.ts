/** Native code comes compiled in its package: `npm ci` compiles and downloads none. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { autoDetect } from '@serialport/bindings-cpp'
import { describe, expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { PROJECT } from '../../../resources/scripts/tools.ts'

const { packages } = v.parse(
  v.object({
    packages: v.record(v.string(), v.object({ hasInstallScript: v.optional(v.boolean(), false) }))
  }),
  JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8'))
)

describe('install scripts', () => {
  const withScript = Object.entries(packages)
    .filter(([path, { hasInstallScript }]) => path !== '' && hasInstallScript)
    .map(([path]) => path.split('node_modules/').at(-1) ?? path)

  it('of every package are allowed or refused by name', () => {
    // fsevents is for macOS, and npm installs it there only.
    expect(withScript.filter((name) => !(name in manifest.allowScripts) && name !== 'fsevents')).toEqual([])
  })

  it('run for Node itself only', () => {
    const allowed = Object.entries(manifest.allowScripts).filter(([, runs]) => runs)
    expect(allowed).toEqual([['node', true]])
  })
})

describe('the serial port library', () => {
  const folder = join(PROJECT, 'node_modules/@serialport/bindings-cpp')

  it('was not compiled', () => {
    expect(existsSync(join(folder, 'build'))).toBe(false)
  })

  it('has a binary for each system of the installers', () => {
    const systems = readdirSync(join(folder, 'prebuilds'))
    expect(systems).toEqual(
      expect.arrayContaining(['darwin-x64+arm64', 'linux-x64', 'win32-arm64', 'win32-x64'])
    )
  })

  it('loads in this Node', async () => {
    await expect(autoDetect().open({ path: join(PROJECT, 'no-port'), baudRate: 9600 })).rejects.toThrow(
      /No such file|File not found/
    )
  })
})
