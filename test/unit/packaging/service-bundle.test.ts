import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import * as v from 'valibot'
import { expect, it, onTestFinished } from 'vitest'
import { bundleService } from '../../../resources/packaging/service/bundle.ts'
import { pngLogo } from '../../fuzz/logo-files.ts'

it('bundles the service into one script that runs without packages, and names the lines of its sources', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const packages = [...(await bundleService(folder))].map((path) => basename(path))
  expect(packages).toEqual(expect.arrayContaining(['hono', 'pg', 'pg-pool', 'valibot']))
  expect(readdirSync(folder).sort()).toEqual(['main.mjs', 'main.mjs.map'])

  const script = readFileSync(join(folder, 'main.mjs'), 'utf8')
  const imports = [...script.matchAll(/^import .*? from "([^"]+)"|(?:await|=>) import\("([^"]+)"\)/gmu)]
  expect(imports.length).toBeGreaterThan(5)
  expect(imports.map(([, name, lazy]) => name ?? lazy ?? '').filter((name) => !isBuiltin(name))).toEqual([])

  const map = readFileSync(join(folder, 'main.mjs.map'), 'utf8')
  const { sources } = v.parse(v.object({ sources: v.array(v.string()) }), JSON.parse(map))
  expect(sources).toContain('electron/service/cli/main.ts')
  expect(sources.filter((path) => !/^(?:electron|generated|node_modules|\0)/u.test(path))).toEqual([])

  const data = join(folder, 'shop')
  const run = (...args: readonly string[]): string =>
    execFileSync(process.execPath, [join(folder, 'main.mjs'), ...args, '--data', data], { encoding: 'utf8' })
  expect(run('init')).toContain('The service is ready.')
  expect(run('verify')).toContain('right: ')
  run('business', 'add', '--name', 'Corner Café', '--country', 'GR')
  const logo = join(folder, 'logo.png')
  writeFileSync(logo, pngLogo(16, false))
  // In a thread, which loads the script again.
  run('business', 'set', '--logo', logo)
  expect(run('business', 'list', '--json')).toMatch(/"logo":"[0-9a-f]{32}\.png"/)
})
