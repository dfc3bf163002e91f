/** What a till tells of itself to whoever helps it: versions, printers, numbers, errors. Nothing of a person. */
import type { Failure } from './failure.ts'
import type { Printer } from './printing.ts'
import type { SlipState } from './slips.ts'

/** How much is in the journal, of every business and of training together. */
export interface JournalStatistics {
  /** of its tables */
  readonly version: number
  /** of its file */
  readonly bytes: number
  readonly slips: Readonly<Record<SlipState, number>>
  readonly copies: number
  readonly batches: number
  /** when the first and the last slip were asked for; ISO 8601, UTC; null in an empty journal */
  readonly first: string | null
  readonly last: string | null
}

/** A line of the log that something went wrong with. */
export interface LoggedError {
  /** ISO 8601, UTC */
  readonly time: string
  readonly level: 'error' | 'warn'
  /** in kebab-case, as the log has it */
  readonly event: string
  /** the rest of the line, masked, as JSON */
  readonly details: string
}

/** All of it, masked. */
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
  /** the queues of this machine, or why they could not be listed */
  readonly printers:
    | { readonly kind: 'listed'; readonly printers: readonly Printer[] }
    | { readonly kind: 'not-listed'; readonly failure: Failure }
  /** null: it cannot be written, so nothing is issued */
  readonly journal: JournalStatistics | null
  readonly backups: {
    readonly count: number
    /** full path; null: there is none */
    readonly newest: string | null
  }
  /** newest first */
  readonly loggedErrors: readonly LoggedError[]
}

/** What this till is made of, for whoever helps its user, or has to know whose work is in it. */

/** A package that the till is built with. */
export interface UsedPackage {
  readonly name: string
  /** as npm writes it */
  readonly version: string
}

export interface AboutTill {
  readonly version: string
  /** versions of what it runs on; empty where that does not tell */
  readonly electron: string
  readonly chromium: string
  readonly node: string
  /** operating system, its release and processor, as the system calls them */
  readonly system: string
  /** the licences of others, as one text; null in a till that was built without them */
  readonly licences: string | null
  /** the packages that it names, where there is no such text */
  readonly packages: readonly UsedPackage[]
}
