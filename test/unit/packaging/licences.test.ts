import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { packageComponents, thirdPartyText } from '../../../resources/packaging/licences.ts'

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tillpoints-licences-'))))
afterEach(() => rmSync(folder, { recursive: true }))

describe('packageComponents', () => {
  it('takes name, version, licence and text', () => {
    const module = { licenses: 'ISC', licenseFile: '/one/LICENSE', licenseText: 'the terms\n' }
    expect(packageComponents({ '@scope/one@1.0.0': module })).toEqual([
      { name: '@scope/one', version: '1.0.0', licence: 'ISC', text: 'the terms' }
    ])
  })

  it('appends the NOTICE file', () => {
    const noticeFile = join(folder, 'NOTICE')
    writeFileSync(noticeFile, 'a notice\n')
    const module = {
      licenses: 'Apache-2.0',
      licenseFile: '/one/LICENSE',
      licenseText: 'the terms',
      noticeFile
    }
    expect(packageComponents({ 'one@1.0.0': module })[0]?.text).toBe('the terms\n\na notice')
  })

  it('gives an MIT package without a text the standard text with its author', () => {
    const module = { licenses: 'MIT', publisher: 'A Writer' }
    expect(packageComponents({ 'one@1.0.0': module })[0]?.text).toContain('Copyright (c) A Writer\n')
  })

  it('accepts a licence that was recognized by its text', () => {
    const module = { licenses: 'MIT*', licenseFile: '/one/LICENSE', licenseText: 'the terms' }
    expect(packageComponents({ 'one@1.0.0': module })[0]?.licence).toBe('MIT')
  })

  it.each([
    ['without a licence', {}, 'one@1.0.0 has the licence UNKNOWN'],
    ['with a licence that is not allowed', { licenses: 'AGPL-3.0' }, 'AGPL-3.0, which is not allowed'],
    ['without a licence text', { licenses: 'ISC' }, 'one@1.0.0 has no licence text'],
    [
      'with a README for a licence text',
      { licenses: 'ISC', licenseFile: '/one/README.md' },
      'has no licence text'
    ]
  ])('refuses a package %s', (_case, module, message) => {
    expect(() => packageComponents({ 'one@1.0.0': module })).toThrow(message)
  })
})

it('thirdPartyText lists every component, then each licence under its title', () => {
  const text = thirdPartyText([
    { name: 'two', version: null, licence: 'OFL-1.1', text: 'terms of two' },
    { name: 'one', version: '1.0.0', licence: 'MIT', text: 'terms of one' }
  ])
  expect(text).toContain('- one 1.0.0: MIT\n- two: OFL-1.1\n')
  expect(text).toMatch(/=+\none 1\.0\.0: MIT\n=+\n\nterms of one\n[^]*terms of two\n$/)
})
