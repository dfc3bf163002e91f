import { zipSync } from 'fflate'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { deflateSync } from 'node:zlib'
import { scanFolder, encodingsIn, encodingsOf, CANARY_TOKEN } from './secret-scanner.ts'

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'marker-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

test.each([...encodingsOf(CANARY_TOKEN)])('the marker is found as %s', (name, form) => {
  expect(
    encodingsIn(Buffer.concat([Buffer.from('before '), form, Buffer.from(' behind')]), CANARY_TOKEN)
  ).toContain(name)
})

test.each([0, 1, 2, 3, 4, 5])(
  'the marker is found in base64 behind %i bytes, whatever comes after',
  (before) => {
    const text = `${'x'.repeat(before)}${CANARY_TOKEN}and more`
    expect(encodingsIn(Buffer.from(text).toString('base64'), CANARY_TOKEN)).not.toEqual([])
    expect(encodingsIn(Buffer.from(text).toString('base64url'), CANARY_TOKEN)).not.toEqual([])
  }
)

test('nothing is found where nothing is', () => {
  expect(
    encodingsIn(`tkn Mark er 7f3Qz ${Buffer.from('something else').toString('base64')}`, CANARY_TOKEN)
  ).toEqual([])
})

test('the marker is found in files, in their names, in zips and in PDFs', async () => {
  const here = folder()
  mkdirSync(join(here, 'deep'))
  writeFileSync(join(here, 'deep', 'plain.txt'), `x${CANARY_TOKEN}`)
  writeFileSync(join(here, 'packed.zip'), zipSync({ 'inside.txt': Buffer.from(CANARY_TOKEN) }))
  const stream = deflateSync(Buffer.from(CANARY_TOKEN))
  writeFileSync(
    join(here, 'slip.pdf'),
    Buffer.concat([Buffer.from('%PDF-\nstream\n'), stream, Buffer.from('\nendstream')])
  )
  writeFileSync(join(here, encodeURIComponent(CANARY_TOKEN)), '')
  writeFileSync(join(here, 'clean.txt'), 'nothing')
  const found = await scanFolder(here, CANARY_TOKEN)
  expect(found.map((line) => basename(line))).toEqual(
    expect.arrayContaining([
      'plain.txt: plain',
      'packed.zip:inside.txt: plain',
      'slip.pdf: plain',
      `${encodeURIComponent(CANARY_TOKEN)}: percent-encoded`
    ])
  )
  expect(found).toHaveLength(4)
})
