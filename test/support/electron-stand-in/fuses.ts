import { readFileSync } from 'node:fs'

/** Behind this mark in an executable: the wire's version, its number of fuses, then `0` or `1` for each. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

/** Positions on the wire of the fuses that boot.ts applies. The launcher applies those of its environment. */
const PLACES = { nodeCliInspect: 3, onlyLoadAppFromAsar: 5 }

/** What an executable's fuses allow. */
export interface Fuses {
  /** `--inspect` and its relatives count */
  readonly nodeCliInspect: boolean
  /** `resources/app` is not looked at */
  readonly onlyLoadAppFromAsar: boolean
}

/** Reads the fuses of a packed app's executable; one without a wire has them as Electron is downloaded. */
export function readFuses(executable: string): Fuses {
  const bytes = readFileSync(executable)
  const at = bytes.indexOf(SENTINEL)
  if (at === -1) return { nodeCliInspect: true, onlyLoadAppFromAsar: false }
  const wire = bytes.subarray(at + SENTINEL.length + 2).toString('latin1')
  return {
    nodeCliInspect: wire[PLACES.nodeCliInspect] === '1',
    onlyLoadAppFromAsar: wire[PLACES.onlyLoadAppFromAsar] === '1'
  }
}
