/** How the rooms of the till tell what happened: one event a line, for whoever has to find out later. */
import type { Failure } from '../../contract/failure.ts'

/** From what needs a person to what only a developer reads. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** What an event is about: ids, counts, names of settings, errors. No name of a person, no token, no whole code. */
export type LogDetails = Readonly<Record<string, unknown>> &
  // each line has these of its own
  Readonly<Partial<Record<'time' | 'level' | 'event', never>>>

/** Writes one event, named in kebab-case. Never throws. */
type Write = (event: string, details?: LogDetails) => void

/** What each room is given. The masking is the log's own: see redact.ts. */
export type Logger = Readonly<Record<LogLevel, Write>>

/** What a failure says, without the service's own words: they may name a person. */
export function failureDetails(failure: Failure): LogDetails {
  const { kind, ...rest } = failure
  return { failure: kind, ...Object.fromEntries(Object.entries(rest).filter(([key]) => key !== 'message')) }
}

/** The beginning of a points code, enough to find its slip by and too little to collect the points with. */
export function codePrefix(code: string | null): string | null {
  if (code === null) return null
  const characters = Array.from(code)
  return `${characters.slice(0, Math.min(4, Math.floor(characters.length / 3))).join('')}…`
}
