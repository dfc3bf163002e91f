/** The newest lines of the log that something went wrong with. */
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import type { LoggedError } from '../../contract/diagnostics.ts'

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
export function troubleIn(files: readonly string[], mask: (text: string) => string): LoggedError[] {
  const found: LoggedError[] = []
  for (const file of files) {
    for (const line of readOrNothing(file).trimEnd().split('\n').toReversed()) {
      const parsed = v.safeParse(lineSchema, line)
      if (!parsed.success) continue
      const { time, level, event, ...details } = parsed.output
      found.push({ time, level, event: mask(event), details: mask(JSON.stringify(details)) })
      if (found.length === MOST) return found
    }
  }
  return found
}
