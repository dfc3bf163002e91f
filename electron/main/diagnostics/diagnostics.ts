/** The newest lines of the log that something went wrong with. */
import { readFileSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import * as v from 'valibot'
import type { Diagnostics, JournalStatistics, LoggedError } from '../../contract/diagnostics.ts'
import { err, ok, type Result } from '../../contract/failure.ts'
import type { Printer } from '../../contract/printing.ts'
import type { Logger } from '../log/log.ts'
import { redact } from '../log/redact.ts'
import { archive, settingsReport } from './archive.ts'

const MOST = 20

const lineSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ time: v.string(), level: v.picklist(['error', 'warn']), event: v.string() })
)

const readOrNothing = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Reads the log's files, newest first, until there is enough; lines that are no JSON are passed over. */
function readLoggedErrors(files: readonly string[], redact: (text: string) => string): LoggedError[] {
  const found: LoggedError[] = []
  for (const file of files) {
    for (const line of readOrNothing(file).trimEnd().split('\n').toReversed()) {
      const parsed = v.safeParse(lineSchema, line)
      if (!parsed.success) continue
      const { time, level, event, ...details } = parsed.output
      found.push({ time, level, event: redact(event), details: redact(JSON.stringify(details)) })
      if (found.length === MOST) return found
    }
  }
  return found
}

/* from index.ts: What the till tells of itself: read for the settings, and saved as one file. */

/** Where the diagnostics come from. */
export interface DiagnosticsDependencies {
  readonly versions: Diagnostics['versions']
  readonly platform: Diagnostics['platform']
  readonly printers: () => Promise<Result<readonly Printer[]>>
  readonly journal: () => Promise<JournalStatistics | null>
  readonly backups: () => Promise<Diagnostics['backups']>
  /** all that is stored; see `settingsReport` for what of it is told */
  readonly settings: () => object
  /** the log's files, newest first */
  readonly logFiles: () => readonly string[]
  /** tokens that are redacted whatever their shape */
  readonly secrets: () => Iterable<string>
  readonly log: Logger
}

/** The till's diagnostics. */
export interface DiagnosticsService {
  read(): Promise<Result<Diagnostics>>
  /** Writes them to `file` as a zip, whole or not at all: `not-saved` when the disk does not take it. */
  saveTo(file: string): Promise<Result<null>>
}

async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  const part = `${file}.part`
  try {
    const handle = await open(part, 'w', 0o600)
    try {
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** Makes the diagnostics. */
export function createDiagnostics(sources: DiagnosticsDependencies): DiagnosticsService {
  const redacted = (text: string): string => redact(text, sources.secrets())

  const about = async (): Promise<Diagnostics> => {
    const printers = await sources.printers()
    const { newest, count } = await sources.backups()
    return {
      versions: sources.versions,
      platform: sources.platform,
      printers: printers.ok
        ? {
            kind: 'listed',
            printers: printers.value.map((printer) => ({
              ...printer,
              name: redacted(printer.name),
              description: redacted(printer.description)
            }))
          }
        : { kind: 'not-listed', failure: printers.failure },
      journal: await sources.journal(),
      backups: { count, newest: newest === null ? null : redacted(newest) },
      trouble: readLoggedErrors(sources.logFiles(), redacted)
    }
  }

  return {
    read: async () => ok(await about()),
    async saveTo(file) {
      try {
        const bytes = await archive({
          about: await about(),
          settings: settingsReport(sources.settings()),
          logFiles: sources.logFiles(),
          redact: redacted
        })
        await writeWhole(file, bytes)
        return ok(null)
      } catch (error) {
        sources.log.error('diagnostics-not-saved', { error })
        return err({ kind: 'not-saved', what: 'export' })
      }
    }
  }
}
