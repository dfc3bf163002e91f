/** `copy`: moves all businesses from SQLite to PostgreSQL, or back. */
import { resolve } from 'node:path'
import { copyDatabase } from '../store/copy.ts'
import { InvalidArgumentsError, type ShopCommand } from './command.ts'
import { fillPlace, FOLDER_OR_URL, openPlace, parsePlace } from './place.ts'
import { abortOnSignal } from './process.ts'

export const copyCommand: ShopCommand = {
  name: 'copy',
  summary: 'Copies all data to an empty database, and verifies them. Stop the service first.',
  opensItself: true,
  options: {
    from: { value: FOLDER_OR_URL, text: 'where the data are', isRequired: true },
    to: { value: FOLDER_OR_URL, text: 'an empty service', isRequired: true }
  },
  run: async ({ required, progress }) => {
    if (resolve(required('from')) === resolve(required('to'))) {
      throw new InvalidArgumentsError('--from and --to are the same place')
    }
    const signal = abortOnSignal()
    const source = await openPlace(parsePlace(required('from')), { isExclusive: true })
    try {
      const tables = await fillPlace(parsePlace(required('to')), (target) =>
        copyDatabase(source, target, (table, done, total) => progress.report(table, done, total), signal)
      )
      const lines = tables.map(({ table, rows }) => `copied ${table}: ${rows}`)
      return { text: [...lines, 'The ledger is right.'].join('\n'), json: { tables } }
    } finally {
      await source.close()
    }
  }
}
