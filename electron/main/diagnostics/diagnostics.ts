/** Diagnostics of the app: shown in the settings and saved as a zip file for support. */
import { type AsyncZippable, strToU8, zip } from 'fflate'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import { messagesByLanguage } from '../../../generated/messages/dialogs/all.js'
import type { Diagnostics, LoggedError } from '../../contract/diagnostics.ts'
import { err, ok, type Result } from '../../contract/failure.ts'
import type { Language } from '../../contract/language.ts'
import { writeFileAtomic } from '../fs/atomic-write.ts'
import type { Lazy } from '../lazy.ts'
import type { FileLogger } from '../log/log.ts'
import type { Printing } from '../printing/index.ts'
import { managedTill } from '../policy/policy.ts'
import type { Languages } from '../settings/index.ts'
import type { StoredPolicy } from '../settings/settings-schema.ts'
import type { Backups } from '../upkeep/backups.ts'
import type { Reports } from '../reports/reports.ts'

const MAX_LOGGED_ERRORS = 20

const entrySchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ time: v.string(), level: v.picklist(['error', 'warn']), event: v.string() })
)

/** Parsing every line of the log would take long. */
const MAY_BE_LOGGED_ERROR = /"level":"(?:error|warn)"/u

/** Returns the newest errors and warnings of the log files. Skips unreadable lines. */
async function readLoggedErrors(log: Pick<FileLogger, 'files' | 'redact'>): Promise<LoggedError[]> {
  const found: LoggedError[] = []
  for (const file of log.files()) {
    const text = await readFile(file, 'utf8').catch(() => '')
    for (const line of text.split('\n').toReversed()) {
      const parsed = MAY_BE_LOGGED_ERROR.test(line) ? v.safeParse(entrySchema, line) : null
      if (!parsed?.success) continue
      const { time, level, event, ...details } = parsed.output
      found.push({ time, level, event: log.redact(event), details: log.redact(JSON.stringify(details)) })
      if (found.length === MAX_LOGGED_ERRORS) return found
    }
  }
  return found
}

/** The log files, and what redacts them. */
type DiagnosedLog = Pick<FileLogger, 'files' | 'redact' | 'error'>

/** The part of `SlipService` that diagnostics describe. */
interface DiagnosedSlips {
  readonly reports: Pick<Reports, 'statistics'>
  readonly backups: Pick<Backups, 'count' | 'newest'>
}

export interface DiagnosticsDependencies {
  readonly versions: Diagnostics['versions']
  readonly platform: Diagnostics['platform']
  readonly printing: Pick<Printing, 'list'>
  readonly slips: Pick<Lazy<Result<DiagnosedSlips>>, 'get'>
  readonly settings: { readonly values: object & { readonly policy?: StoredPolicy | null } }
  /** of the text that explains the files */
  readonly languages: Pick<Languages, 'screen'>
  readonly log: DiagnosedLog
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
    const { settings, languages, log } = this.#dependencies
    try {
      const about = await this.#collect()
      const zip = await createArchive(
        { about, settings: redactSettings(settings.values), language: languages.screen },
        log
      )
      await writeFileAtomic(file, zip)
      return ok(null)
    } catch (error) {
      log.error('diagnostics-not-saved', { error })
      return err({ kind: 'not-saved', what: 'export' })
    }
  }

  async #collect(): Promise<Diagnostics> {
    const { versions, platform, printing, slips, settings, log } = this.#dependencies
    const printers = await printing.list()
    // Diagnostics must work without the journal.
    const opened = await slips.get().catch(() => null)
    const journal = opened?.ok === true ? opened.value : null
    const managed = managedTill(settings.values.policy ?? null)
    const newest = journal?.backups.newest() ?? null
    return {
      versions,
      platform,
      printers: printers.ok
        ? {
            kind: 'listed',
            printers: printers.value.map((printer) => ({
              ...printer,
              name: log.redact(printer.name),
              description: log.redact(printer.description)
            }))
          }
        : { kind: 'not-listed', failure: printers.failure },
      journal: (await journal?.reports.statistics()) ?? null,
      backups: { count: journal?.backups.count() ?? 0, newest: newest === null ? null : log.redact(newest) },
      managed: managed && {
        sources: managed.sources.map((source) => log.redact(source)),
        since: managed.since,
        locked: managed.locked,
        defaults: managed.defaults
      },
      loggedErrors: await readLoggedErrors(log)
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
interface ArchiveContent {
  /** redacted by the caller */
  readonly about: unknown
  /** redacted by the caller */
  readonly settings: unknown
  /** of `README.txt` */
  readonly language: Language
}

const LINES_AT_ONCE = 100

/**
 * Redacts each line again, with the tokens that were added since it was written. Lets main do other work in between: a log
 * file has thousands of lines.
 */
async function redactLines(text: string, log: Pick<FileLogger, 'redact'>): Promise<string> {
  const redacted: string[] = []
  for (const line of text.split('\n')) {
    redacted.push(log.redact(line))
    if (redacted.length % LINES_AT_ONCE === 0) await setImmediate()
  }
  return redacted.join('\n')
}

/** Creates the zip. Leaves out log files that cannot be read. Rejects if the compression fails. */
export async function createArchive(
  content: ArchiveContent,
  log: Pick<FileLogger, 'files' | 'redact'>
): Promise<Uint8Array> {
  const files: AsyncZippable = {
    'README.txt': strToU8(readMe(content.language)),
    'about.json': strToU8(toJson(content.about)),
    'settings.json': strToU8(toJson(content.settings))
  }
  for (const file of log.files()) {
    const text = await readFile(file, 'utf8').catch(() => null)
    if (text !== null) files[`logs/${basename(file)}`] = strToU8(await redactLines(text, log))
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
