/** `import`: customers and rewards of another system, from a CSV file. */
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { decodeCsv } from '../domain/csv.ts'
import { systemRandomBytes } from '../domain/identifiers.ts'
import { parseImport, type ImportKind, type LineFault, type RefusedLine } from '../domain/imports.ts'
import { MAX_ADJUSTMENT } from '../domain/ledger.ts'
import { MAX_NAME_LENGTH } from '../domain/names.ts'
import { MAX_COST } from '../domain/rewards.ts'
import { addCounts, batchAfter, importBatch, NO_COUNTS, previewBatch } from '../store/imports.ts'
import { InvalidArgumentsError, type CommandInput, type ShopCommand } from './command.ts'
import { businessOf, businessOption, COMMAND_LINE } from './options.ts'

/** After each batch, in which a service that runs can write. */
const PAUSE_MS = 10

const SENTENCES: Readonly<Record<LineFault, string>> = {
  'line-unreadable': 'The fields do not match the header, or a quotation mark is open.',
  'line-repeated': 'The same as an earlier line.',
  'phone-malformed': 'The phone must begin with + and the code of the country.',
  'email-malformed': 'The e-mail cannot be one.',
  'balance-malformed': `balance must be a whole number from 0 to ${MAX_ADJUSTMENT}.`,
  'lifetime-malformed': `lifetimePoints must be a whole number from the balance to ${MAX_ADJUSTMENT}.`,
  'cost-malformed': `points must be a whole number from 1 to ${MAX_COST}.`,
  'name-missing': 'The name is missing.',
  'name-too-long': `The name has more than ${MAX_NAME_LENGTH} characters.`,
  'name-malformed': 'The name has control characters.'
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

const runImport = async (input: CommandInput, kind: ImportKind) => {
  const { database, now, progress } = input
  const parsed = await parseImport(kind, decodeCsv(readFile(input.required('FILE'))))
  const { key } = await businessOf(input)
  const isDry = input.isGiven('dry-run')
  let counts = NO_COUNTS
  let done = 0
  for (let lastLine = 0; ;) {
    const batch = batchAfter(parsed, lastLine, systemRandomBytes)
    const last = batch.rows.at(-1)
    if (last === undefined) break
    lastLine = last.line
    const made = { at: now().toISOString(), by: COMMAND_LINE }
    const changed = isDry
      ? await previewBatch(database, key, batch)
      : await database.transaction((queries) => importBatch(queries, key, batch, made))
    counts = addCounts(counts, changed)
    if (!isDry) await wait(PAUSE_MS)
    done += batch.rows.length
    progress.report(kind, done, parsed.rows.length)
  }
  const refused = parsed.refused.map((line) => ({ line: line.line, reason: reasonOf(line) }))
  const credited = counts.credited === 0 ? '' : ` (${counts.credited} of them get their points)`
  return {
    text: [
      `${isDry ? 'To add' : 'Added'}: ${counts.added}; there already: ${counts.known}${credited}; refused: ${refused.length}`,
      ...refused.map(({ line, reason }) => `line ${line}: ${reason}`)
    ].join('\n'),
    json: { ...counts, refused },
    exitCode: refused.length === 0 ? (0 as const) : (1 as const)
  }
}

export const importCommand: ShopCommand = {
  name: 'import',
  summary:
    'Imports customers (name, phone, email, balance, lifetimePoints) or rewards (name, points, enabled) from CSV. ' +
    'Exits with 1 if it refused lines; it has imported the others.',
  args: ['FILE'],
  options: {
    ...businessOption,
    customers: { text: 'the file has customers' },
    rewards: { text: 'the file has rewards' },
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
