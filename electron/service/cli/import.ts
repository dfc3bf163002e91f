/** `import`: customers and rewards of another system, from a CSV file. */
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { E164_PHONE, stripPhone } from '../domain/customers.ts'
import { newIdentifier, systemRandomBytes } from '../domain/identifiers.ts'
import { MAX_ADJUSTMENT } from '../domain/ledger.ts'
import { parseName } from '../domain/names.ts'
import { MAX_COST } from '../domain/rewards.ts'
import { hasPhone, importCustomers, type ImportedCustomer } from '../store/imports.ts'
import { RewardStore } from '../store/rewards.ts'
import { InvalidArgumentsError, type CommandInput, type ShopCommand } from './command.ts'
import { parseCsv, type CsvLine } from './csv.ts'
import { businessOf, businessOption, COMMAND_LINE, wholeNumber } from './options.ts'

/** Lines of one transaction, and the pause after it, in which a service that runs can write. */
const BATCH = 200
const PAUSE_MS = 10

interface RefusedLine {
  readonly line: number
  readonly reason: string
}

const field = ({ fields }: CsvLine, name: string): string => fields?.get(name) ?? ''

const parseCustomer = (line: CsvLine): ImportedCustomer => {
  const phone = stripPhone(field(line, 'phone'))
  if (!E164_PHONE.test(phone)) throw new Error('The phone must begin with + and the code of the country.')
  const email = field(line, 'email')
  if (email !== '' && !/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email))
    throw new Error('The e-mail cannot be one.')
  const balance = wholeNumber('balance', field(line, 'balance') || '0', 0, MAX_ADJUSTMENT)
  const lifetime = field(line, 'lifetimepoints') || String(balance)
  const lifetimePoints = wholeNumber('lifetimePoints', lifetime, balance, MAX_ADJUSTMENT)
  const name = parseName(field(line, 'name'))
  const id = newIdentifier('cus', systemRandomBytes)
  return { id, name, phone, email: email === '' ? null : email, balance, lifetimePoints }
}

const parseReward = (line: CsvLine) => ({
  name: parseName(field(line, 'name')),
  cost: wholeNumber('points', field(line, 'points'), 1, MAX_COST)
})

/** Parses every line; what cannot be used, or comes again in the file, is refused with its reason. */
const parseLines = <Value>(
  lines: readonly CsvLine[],
  parse: (line: CsvLine) => Value,
  keyOf: (value: Value) => string
) => {
  const refused: RefusedLine[] = []
  const valid: Value[] = []
  const first = new Map<string, number>()
  for (const line of lines) {
    try {
      if (line.fields === null)
        throw new Error('The fields do not match the header, or a quotation mark is open.')
      const value = parse(line)
      const before = first.get(keyOf(value))
      if (before !== undefined) throw new Error(`The same as line ${before}.`)
      first.set(keyOf(value), line.line)
      valid.push(value)
    } catch (error) {
      refused.push({ line: line.line, reason: error instanceof Error ? error.message : String(error) })
    }
  }
  return { refused, valid }
}

const readFile = (file: string): Uint8Array => {
  try {
    return readFileSync(file)
  } catch {
    throw new Error(`${file} cannot be read.`)
  }
}

const report = (
  counts: { added: number; known: number },
  refused: readonly RefusedLine[],
  isDry: boolean
) => ({
  text: [
    `${isDry ? 'To add' : 'Added'}: ${counts.added}; there already: ${counts.known}; refused: ${refused.length}`,
    ...refused.map(({ line, reason }) => `line ${line}: ${reason}`)
  ].join('\n'),
  json: { ...counts, refused },
  exitCode: refused.length === 0 ? (0 as const) : (1 as const)
})

const runCustomers = async (input: CommandInput, lines: readonly CsvLine[]) => {
  const { database, now, progress } = input
  const { key } = await businessOf(input)
  const { valid, refused } = parseLines(lines, parseCustomer, ({ phone }) => phone)
  const isDry = input.isGiven('dry-run')
  let known = 0
  for (let from = 0; from < valid.length; from += BATCH) {
    const batch = valid.slice(from, from + BATCH)
    for (const { phone } of batch) if (await hasPhone(database, key, phone)) known += 1
    if (!isDry) {
      const made = { at: now().toISOString(), by: COMMAND_LINE }
      await database.transaction((queries) => importCustomers(queries, key, batch, made))
      await wait(PAUSE_MS)
    }
    progress.report('customers', from + batch.length, valid.length)
  }
  return report({ added: valid.length - known, known }, refused, isDry)
}

const runRewards = async (input: CommandInput, lines: readonly CsvLine[]) => {
  const { key } = await businessOf(input)
  const { valid, refused } = parseLines(lines, parseReward, ({ name }) => name)
  const isDry = input.isGiven('dry-run')
  const added = await input.database.transaction(async (queries) => {
    const rewards = new RewardStore(queries)
    const names = new Set((await rewards.all(key)).map(({ name }) => name))
    const missing = valid.filter(({ name }) => !names.has(name))
    if (isDry) return missing.length
    for (const terms of missing) {
      await rewards.append(key, newIdentifier('rew', systemRandomBytes), terms, input.now().toISOString())
    }
    return missing.length
  })
  return report({ added, known: valid.length - added }, refused, isDry)
}

export const importCommand: ShopCommand = {
  name: 'import',
  summary:
    'Imports customers (name, phone, email, balance, lifetimePoints) or rewards (name, points) from CSV. ' +
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
    const { columns, lines } = parseCsv(readFile(input.required('FILE')))
    const missing = ['name', isCustomers ? 'phone' : 'points'].filter((name) => !columns.includes(name))
    if (missing.length > 0) throw new Error(`The file has no column ${missing.join(', ')}.`)
    return isCustomers ? runCustomers(input, lines) : runRewards(input, lines)
  }
}
