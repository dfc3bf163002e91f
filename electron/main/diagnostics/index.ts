/** What the till tells of itself: read for the settings, and saved as one file. */
import { open, rename, rm } from 'node:fs/promises'
import type { Diagnostics, JournalStatistics } from '../../contract/diagnostics.ts'
import { err, ok, type Result } from '../../contract/failure.ts'
import type { Printer } from '../../contract/printing.ts'
import { mask, type Log } from '../log/index.ts'
import { archive } from './archive.ts'
import { settingsReport } from './settings-report.ts'
import { troubleIn } from './trouble.ts'

/** Where the diagnostics come from. */
export interface DiagnosticsSources {
  readonly versions: Diagnostics['versions']
  readonly platform: Diagnostics['platform']
  readonly printers: () => Promise<Result<readonly Printer[]>>
  readonly journal: () => Promise<JournalStatistics | null>
  readonly backups: () => Promise<Diagnostics['backups']>
  /** all that is stored; see `settingsReport` for what of it is told */
  readonly settings: () => object
  /** the log's files, newest first */
  readonly logFiles: () => readonly string[]
  /** tokens that are masked whatever their shape */
  readonly secrets: () => Iterable<string>
  readonly log: Log
}

/** The till's diagnostics. */
export interface DiagnosticsDesk {
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
export function createDiagnostics(sources: DiagnosticsSources): DiagnosticsDesk {
  const masked = (text: string): string => mask(text, sources.secrets())

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
              name: masked(printer.name),
              description: masked(printer.description)
            }))
          }
        : { kind: 'not-listed', failure: printers.failure },
      journal: await sources.journal(),
      backups: { count, newest: newest === null ? null : masked(newest) },
      trouble: troubleIn(sources.logFiles(), masked)
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
          mask: masked
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
