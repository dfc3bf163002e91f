import { strict } from '../strict.ts'

let text = ''
let html = ''

/** Electron's `clipboard`, kept in memory so that tests do not touch a person's own. */
export const clipboard = strict('clipboard', {
  readText: (): string => text,
  writeText(value: string): void {
    text = value
    html = ''
  },
  readHTML: (): string => html,
  writeHTML: (value: string): void => void (html = value),
  clear(): void {
    text = ''
    html = ''
  },
  availableFormats: (): string[] => [
    ...(text === '' ? [] : ['text/plain']),
    ...(html === '' ? [] : ['text/html'])
  ]
})
