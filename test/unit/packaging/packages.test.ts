import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  bundledPackages,
  EXTERNAL_PACKAGES,
  packageFolders,
  unpackedPackages
} from '../../../resources/packaging/packages.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'

let project = ''
beforeEach(() => (project = mkdtempSync(join(tmpdir(), 'tillpoints-packages-'))))
afterEach(() => rmSync(project, { recursive: true }))

/** Writes a package.json. Returns the package's folder. */
const install = (path: string, manifest: object): string => {
  const folder = join(project, path)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  return folder
}

describe('packageFolders', () => {
  it('resolves packages and their dependencies as Node does', () => {
    const one = install('node_modules/one', { name: 'one', dependencies: { shared: '2', other: '1' } })
    const nested = install('node_modules/one/node_modules/shared', { name: 'shared' })
    const other = install('node_modules/other', { name: 'other', dependencies: { shared: '1', one: '1' } })
    const shared = install('node_modules/shared', { name: 'shared' })
    install('node_modules/tool', { name: 'tool' })
    expect([...packageFolders(project, ['one'])].sort()).toEqual([one, nested, other, shared].sort())
  })

  it('ignores an optional dependency that is not installed', () => {
    const one = install('node_modules/one', { name: 'one', optionalDependencies: { maybe: '1' } })
    expect([...packageFolders(project, ['one'])]).toEqual([one])
  })

  it('throws when a dependency is not installed', () => {
    install('node_modules/one', { name: 'one', dependencies: { two: '1' } })
    expect(() => packageFolders(project, ['one'])).toThrow('two, a dependency of')
  })
})

describe('unpackedPackages', () => {
  it('are those of bundled packages that no external package needs', () => {
    install('', { name: 'app', dependencies: { pdfkit: '1', bundled: '1' } })
    for (const name of EXTERNAL_PACKAGES) install(`node_modules/${name}`, { name })
    install('node_modules/pdfkit', { name: 'pdfkit', dependencies: { shared: '1' } })
    install('node_modules/bundled', { name: 'bundled', dependencies: { shared: '1', own: '1' } })
    install('node_modules/shared', { name: 'shared' })
    install('node_modules/own', { name: 'own' })
    expect([...unpackedPackages(project)].sort()).toEqual(['bundled', 'own'])
  })
})

it('every external package is a dependency of the project', () => {
  const bundled = bundledPackages(PROJECT)
  expect(bundled).toContain('valibot')
  for (const name of EXTERNAL_PACKAGES) expect(bundled).not.toContain(name)
  expect([...packageFolders(PROJECT, EXTERNAL_PACKAGES)].length).toBeGreaterThan(EXTERNAL_PACKAGES.length)
})
