/** Diagnostics of the app: shown in the settings and saved as a zip file for support. */
import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import type { Diagnostics, JournalStatistics, LoggedError } from '../../contract/diagnostics.ts'
import { err, ok, type Result } from '../../contract/failure.ts'
import type { Language } from '../../contract/language.ts'
import type { Printer } from '../../contract/printing.ts'
import { writeFileAtomic } from '../fs/atomic-write.ts'
import type { Logger } from '../log/log.ts'
import { redact } from '../log/redact.ts'
import { createArchive, redactSettings } from './archive.ts'

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
  readonly language: () => Language
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
        language: this.#dependencies.language()
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
