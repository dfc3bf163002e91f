/** The state machine of a slip as electron/main/journal/README.md documents it. */
import { readFileSync } from 'node:fs'

const README = readFileSync(new URL('../../electron/main/journal/README.md', import.meta.url), 'utf8')

/** The transitions of the diagram, and the event of each. */
const TRANSITIONS = [...README.matchAll(/^ {4}([a-z-]+ --> [a-z-]+): ([a-z-]+)$/gm)].map(
  ([, transition = '', event = '']) => ({ transition, event })
)

/** The transitions of the diagram, as `from --> to`. */
export const knownTransitions: ReadonlySet<string> = new Set(TRANSITIONS.map(({ transition }) => transition))

/** Those that the model's service leads to: it has no codes that a till makes offline, and so takes every one. */
export const reachedTransitions: ReadonlySet<string> = new Set(
  TRANSITIONS.filter(({ event }) => event !== 'not-taken').map(({ transition }) => transition)
)
