/** A program that is paired with the local interface before a till starts, for tests and the bench. */
import { Callers } from '../../electron/main/local-interface/callers.ts'
import { DEFAULT_SETTINGS, type StoredCaller } from '../../electron/main/settings/settings-schema.ts'

/** Returns the token of the program, and the callers as the settings keep them. */
export function createStoredCaller(name: string): {
  readonly token: string
  readonly stored: readonly StoredCaller[]
} {
  let stored: readonly StoredCaller[] = []
  const callers = new Callers({
    settings: {
      get values() {
        return { ...DEFAULT_SETTINGS, callers: stored }
      },
      update({ callers }) {
        stored = callers ?? stored
      }
    },
    onChange: () => undefined,
    onRemoved: () => undefined
  })
  const added = callers.add(name)
  if (added === null) throw new Error('The program was not stored')
  return { token: added.token, stored }
}
