/** The zip file with the diagnostics, which a manager sends to support. */
import { strToU8, zip, type AsyncZippable } from 'fflate'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { messagesByLanguage } from '../../../generated/messages/dialogs/all.js'
import type { Language } from '../../contract/language.ts'

/** Returns the text of `README.txt`, for the manager who passes the file on. */
function readMe(language: Language): string {
  const m = messagesByLanguage[language]
  return [
    m.diagnosticsTitle(),
    '',
    `about.json: ${m.diagnosticsAbout()}`,
    `settings.json: ${m.diagnosticsSettings()}`,
    `logs/: ${m.diagnosticsLogs()}`,
    '',
    m.diagnosticsRedacted(),
    ''
  ].join('\n')
}

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const zipFiles = (files: AsyncZippable): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    zip(files, (error, bytes) => {
      if (error) reject(error)
      else resolve(bytes)
    })
  })

export interface ArchiveContent {
  /** redacted by the caller */
  readonly about: unknown
  /** redacted by the caller */
  readonly settings: unknown
  readonly logFiles: readonly string[]
  /** Redacts a line of the log files again, with the tokens that were added since it was written. */
  readonly redact: (text: string) => string
  /** of `README.txt` */
  readonly language: Language
}

const LINES_AT_ONCE = 100

/** Redacts each line by itself, and lets main do other work in between: a log file has thousands of lines. */
async function redactLines(text: string, redact: ArchiveContent['redact']): Promise<string> {
  const redacted: string[] = []
  for (const line of text.split('\n')) {
    redacted.push(redact(line))
    if (redacted.length % LINES_AT_ONCE === 0) await setImmediate()
  }
  return redacted.join('\n')
}

/** Creates the zip. Leaves out log files that cannot be read. Rejects if the compression fails. */
export async function createArchive(content: ArchiveContent): Promise<Uint8Array> {
  const files: AsyncZippable = {
    'README.txt': strToU8(readMe(content.language)),
    'about.json': strToU8(toJson(content.about)),
    'settings.json': strToU8(toJson(content.settings))
  }
  for (const file of content.logFiles) {
    const text = await readFile(file, 'utf8').catch(() => null)
    if (text !== null) files[`logs/${basename(file)}`] = strToU8(await redactLines(text, content.redact))
  }
  return zipFiles(files)
}

/** Settings whose texts are choices that the app offers. */
const CHOICES = new Set([
  'mode',
  'language',
  'country',
  'kind',
  'paperSize',
  'code',
  'port',
  'rounding',
  'theme',
  'contrast'
])

/** Groups about the business, or secret. */
const OMITTED_GROUPS = new Set(['token', 'business'])

/**
 * Returns the settings without typed texts: names, texts, URLs and secrets are reduced to `set` or `not set`. Unknown
 * settings are treated the same way.
 */
export function redactSettings(settings: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]: [string, unknown]) => [name, redactSetting(name, value)])
  )
}

function redactSetting(name: string, value: unknown): unknown {
  if (value === null || value === undefined || value === '') return 'not set'
  if (OMITTED_GROUPS.has(name)) return 'set'
  if (typeof value === 'boolean' || typeof value === 'number') return value
  if (typeof value === 'string') return CHOICES.has(name) ? value : 'set'
  if (Array.isArray(value)) return `${String(value.length)} items`
  return typeof value === 'object' ? redactSettings(value) : 'set'
}
