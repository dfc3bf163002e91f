/**
 * Which family has which characters, without opening a font: read from `coverage.json` beside the fonts, which
 * `make-coverage.ts` writes.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Family } from './families.ts'

export const COVERAGE_FILE = 'coverage.json'

/** True when every weight of `family` has a glyph for `codePoint`. */
export type Covers = (family: Family, codePoint: number) => boolean

const tableSchema = v.record(v.string(), v.string())

/** Spells sorted code points as runs: how many are skipped and how many follow, in base 36. */
export function encodeRuns(codePoints: readonly number[]): string {
  const runs: string[] = []
  let end = 0
  for (let index = 0; index < codePoints.length;) {
    const start = codePoints[index] ?? 0
    let next = start
    while (codePoints[index] === next) {
      index++
      next++
    }
    runs.push(`${(start - end).toString(36)} ${(next - start).toString(36)}`)
    end = next
  }
  return runs.join(' ')
}

/** The borders that `encodeRuns` spelled: a code point is in when an odd number of them is not above it. */
function decodeRuns(text: string): Uint32Array {
  let border = 0
  return Uint32Array.from(text === '' ? [] : text.split(' '), (step) => (border += parseInt(step, 36)))
}

function bordersUpTo(borders: Uint32Array, codePoint: number): number {
  let low = 0
  let high = borders.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((borders[middle] ?? 0) <= codePoint) low = middle + 1
    else high = middle
  }
  return low
}

/** Reads the table of `fontsFolder`. A family's part of it is unpacked when it is first asked about. */
export async function readCoverage(fontsFolder: string): Promise<Covers> {
  const table = v.parse(tableSchema, JSON.parse(await readFile(join(fontsFolder, COVERAGE_FILE), 'utf8')))
  const unpacked = new Map<Family, Uint32Array>()
  return (family, codePoint) => {
    let borders = unpacked.get(family)
    if (borders === undefined) unpacked.set(family, (borders = decodeRuns(table[family] ?? '')))
    return bordersUpTo(borders, codePoint) % 2 === 1
  }
}
