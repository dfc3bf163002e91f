/** Diagnostics of the app: shown in the settings and saved as a zip file for support. */
import { type AsyncZippable, strToU8, zip } from 'fflate'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import { messagesByLanguage } from '../../../generated/messages/dialogs/all.js'
import type { Diagnostics, JournalStatistics, LoggedError } from '../../contract/diagnostics.ts'
import { err, ok, type Result } from '../../contract/failure.ts'
import type { Language } from '../../contract/language.ts'
import type { Printer } from '../../contract/printing.ts'
import { writeFileAtomic } from '../fs/atomic-write.ts'
import type { Logger } from '../log/log.ts'
import { redact } from '../log/redact.ts'
import type { Languages } from '../settings/languages.ts'

const MAX_LOGGED_ERRORS = 20

const entrySchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ time: v.string(), level: v.picklist(['error', 'warn']), event: v.string() })
)

/** Parsing every line of the log would take long. */
const MAY_BE_LOGGED_ERROR = /"level":"(?:error|warn)"/u

/** Returns the newest errors and warnings of the log files, which are sorted newest first. Skips unreadable lines. */
async function readLoggedErrors(
  files: readonly string[],
  redactText: (text: string) => string
): Promise<LoggedError[]> {
  const found: LoggedError[] = []
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(() => '')
    for (const line of text.split('\n').toReversed()) {
      const parsed = MAY_BE_LOGGED_ERROR.test(line) ? v.safeParse(entrySchema, line) : null
      if (!parsed?.success) continue
      const { time, level, event, ...details } = parsed.output
      found.push({ time, level, event: redactText(event), details: redactText(JSON.stringify(details)) })
      if (found.length === MAX_LOGGED_ERRORS) return found
    }
  }
  return found
}

export interface DiagnosticsDependencies {
  readonly versions: Diagnostics['versions']
  readonly platform: Diagnostics['platform']
  readonly printers: () => Promise<Result<readonly Printer[]>>
  readonly journal: () => Promise<JournalStatistics | null>
  readonly backups: () => Promise<Diagnostics['backups']>
  /** Returns all stored settings, which `redactSettings` reduces. */
  readonly settings: () => object
  /** Returns the paths of the log files, newest first. */
  readonly logFiles: () => readonly string[]
  /** Returns the tokens to redact, whatever their shape. */
  readonly secrets: () => Iterable<string>
  /** of the text that explains the files */
  readonly languages: Pick<Languages, 'screen'>
  readonly log: Logger
}

/** Collects the diagnostics, without secrets and personal data. */
export class DiagnosticsService {
  readonly #dependencies: DiagnosticsDependencies

  constructor(dependencies: DiagnosticsDependencies) {
    this.#dependencies = dependencies
  }

  async read(): Promise<Result<Diagnostics>> {
    return ok(await this.#collect())
  }

  /** Writes the diagnostics to `file` as a zip, completely or not at all. Fails with `not-saved` if that is impossible. */
  async saveTo(file: string): Promise<Result<null>> {
    const { settings, logFiles, log } = this.#dependencies
    try {
      const zip = await createArchive({
        about: await this.#collect(),
        settings: redactSettings(settings()),
        logFiles: logFiles(),
        redact: this.#redact,
        language: this.#dependencies.languages.screen
      })
      await writeFileAtomic(file, zip)
      return ok(null)
    } catch (error) {
      log.error('diagnostics-not-saved', { error })
      return err({ kind: 'not-saved', what: 'export' })
    }
  }

  readonly #redact = (text: string): string => redact(text, this.#dependencies.secrets())

  async #collect(): Promise<Diagnostics> {
    const { versions, platform, logFiles, ...read } = this.#dependencies
    const printers = await read.printers()
    const { newest, count } = await read.backups()
    return {
      versions,
      platform,
      printers: printers.ok
        ? {
            kind: 'listed',
            printers: printers.value.map((printer) => ({
              ...printer,
              name: this.#redact(printer.name),
              description: this.#redact(printer.description)
            }))
          }
        : { kind: 'not-listed', failure: printers.failure },
      journal: await read.journal(),
      backups: { count, newest: newest === null ? null : this.#redact(newest) },
      loggedErrors: await readLoggedErrors(logFiles(), this.#redact)
    }
  }
}

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

/** What is in the zip file that a manager sends to support. */
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
