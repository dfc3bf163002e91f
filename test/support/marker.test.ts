import { zipSync } from 'fflate'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { deflateSync } from 'node:zlib'
import { findInFolder, formsIn, formsOf, MARKER } from './marker.ts'

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'marker-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

test.each([...formsOf(MARKER)])('the marker is found as %s', (name, form) => {
  expect(formsIn(Buffer.concat([Buffer.from('before '), form, Buffer.from(' behind')]), MARKER)).toContain(
    name
  )
})

test.each([0, 1, 2, 3, 4, 5])(
  'the marker is found in base64 behind %i bytes, whatever comes after',
  (before) => {
    const text = `${'x'.repeat(before)}${MARKER}and more`
    expect(formsIn(Buffer.from(text).toString('base64'), MARKER)).not.toEqual([])
    expect(formsIn(Buffer.from(text).toString('base64url'), MARKER)).not.toEqual([])
  }
)

test('nothing is found where nothing is', () => {
  expect(formsIn(`tkn Mark er 7f3Qz ${Buffer.from('something else').toString('base64')}`, MARKER)).toEqual([])
})

test('the marker is found in files, in their names, in zips and in PDFs', async () => {
  const here = folder()
  mkdirSync(join(here, 'deep'))
  writeFileSync(join(here, 'deep', 'plain.txt'), `x${MARKER}`)
  writeFileSync(join(here, 'packed.zip'), zipSync({ 'inside.txt': Buffer.from(MARKER) }))
  const stream = deflateSync(Buffer.from(MARKER))
  writeFileSync(
    join(here, 'slip.pdf'),
    Buffer.concat([Buffer.from('%PDF-\nstream\n'), stream, Buffer.from('\nendstream')])
  )
  writeFileSync(join(here, encodeURIComponent(MARKER)), '')
  writeFileSync(join(here, 'clean.txt'), 'nothing')
  const found = await findInFolder(here, MARKER)
  expect(found.map((line) => basename(line))).toEqual(
    expect.arrayContaining([
      'plain.txt: plain',
      'packed.zip:inside.txt: plain',
      'slip.pdf: plain',
      `${encodeURIComponent(MARKER)}: percent-encoded`
    ])
  )
  expect(found).toHaveLength(4)
})
