import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { licenceOf } from '../../../resources/packaging/licences/licence.ts'
import { dependencyFolders, packageFolderOf } from '../../../resources/packaging/licences/packages.ts'
import { thirdPartyText } from '../../../resources/packaging/licences/third-party.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tillpoints-licences-'))))
afterEach(() => rmSync(folder, { recursive: true }))

/** Writes a package; gives its folder. */
const install = (path: string, manifest: object, files: Readonly<Record<string, string>> = {}): string => {
  const at = join(folder, path)
  mkdirSync(at, { recursive: true })
  writeFileSync(join(at, 'package.json'), JSON.stringify({ version: '1.0.0', ...manifest }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(at, name), text)
  return at
}

describe('a package’s licence', () => {
  it('is what its package.json says, with all its texts', () => {
    const at = install(
      'one',
      { name: 'one', license: 'Apache-2.0' },
      { LICENSE: 'the terms', NOTICE: 'a notice' }
    )
    expect(licenceOf(at, PROJECT)).toEqual({
      name: 'one',
      version: '1.0.0',
      licence: 'Apache-2.0',
      text: 'the terms\n\na notice'
    })
  })

  it('has MIT’s text with its author, when it says MIT and has no text', () => {
    const at = install('one', { name: 'one', license: 'MIT', author: 'A Writer <a@writer.example>' })
    expect(licenceOf(at, PROJECT).text).toContain('Copyright (c) A Writer\n')
  })

  it.each([
    ['names none', {}, 'names no licence'],
    ['is not allowed', { license: 'AGPL-3.0' }, 'AGPL-3.0, which is not among'],
    ['has no text', { license: 'ISC' }, 'has no licence text']
  ])('is refused when it %s', (_what, manifest, message) => {
    const at = install('one', { name: 'one', ...manifest })
    expect(() => licenceOf(at, PROJECT)).toThrow(message)
  })
})

describe('the packages in the till', () => {
  it('are the dependencies and theirs, from wherever Node would take them', () => {
    install('', { name: 'till', dependencies: { one: '1' }, devDependencies: { tool: '1' } })
    install('node_modules/tool', { name: 'tool' })
    const one = install('node_modules/one', { name: 'one', dependencies: { shared: '2', other: '1' } })
    const inside = install('node_modules/one/node_modules/shared', { name: 'shared', version: '2.0.0' })
    const other = install('node_modules/other', { name: 'other', dependencies: { shared: '1', one: '1' } })
    const shared = install('node_modules/shared', { name: 'shared' })
    expect([...dependencyFolders(folder)].sort()).toEqual([one, inside, other, shared].sort())
  })

  it('are refused when one is not installed, apart from optional ones', () => {
    install('', { name: 'till', dependencies: { one: '1' }, optionalDependencies: { maybe: '1' } })
    expect(() => dependencyFolders(folder)).toThrow('one, a dependency of')
  })

  it('are found from the modules of a bundle', () => {
    const scoped = install('node_modules/@scope/name', { name: '@scope/name' })
    expect(packageFolderOf(join(scoped, 'dist/index.js'))).toBe(scoped)
    expect(packageFolderOf(`\0${join(scoped, 'index.js')}?commonjs-proxy`)).toBe(scoped)
    expect(packageFolderOf(join(folder, 'src/main.ts'))).toBeUndefined()
    expect(packageFolderOf('\0rolldown/runtime.js')).toBeUndefined()
  })
})

it('the text lists every part, then each licence under its part’s name', () => {
  const text = thirdPartyText([
    { name: 'two', version: null, licence: 'OFL-1.1', text: 'terms of two' },
    { name: 'one', version: '1.2.3', licence: 'MIT', text: 'terms of one' }
  ])
  expect(text).toMatch(
    /- one 1\.2\.3: MIT\n- two: OFL-1\.1\n[^]*one 1\.2\.3: MIT\n=+\n\nterms of one\n[^]*terms of two\n$/
  )
})
