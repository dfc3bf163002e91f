/** `import`: customers and rewards of another system, from a CSV file. */
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { BYTE_ORDER_MARK, csvRecord } from '../../contract/text.ts'
import { decodeCsv } from '../domain/csv.ts'
import { systemRandomBytes } from '../domain/identifiers.ts'
import { IMPORT_FIELDS, type ColumnChoice, type ImportKind } from '../domain/import-columns.ts'
import type { LineFault, RefusedLine } from '../domain/imports.ts'
import { MAX_ADJUSTMENT } from '../domain/ledger.ts'
import { MAX_NAME_LENGTH } from '../domain/names.ts'
import { MAX_COST } from '../domain/rewards.ts'
import { ImportStore } from '../store/import-jobs.ts'
import type { ImportPreview, StoredImport } from '../store/stored-import.ts'
import { InvalidArgumentsError, type CommandInput, type ShopCommand } from './command.ts'
import { businessOf, businessOption, COMMAND_LINE } from './options.ts'

/** After each batch, in which a service that runs can write. */
const PAUSE_MS = 10

const SENTENCES: Readonly<Record<LineFault, string>> = {
  'line-unreadable': 'It has more cells than the columns, or a quotation mark is open.',
  'line-cut': 'It is cut off: cells are missing at its end.',
  'line-repeated': 'The same as an earlier line.',
  'phone-malformed':
    "It cannot be a phone of the shop's country. One of another country begins with + and its code.",
  'email-malformed': 'The e-mail cannot be one.',
  'balance-malformed': `The points must be a whole number from 0 to ${MAX_ADJUSTMENT}.`,
  'number-ambiguous': 'A number such as 1.200 may be 1 or 1200: write it without point and comma.',
  'lifetime-malformed': `The lifetime points must be a whole number from the points to ${MAX_ADJUSTMENT}.`,
  'cost-malformed': `The points must be a whole number from 1 to ${MAX_COST}.`,
  'name-missing': 'The name is missing.',
  'name-too-long': `The name has more than ${MAX_NAME_LENGTH} characters.`,
  'name-malformed': 'The name has control characters.',
  'customer-erased': 'The customer was erased here (see --with-erased).'
}

const reasonOf = ({ fault, sameAs }: RefusedLine): string =>
  sameAs === null ? SENTENCES[fault] : `The same as line ${sameAs}.`

const readFile = (file: string): Uint8Array => {
  try {
    return readFileSync(file)
  } catch {
    throw new Error(`${file} cannot be read.`)
  }
}

/** `name=Full name,phone=Mobile` with the columns of a file; a field without a column is not read. */
const parseColumns = (text: string, kind: ImportKind, columns: readonly string[]): ColumnChoice => {
  const pairs = text.split(',').map((pair) => {
    const [field = '', column = ''] = pair.split('=').map((part) => part.trim())
    const index = columns.indexOf(column)
    if (!IMPORT_FIELDS[kind].some((each) => each === field)) {
      throw new InvalidArgumentsError(
        `There is no ${field}: columns are given for ${IMPORT_FIELDS[kind].join(', ')}`
      )
    }
    if (column !== '' && index < 0) {
      throw new InvalidArgumentsError(`The file has no column ${column}; it has ${columns.join(', ')}`)
    }
    return column === '' ? [field] : [field, index]
  })
  return Object.fromEntries(pairs) as ColumnChoice
}

const columnsText = (
  { kind, choice }: StoredImport,
  { columns, unused, unusedPoints, renumbered }: ImportPreview
): string[] => {
  const taken = IMPORT_FIELDS[kind].flatMap((field) => {
    const index = choice[field]
    return index === undefined ? [] : [`${field}=${columns[index] ?? ''}`]
  })
  return [
    `Columns: ${taken.join(', ')}`,
    ...(unused.length === 0 ? [] : [`Columns that are not used: ${unused.join(', ')}`]),
    ...(unusedPoints.length === 0
      ? []
      : [`They may have points: ${unusedPoints.join(', ')} (see --columns)`]),
    ...(renumbered === 0 ? [] : [`Old phone numbers, which come as they are now: ${renumbered}`]),
    ...(kind === 'customers' && choice.balance === undefined
      ? ['No points come with this file (see --columns)']
      : [])
  ]
}

const runImport = async (input: CommandInput, kind: ImportKind) => {
  const { database, now, progress } = input
  const text = decodeCsv(readFile(input.required('FILE')))
  const { key } = await businessOf(input)
  const store = new ImportStore({ database, now, random: systemRandomBytes })
  const withErased = input.isGiven('with-erased')
  const id = await store.add(key, { kind, text, by: COMMAND_LINE }, { withErased })
  let isKept = false
  const find = async (): Promise<StoredImport> => {
    const found = await store.find(key, id)
    if (found === null) throw new Error('The import was removed meanwhile.')
    return found
  }
  try {
    let parsed = await store.read({ business: key, id })
    const columns = input.option('columns')
    const names = (await store.preview({ id }))?.columns ?? []
    if (columns !== undefined) {
      const given = parseColumns(columns, kind, names)
      await store.choose(key, id, { choice: { ...(await find()).choice, ...given }, withErased })
      parsed = await store.read({ business: key, id })
    }
    const preview = await store.preview({ id })
    let found = await find()
    if (kind === 'customers' && found.choice.phone === undefined) {
      throw new Error(`The file has no column phone; it has ${names.join(', ')} (see --columns).`)
    }
    if (kind === 'rewards' && (found.choice.name === undefined || found.choice.points === undefined)) {
      throw new Error(`The file has no columns name and points; it has ${names.join(', ')} (see --columns).`)
    }
    if (!input.isGiven('dry-run')) {
      // From here on a service that runs goes on with it, if this process is killed.
      isKept = true
      await store.start(key, id)
      // The file was read by another process where this one has not read it.
      parsed ??= await store.parsed(found)
      for (found = await find(); parsed !== null && found.state === 'running'; found = await find()) {
        await store.advance(found, parsed)
        progress.report(kind, found.added + found.known, found.usable)
        await wait(PAUSE_MS)
      }
    }
    return await report(input, { store, found, preview })
  } finally {
    if (!isKept) await store.remove(key, id)
  }
}

const report = async (
  input: CommandInput,
  {
    store,
    found,
    preview
  }: { readonly store: ImportStore; readonly found: StoredImport; readonly preview: ImportPreview | null }
) => {
  const { columns, lines } = await store.refusedLines(found)
  const file = input.option('refused')
  if (file !== undefined) {
    const cells = lines.map((line) => [
      ...columns.map((_, index) => line.cells[index] ?? ''),
      ...[line.line, reasonOf(line)]
    ])
    const records = [[...columns, 'Line', 'Reason'], ...cells].map((record) => csvRecord(record, ','))
    writeFileSync(file, BYTE_ORDER_MARK + records.join(''), { mode: 0o600 })
  }
  const { added, known, credited, points, filePoints } = found
  const refused = lines.map((line) => ({ line: line.line, reason: reasonOf(line) }))
  const credits = credited === 0 ? '' : ` (${credited} of them get their points)`
  return {
    text: [
      ...(preview === null ? [] : columnsText(found, preview)),
      `${input.isGiven('dry-run') ? 'To add' : 'Added'}: ${added}; there already: ${known}${credits}; ` +
        `points: ${points}${filePoints === points ? '' : ` of ${filePoints}, the others came before`}; refused: ${refused.length}`,
      ...refused.map(({ line, reason }) => `line ${line}: ${reason}`)
    ].join('\n'),
    json: {
      ...{ added, known, credited, points, refused },
      ...{
        unused: preview?.unused ?? [],
        unusedPoints: preview?.unusedPoints ?? [],
        renumbered: preview?.renumbered ?? 0
      }
    },
    exitCode: refused.length === 0 ? (0 as const) : (1 as const)
  }
}

export const importCommand: ShopCommand = {
  name: 'import',
  summary:
    'Imports customers or rewards from the CSV file of another till or of a spreadsheet, whose columns it knows by their ' +
    'usual names. Exits with 1 if it refused lines; it has imported the others.',
  args: ['FILE'],
  options: {
    ...businessOption,
    customers: { text: 'the file has customers' },
    rewards: { text: 'the file has rewards' },
    columns: {
      value: 'FIELD=COLUMN,…',
      text: `what the columns are: ${IMPORT_FIELDS.customers.join(', ')}; of rewards ${IMPORT_FIELDS.rewards.join(', ')}`
    },
    'with-erased': { text: 'also customers who were erased here' },
    refused: { value: 'CSV', text: 'write the refused lines to this file, to be corrected' },
    'dry-run': { text: 'only say what would be done' }
  },
  run: async (input) => {
    const isCustomers = input.isGiven('customers')
    if (isCustomers === input.isGiven('rewards')) {
      throw new InvalidArgumentsError('Either --customers or --rewards is needed (see import --help)')
    }
    return runImport(input, isCustomers ? 'customers' : 'rewards')
  }
}
