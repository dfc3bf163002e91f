/**
 * Writes `coverage.json` into the folder of fonts. To be run after a font file was added or replaced:
 *
 *     node resources/scripts/font-coverage.ts resources/fonts
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  COVERAGE_FILE,
  encodeRuns,
  FAMILIES,
  fontFile,
  parseFont,
  type Family
} from '../../electron/main/slip-pdf/text/fonts.ts'

async function characters(folder: string, family: Family): Promise<number[]> {
  const sets = await Promise.all(
    (['regular', 'bold'] as const).map(async (weight) => {
      const { file } = fontFile(family, weight)
      return new Set(parseFont(await readFile(join(folder, file)), file).characterSet)
    })
  )
  const [regular = new Set<number>(), bold = new Set<number>()] = sets
  return [...regular.intersection(bold)].sort((one, other) => one - other)
}

/** The table as it is written to disk, one line a family. */
export async function coverageTable(folder: string): Promise<string> {
  const table: Record<string, string> = {}
  for (const family of FAMILIES) table[family] = encodeRuns(await characters(folder, family))
  return JSON.stringify(table, null, 1) + '\n'
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) throw new Error('Say which folder holds the fonts')
  await writeFile(join(folder, COVERAGE_FILE), await coverageTable(folder))
}
