/** The size of what the page loads before its first paint. Reads the built till. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LANGUAGES } from '../../../electron/contract/language.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import { filesBeforeFirstPaint } from '../../support/first-paint-files.ts'

/** gzipped; all messages of the language are among it, and Greek, with two bytes a letter, is the largest */
const MAX_BYTES = 172_000

it.each(LANGUAGES)('the page loads at most 172 kB gzipped before its first paint in %s', async (language) => {
  // The scripts import the chunk of the language dynamically and wait for it.
  const files = await filesBeforeFirstPaint(join(PROJECT, 'out/renderer'), 'index.html', [`${language}-`])
  expect(files.reduce((sum, { gzipped }) => sum + gzipped, 0)).toBeLessThanOrEqual(MAX_BYTES)
})
