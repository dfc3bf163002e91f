/** What the page loads before its first paint, weighed. Takes the till as it was built. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fontsAtFirst, wordsAtFirst } from '../../../electron/main/platform/first-files.ts'
import { LANGUAGES } from '../../../electron/contract/language.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import { filesBeforeFirstPaint } from '../first-paint-files.ts'

/** Bytes, gzipped. */
const MOST = 60_000

it.each(LANGUAGES)('the page loads at most 60 kB before its first paint in %s', async (language) => {
  const files = await filesBeforeFirstPaint(
    join(PROJECT, 'out/renderer'),
    'index.html',
    wordsAtFirst(language, language)
  )
  expect(files.map(({ path }) => path)).toContainEqual(expect.stringContaining(`words-slip-${language}`))
  expect(files.reduce((sum, { gzipped }) => sum + gzipped, 0)).toBeLessThanOrEqual(MOST)
})

it('what main names ahead is there to be fetched', () => {
  const names = readdirSync(join(PROJECT, 'out/renderer/assets'))
  for (const beginning of [
    ...LANGUAGES.flatMap((language) => wordsAtFirst(language, language)),
    ...fontsAtFirst(['Łódź', 'Ελλάδα', 'София'])
  ])
    expect(names).toContainEqual(expect.stringMatching(new RegExp(`^${beginning}`)))
})
