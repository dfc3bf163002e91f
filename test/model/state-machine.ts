/** The state machine of a slip as electron/main/journal/README.md documents it. */
import { readFileSync } from 'node:fs'

const README = new URL('../../electron/main/journal/README.md', import.meta.url)

/** The transitions of the diagram, as `from --> to`. */
export const knownTransitions: ReadonlySet<string> = new Set(
  [...readFileSync(README, 'utf8').matchAll(/^ {4}([a-z-]+) --> ([a-z-]+): [a-z-]+$/gm)].map(
    ([, from, to]) => `${String(from)} --> ${String(to)}`
  )
)

/** Those that the model's service leads to: it has no codes that a till makes offline, and so takes every one. */
export const reachedTransitions: ReadonlySet<string> = new Set(
  [...readFileSync(README, 'utf8').matchAll(/^ {4}([a-z-]+) --> ([a-z-]+): (?!not-taken$)[a-z-]+$/gm)].map(
    ([, from, to]) => `${String(from)} --> ${String(to)}`
  )
)
