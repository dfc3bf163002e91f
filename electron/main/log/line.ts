/** One event as one line of JSON. */
import type { Details, Level } from './log.ts'
import { createPlain } from './plain.ts'

/** Makes the writing of lines. A line never throws: what cannot be read says so in its place. */
export function createLine(
  now: () => Date,
  secrets: () => Iterable<string>
): (level: Level, event: string, details: Details) => string {
  const plain = createPlain(secrets)
  const readable = (details: Details): object => {
    try {
      return Object(plain(details)) as object
    } catch {
      // A getter of somebody else's object threw.
      return { details: '[unreadable]' }
    }
  }
  return (level, event, details) =>
    JSON.stringify({ time: now().toISOString(), level, event: plain(event), ...readable(details) })
}
