import { strict } from '../strict.ts'

let text = ''

/** Electron's `clipboard`, for text; kept in memory so that tests do not touch a person's own. */
export const clipboard = strict('clipboard', {
  readText: (): Promise<string> => Promise.resolve(text),
  writeText(value: string): Promise<void> {
    text = value
    return Promise.resolve()
  }
})
