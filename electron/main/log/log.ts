/** The interface through which every service writes to the log: one event per line. */
import type { Failure } from '../../contract/failure.ts'

/** Log levels, the most severe first. See README.md for when to use which. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * Details of an event: ids, counts, names of settings, errors. Never names of people, tokens or complete points codes.
 * `time`, `level` and `event` are reserved: every line has its own.
 */
export type LogDetails = Readonly<Record<string, unknown>> &
  Readonly<Partial<Record<'time' | 'level' | 'event', never>>>

/** Writes one event, named in kebab-case. Never throws. */
export type WriteEvent = (event: string, details?: LogDetails) => void

/** What services receive to write to the log. Redaction is the implementation's task, see redact.ts. */
export type Logger = Readonly<Record<LogLevel, WriteEvent>>

/** Returns the details of a failure without the service's own message, which may contain a person's name. */
export function failureDetails(failure: Failure): LogDetails {
  const { kind, ...rest } = failure
  return { failure: kind, ...Object.fromEntries(Object.entries(rest).filter(([key]) => key !== 'message')) }
}

/** Returns the first characters of a points code: enough to find the slip, too few to redeem the points. */
export function codePrefix(code: string | null): string | null {
  if (code === null) return null
  const characters = Array.from(code)
  return `${characters.slice(0, Math.min(4, Math.floor(characters.length / 3))).join('')}…`
}

/** Remembers the last error of repeated work. */
export class RepeatedError {
  #last: string | null = null

  /** Calls `write` unless the last attempt failed with the same error. */
  failed(error: unknown, write: (error: unknown) => void): void {
    const text = String(error)
    if (text === this.#last) return
    this.#last = text
    write(error)
  }

  /** An error after this one is a new one. */
  succeeded(): void {
    this.#last = null
  }
}
