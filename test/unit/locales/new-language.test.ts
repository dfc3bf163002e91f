import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileMessages } from '../../../resources/scripts/messages.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'

const SOURCES = join(PROJECT, 'resources/locales')
/** Groups are compiled one by one and alike, but for the slip, which adds its own isolates: two stand for all. */
const GROUPS = ['dialogs', 'slip']

const languageModule = v.object({ LANGUAGES: v.array(v.string()), languageName: v.function() })
const compiledModule = v.object({
  messagesByLanguage: v.record(
    v.string(),
    v.custom<Record<string, unknown>>((value) => typeof value === 'object')
  )
})
const loaderModule = v.object({ loadMessages: v.function() })

describe('a seventh language', () => {
  let folder: string
  const load = async (path: string): Promise<unknown> =>
    import(/* @vite-ignore */ pathToFileURL(join(folder, path)).href)

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'language-'))
    // The locale files: the English ones stand for a translation.
    for (const group of GROUPS) {
      cpSync(join(SOURCES, group), join(folder, 'locales', group), { recursive: true })
      cpSync(join(folder, 'locales', group, 'en.json'), join(folder, 'locales', group, 'nl.json'))
    }
    // The one line.
    const source = readFileSync(join(PROJECT, 'electron/contract/language.ts'), 'utf8')
    const line = "  nl: { name: 'Nederlands', direction: 'ltr' },\n"
    writeFileSync(
      join(folder, 'language.ts'),
      source.replace('const DEFINITIONS = {\n', (start) => start + line)
    )
    cpSync(join(PROJECT, 'electron/contract/memoized.ts'), join(folder, 'memoized.ts'))
    symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('takes its locale files and one line', async () => {
    const { LANGUAGES, languageName } = v.parse(languageModule, await load('language.ts'))
    expect(LANGUAGES).toContain('nl')
    expect(languageName('nl')).toBe('Nederlands')

    const target = join(folder, 'messages')
    await compileMessages({
      sources: join(folder, 'locales'),
      target,
      languages: LANGUAGES,
      isRightToLeft: (language) => language === 'ar'
    })
    for (const group of GROUPS) {
      const { messagesByLanguage } = v.parse(compiledModule, await load(`messages/${group}/all.js`))
      const { loadMessages } = v.parse(loaderModule, await load(`messages/${group}/load.js`))
      expect(Object.keys(messagesByLanguage)).toEqual(LANGUAGES)
      expect(Object.keys(messagesByLanguage['nl'] ?? {})).toEqual(Object.keys(messagesByLanguage['en'] ?? {}))
      expect(await loadMessages('nl')).toBe(messagesByLanguage['nl'])
    }
  })

  test('is not written into any other source file', () => {
    const table = /(?:\b(?:en|de|fr|es|el|ar)\b['"]?\s*[,:|]\s*['"]?){5}/u
    const files = readdirSync(join(PROJECT, 'electron'), { recursive: true, encoding: 'utf8' })
      .map((file) => join('electron', file))
      .concat(
        readdirSync(join(PROJECT, 'renderer/src'), { recursive: true, encoding: 'utf8' }).map((file) =>
          join('renderer/src', file)
        )
      )
      .filter((file) => /\.(?:ts|svelte)$/u.test(file))
    const withTable = files.filter((file) => table.test(readFileSync(join(PROJECT, file), 'utf8')))
    // The service is a separate program, which falls back to English.
    expect(withTable.filter((file) => file !== 'electron/service/api/messages.ts')).toEqual([])
  })
})
