/**
 * Diagnostics for support (versions, printers, statistics, errors) without personal data, and the data of the
 * About dialog.
 */
import type { Failure } from './failure.ts'
import type { Printer } from './printing.ts'
import type { ManagedTill } from './settings.ts'
import type { SlipStatus } from './slips.ts'

/** Statistics of the journal, all businesses and training mode together. */
export interface JournalStatistics {
  /** version of the schema */
  readonly version: number
  /** size of the file */
  readonly bytes: number
  /** by their status */
  readonly slips: Readonly<Record<SlipStatus, number>>
  readonly copies: number
  readonly batches: number
  /** when the first and the last slip were requested; ISO 8601, UTC; null if the journal is empty */
  readonly first: string | null
  readonly last: string | null
}

/** A log entry with an error or a warning. */
export interface LoggedError {
  /** ISO 8601, UTC */
  readonly time: string
  readonly level: 'error' | 'warn'
  /** in kebab-case, as in the log */
  readonly event: string
  /** the other fields, redacted, as JSON */
  readonly details: string
}

/** The diagnostics, redacted. */
export interface Diagnostics {
  readonly versions: {
    readonly till: string
    readonly electron: string
    readonly chromium: string
    readonly node: string
  }
  readonly platform: {
    /** `linux`, `win32` or `darwin` */
    readonly system: string
    /** of the operating system */
    readonly release: string
    readonly architecture: string
    readonly locale: string
  }
  /** the print queues of the system, or why they could not be listed */
  readonly printers:
    | { readonly kind: 'listed'; readonly printers: readonly Printer[] }
    | { readonly kind: 'not-listed'; readonly failure: Failure }
  /** null: not writable, so nothing can be issued */
  readonly journal: JournalStatistics | null
  readonly backups: {
    readonly count: number
    /** full path; null if there is none */
    readonly newest: string | null
  }
  /** what a policy manages, without the names and the address in it; null without one */
  readonly managed: Pick<ManagedTill, 'sources' | 'since' | 'locked' | 'defaults'> | null
  /** newest first */
  readonly loggedErrors: readonly LoggedError[]
}

/** A bundled package. */
export interface UsedPackage {
  readonly name: string
  /** as in its package.json */
  readonly version: string
}

/** The data of the About dialog. */
export interface AboutTill {
  readonly version: string
  /** versions of the runtime; empty if unknown */
  readonly electron: string
  readonly chromium: string
  readonly node: string
  /** name, release and architecture of the operating system */
  readonly system: string
  /** the third-party licences as one text; null if the build does not include them */
  readonly licences: string | null
  /** the bundled packages, if there is no such text */
  readonly packages: readonly UsedPackage[]
}
