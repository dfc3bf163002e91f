/** Imports a text to its end, as the command line does. */
import { decodeCsv } from '../../../../electron/service/domain/csv.ts'
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import type { ImportKind } from '../../../../electron/service/domain/import-columns.ts'
import { parseImport } from '../../../../electron/service/domain/imports.ts'
import {
  addCounts,
  batchAfter,
  importBatch,
  NO_COUNTS,
  type ImportCounts
} from '../../../../electron/service/store/imports.ts'
import type { Shop } from './shop.ts'

export const importText = async (shop: Shop, kind: ImportKind, text: string): Promise<ImportCounts> => {
  const parsed = await parseImport(kind, decodeCsv(new TextEncoder().encode(text)), {
    country: '',
    chosen: {}
  })
  let counts = NO_COUNTS
  for (let lastLine = 0; ;) {
    const batch = batchAfter(parsed, lastLine, { now: () => shop.now, random: systemRandomBytes })
    const last = batch.rows.at(-1)
    if (last === undefined) return counts
    lastLine = last.line
    const made = { at: shop.now.toISOString(), by: 'test' }
    const done = await shop.database.transaction((queries) =>
      importBatch(queries, shop.business, batch, made)
    )
    counts = addCounts(counts, done)
  }
}
