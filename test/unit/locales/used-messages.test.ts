/** Every message has a place that shows it: one that nothing uses would be translated in vain. */
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readMessages } from '../../../resources/scripts/message-source.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'

const SOURCES = join(PROJECT, 'resources/locales')
const GROUPS = readdirSync(SOURCES, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : []
)

/** What the till reads of any object by name, as in `m.printSlip()`. */
const propertiesRead = new Set(
  globSync('{electron,renderer}/**/*.{ts,svelte}', { cwd: PROJECT }).flatMap((file) =>
    [...readFileSync(join(PROJECT, file), 'utf8').matchAll(/\.(\w+)/gu)].map(([, name]) => name)
  )
)

test.each(GROUPS)('each message of the group %s is used', (group) => {
  const keys = Object.keys(readMessages(join(SOURCES, group, 'en.json')))
  expect(keys.filter((key) => !propertiesRead.has(key))).toEqual([])
})
