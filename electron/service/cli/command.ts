/** How the commands of a shop's own service are described, parsed and run. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Database } from '../store/database.ts'
import { openSqlite } from '../store/sqlite.ts'

/** Thrown for arguments that cannot be used. The message is one line. */
export class InvalidArgumentsError extends Error {
  override readonly name = 'InvalidArgumentsError'
}

interface Option {
  /** what stands for the value in the help, such as `NAME` */
  readonly value: string
  readonly text: string
  readonly isRequired?: boolean
}

/** What a command is given: its arguments, and the database. */
export interface CommandInput {
  /** the value of an option; undefined if it is not given */
  readonly option: (name: string) => string | undefined
  /** the value of a required option or argument */
  readonly required: (name: string) => string
  readonly database: Database
  readonly now: () => Date
}

/** What a command prints. */
interface CommandOutput {
  /** lines for people */
  readonly text: string
  /** the same for programs */
  readonly json: unknown
  /** 1 if the command found something wrong */
  readonly exitCode?: 0 | 1
  /** whether the database stays open, because the process serves it */
  readonly isServing?: boolean
}

export interface ShopCommand {
  /** one or two words */
  readonly name: string
  readonly summary: string
  /** names of required arguments, in their order, such as `TILL` */
  readonly args?: readonly string[]
  readonly options?: Readonly<Record<string, Option>>
  /** whether the command makes the database that the others need */
  readonly createsDatabase?: boolean
  readonly run: (input: CommandInput) => Promise<CommandOutput>
}

const SHARED: Readonly<Record<string, Option>> = {
  data: { value: 'DIR', text: 'folder of the service, with its SQLite file' },
  database: { value: 'URL', text: 'PostgreSQL instead: postgres://user@host1,host2/database' }
}

const helpLine = (start: string, text: string): string => `  ${start.padEnd(26)}${text}`

const overview = (commands: readonly ShopCommand[]): string =>
  [
    "Runs and manages a shop's own Loyalty Points Service. Without a command: sample data (see --help).",
    '',
    ...commands.map(({ name, args = [], summary }) => helpLine([name, ...args].join(' '), summary)),
    '',
    'Each command has --help and --json. Exit codes: 0 done, 1 refused or failed, 2 arguments that cannot be used.'
  ].join('\n')

const helpOf = ({ name, summary, args = [], options = {} }: ShopCommand): string =>
  [
    `npm run service -- ${[name, ...args].join(' ')} [options]`,
    '',
    summary,
    '',
    ...Object.entries({ ...options, ...SHARED }).map(([option, { value, text, isRequired }]) =>
      helpLine(`--${option} ${value}`, isRequired === true ? `${text} (required)` : text)
    ),
    helpLine('--json', 'print the result as JSON'),
    helpLine('--help', 'show this text')
  ].join('\n')

const parse = (command: ShopCommand, args: readonly string[]) => {
  const named = Object.keys({ ...command.options, ...SHARED }).map(
    (name) => [name, { type: 'string' }] as const
  )
  try {
    return parseArgs({
      args: [...args],
      options: {
        ...Object.fromEntries(named),
        json: { type: 'boolean' as const },
        help: { type: 'boolean' as const }
      },
      strict: true,
      allowPositionals: true
    })
  } catch (error) {
    // Messages of node:util have several sentences; the first one names the option.
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split(/\n|\. /)
    throw new InvalidArgumentsError(`${line} (see ${command.name} --help)`)
  }
}

/** Name of the data file in the folder of a service. */
const DATA_FILE = 'service.sqlite'

const openDatabase = async (
  command: ShopCommand,
  { data, database }: { readonly data: string | undefined; readonly database: string | undefined }
): Promise<Database> => {
  if ((data === undefined) === (database === undefined)) {
    throw new InvalidArgumentsError(`Either --data or --database is needed (see ${command.name} --help)`)
  }
  if (database !== undefined) {
    const { openPostgres } = await import('../store/postgres.ts')
    return openPostgres(database)
  }
  const folder = data ?? ''
  const file = join(folder, DATA_FILE)
  if (command.createsDatabase === true) mkdirSync(folder, { recursive: true, mode: 0o700 })
  else if (!existsSync(file))
    throw new Error(`There is no service in ${folder}. Make one with: init --data ${folder}`)
  return openSqlite(file)
}

/**
 * Runs the command that `args` begin with and prints its result. Resolves with the exit code, undefined while it serves.
 * Rejects with an `InvalidArgumentsError`, or with what the command refuses.
 */
export const runCommand = async (
  commands: readonly ShopCommand[],
  args: readonly string[]
): Promise<number | undefined> => {
  if (args[0] === 'help') {
    console.log(overview(commands))
    return 0
  }
  const command = commands.find(({ name }) => name.split(' ').every((word, index) => args[index] === word))
  if (command === undefined) {
    throw new InvalidArgumentsError(`There is no command "${args.slice(0, 2).join(' ')}" (see help)`)
  }
  const { values, positionals } = parse(command, args.slice(command.name.split(' ').length))
  if (values['help'] === true) {
    console.log(helpOf(command))
    return 0
  }
  const given = new Map<string, string>()
  for (const [name, value] of Object.entries(values)) if (typeof value === 'string') given.set(name, value)
  const names = command.args ?? []
  if (positionals.length !== names.length) {
    const wanted = names.length === 0 ? 'no arguments' : names.join(' ')
    throw new InvalidArgumentsError(`${command.name} takes ${wanted} (see ${command.name} --help)`)
  }
  for (const [index, name] of names.entries()) given.set(name, positionals[index] ?? '')
  for (const [name, { isRequired }] of Object.entries(command.options ?? {})) {
    if (isRequired === true && !given.has(name)) {
      throw new InvalidArgumentsError(`--${name} is needed (see ${command.name} --help)`)
    }
  }
  const database = await openDatabase(command, { data: given.get('data'), database: given.get('database') })
  let isServing = false
  try {
    const output = await command.run({
      option: (name) => given.get(name),
      required: (name) => given.get(name) ?? '',
      database,
      now: () => new Date()
    })
    console.log(values['json'] === true ? JSON.stringify(output.json) : output.text)
    isServing = output.isServing === true
    return isServing ? undefined : (output.exitCode ?? 0)
  } finally {
    if (!isServing) await database.close()
  }
}
