/** Lines of JSON that a process writes for the test until it is killed. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** Appends an object on a line of its own: the previous line may be cut short by a kill. */
export const appendLine = (file: string, value: object): void =>
  appendFileSync(file, `\n${JSON.stringify(value)}\n`)

/** Returns the complete lines, oldest first; none without a file. */
export const readLines = (file: string): unknown[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line): unknown[] => (line.endsWith('}') ? [JSON.parse(line)] : []))
    : []
