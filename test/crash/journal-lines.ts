/** What a till that may be killed at any moment writes down for the test, one flat object a line. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** Adds a note. It begins on a line of its own: the kill may have cut the one before short. */
export const addNote = (file: string, note: object): void =>
  appendFileSync(file, `\n${JSON.stringify(note)}\n`)

/** The notes that are whole, oldest first; none where there is no file. */
export const notesIn = (file: string): unknown[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line): unknown[] => (line.endsWith('}') ? [JSON.parse(line)] : []))
    : []
