import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import * as v from 'valibot'
import { expect, it, onTestFinished } from 'vitest'
import { bundleService } from '../../../resources/packaging/service/bundle.ts'
import { pngLogo } from '../../fuzz/logo-files.ts'

it('bundles the service into scripts that run without packages, and name the lines of their sources', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const packages = [...(await bundleService(folder))].map((path) => basename(path))
  expect(packages).toEqual(expect.arrayContaining(['hono', 'pg', 'pg-pool', 'valibot']))
  const scripts = ['logo-worker.mjs', 'main.mjs']
  expect(readdirSync(folder).sort()).toEqual(scripts.flatMap((script) => [script, `${script}.map`]))

  const imported = scripts.flatMap((script) => {
    const text = readFileSync(join(folder, script), 'utf8')
    const imports = [...text.matchAll(/^import .*? from "([^"]+)"|(?:await|=>) import\("([^"]+)"\)/gmu)]
    return imports.map(([, name, lazy]) => name ?? lazy ?? '')
  })
  expect(imported.length).toBeGreaterThan(5)
  expect(imported.filter((name) => !isBuiltin(name))).toEqual([])

  const sourcesOf = (script: string): readonly string[] => {
    const map = readFileSync(join(folder, `${script}.map`), 'utf8')
    return v.parse(v.object({ sources: v.array(v.string()) }), JSON.parse(map)).sources
  }
  expect(sourcesOf('main.mjs')).toContain('electron/service/cli/main.ts')
  const sources = scripts.flatMap(sourcesOf)
  expect(sources.filter((path) => !/^(?:electron|generated|node_modules|\0)/u.test(path))).toEqual([])
  // A thread that loads the whole service takes twice as long.
  expect(sourcesOf('logo-worker.mjs').filter((path) => path.startsWith('electron/'))).toEqual(
    expect.arrayContaining(['electron/service/domain/logo-worker.ts', 'electron/images/logo-image.ts'])
  )
  expect(sourcesOf('logo-worker.mjs').filter((path) => path.startsWith('electron/service/'))).toHaveLength(1)

  const data = join(folder, 'shop')
  const run = (...args: readonly string[]): string =>
    execFileSync(process.execPath, [join(folder, 'main.mjs'), ...args, '--data', data], { encoding: 'utf8' })
  expect(run('init')).toContain('The service is ready.')
  expect(run('verify')).toContain('right: ')
  run('business', 'add', '--name', 'Corner Café', '--country', 'GR')
  const logo = join(folder, 'logo.png')
  writeFileSync(logo, pngLogo(16, false))
  run('business', 'set', '--logo', logo)
  expect(run('business', 'list', '--json')).toMatch(/"logo":"[0-9a-f]{32}\.png"/)
})
