import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createLogoCache } from '../../../../electron/main/images/logo-cache.ts'

const LINK = 'https://loyalty.example/logo.png'
const bytes = Uint8Array.of(1, 2, 3)

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'logo-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A place for logos, with a fetch whose answers the test gives. */
function open(folder: string) {
  const asked: { readonly link: string; readonly answer: (logo: Uint8Array | undefined) => Promise<void> }[] =
    []
  const logo = createLogoCache(
    folder,
    (link) =>
      new Promise((resolve) =>
        asked.push({
          link,
          answer: async (found) => {
            resolve(found)
            await new Promise(setImmediate)
          }
        })
      )
  )
  return { logo, asked }
}

it('is fetched once, while nobody waits, and is there for the next slip', async () => {
  const { logo, asked } = open(temporaryFolder())
  expect([logo.current(LINK), logo.current(LINK)]).toEqual([null, null])
  expect(asked.map(({ link }) => link)).toEqual([LINK])
  await asked[0]?.answer(bytes)
  expect(logo.current(LINK)).toEqual(bytes)
  expect(asked).toHaveLength(1)
})

it('is there after a restart without a network', async () => {
  const folder = temporaryFolder()
  const before = open(folder)
  before.logo.current(LINK)
  await before.asked[0]?.answer(bytes)
  const after = open(folder)
  expect(after.logo.current(LINK)).toEqual(Buffer.from(bytes))
  expect(after.asked).toEqual([])
})

it('is asked for again after a fetch that failed', async () => {
  const { logo, asked } = open(temporaryFolder())
  logo.current(LINK)
  await asked[0]?.answer(undefined)
  expect(logo.current(LINK)).toBeNull()
  expect(asked).toHaveLength(2)
})

it('lasts until the till closes where the disk takes nothing', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'taken'), '')
  const { logo, asked } = open(join(folder, 'taken'))
  logo.current(LINK)
  await asked[0]?.answer(bytes)
  expect(logo.current(LINK)).toBe(bytes)
})

it('is none without a link', () => {
  const { logo, asked } = open(temporaryFolder())
  expect(logo.current(null)).toBeNull()
  expect(asked).toEqual([])
})

it('that is only looked for is not fetched', async () => {
  const { logo, asked } = open(temporaryFolder())
  expect(logo.kept(LINK)).toBeNull()
  expect(asked).toEqual([])
  logo.current(LINK)
  await asked[0]?.answer(bytes)
  expect(logo.kept(LINK)).toEqual(bytes)
})

it('is kept anew when somebody else fetched another one, for the next start, too', async () => {
  const folder = temporaryFolder()
  const { logo, asked } = open(folder)
  logo.current(LINK)
  await asked[0]?.answer(bytes)
  const other = Uint8Array.of(4, 5, 6)
  logo.keep(LINK, other)
  expect(logo.current(LINK)).toEqual(other)
  expect(open(folder).logo.current(LINK)).toEqual(Buffer.from(other))
})
