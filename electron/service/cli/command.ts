/** How the commands of a shop's own service are described, parsed and run. */
import { parseArgs } from 'node:util'
import { Log } from '../monitoring/log.ts'
import type { Database } from '../store/database.ts'
import { openPlace, type Place } from './place.ts'
import { Progress } from './progress.ts'

/** Thrown for arguments that cannot be used. The message is one line. */
export class InvalidArgumentsError extends Error {
  override readonly name = 'InvalidArgumentsError'
}

interface Option {
  /** what stands for the value in the help, such as `NAME`; a switch has none */
  readonly value?: string
  readonly text: string
  readonly isRequired?: boolean
}

/** What a command is given, without a database. */
export interface CommandArguments {
  /** the value of an option; undefined if it is not given */
  readonly option: (name: string) => string | undefined
  /** the value of a required option or argument */
  readonly required: (name: string) => string
  /** whether a switch is given */
  readonly isGiven: (name: string) => boolean
  /** the values of an argument that may be repeated */
  readonly all: (name: string) => readonly string[]
  readonly now: () => Date
  readonly progress: Progress
  readonly log: Log
}

/** What most commands are given. */
export interface CommandInput extends CommandArguments {
  readonly database: Database
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

interface CommandDescription {
  /** one or two words */
  readonly name: string
  readonly summary: string
  /** names of the arguments, in their order, such as `TILL`; `[FILE]` may be left out, `REWARD…` repeated */
  readonly args?: readonly string[]
  readonly options?: Readonly<Record<string, Option>>
}

interface DatabaseCommand extends CommandDescription {
  readonly opensItself?: false
  /** whether the command makes the database that the others need */
  readonly createsDatabase?: boolean
  readonly run: (input: CommandInput) => Promise<CommandOutput>
}

/** A command that works with whole databases, and opens them itself. It lists all its options. */
interface PlaceCommand extends CommandDescription {
  readonly opensItself: true
  readonly run: (input: CommandArguments) => Promise<CommandOutput>
}

export type ShopCommand = DatabaseCommand | PlaceCommand

/** Where the data is, for commands that work with one place. */
export const PLACE_OPTIONS: Readonly<Record<string, Option>> = {
  data: { value: 'DIR', text: 'folder of the service, with its SQLite file' },
  database: { value: 'URL', text: 'PostgreSQL instead: postgres://user@host1,host2/database' }
}

/**
 * Variables that name the place of every command without either option. The address of a database may contain a password,
 * and arguments are in the list of processes, which each user of the machine can read.
 */
const PLACE_VARIABLES = { database: 'TILLPOINTS_SERVICE_DATABASE', data: 'TILLPOINTS_SERVICE_DATA' } as const

/** The switch of a command that makes what it needs, as the command of this name does. */
export const INIT = 'init'

/** Options of every command. */
const SWITCHES = {
  json: { text: 'print the result as JSON' },
  progress: { text: 'show the progress of long work, also without a terminal' },
  help: { text: 'show this text' }
}

const optionsOf = (command: ShopCommand): Readonly<Record<string, Option>> => ({
  ...command.options,
  ...(command.opensItself === true ? {} : PLACE_OPTIONS),
  ...SWITCHES
})

const helpLine = (start: string, text: string): string => `  ${start.padEnd(24)}  ${text}`

const overview = (commands: readonly ShopCommand[]): string =>
  [
    "Runs and manages a shop's own Loyalty Points Service. Without a command: sample data (see --help).",
    '',
    ...commands.map(({ name, args = [], summary }) => helpLine([name, ...args].join(' '), summary)),
    '',
    'Each command has --help, --json and --progress. All but copy take --data DIR or --database URL, or find them in the',
    `variables ${PLACE_VARIABLES.data} and ${PLACE_VARIABLES.database}.`,
    'Exit codes: 0 done, 1 refused or failed, 2 arguments that cannot be used.'
  ].join('\n')

const helpOf = (command: ShopCommand): string =>
  [
    `${[command.name, ...(command.args ?? [])].join(' ')} [options]`,
    '',
    command.summary,
    '',
    ...Object.entries(optionsOf(command)).map(([option, { value, text, isRequired }]) =>
      helpLine(
        value === undefined ? `--${option}` : `--${option} ${value}`,
        isRequired === true ? `${text} (required)` : text
      )
    )
  ].join('\n')

/**
 * The help that `help`, `help till pair`, `help till` and `till --help` ask for; null for other arguments, and for a
 * command that does not exist.
 */
const helpFor = (commands: readonly ShopCommand[], args: readonly string[]): string | null => {
  const isAsked = args[0] === 'help' || args.includes('--help')
  const options = args.findIndex((word) => word.startsWith('-'))
  const words = args.slice(args[0] === 'help' ? 1 : 0, options < 0 ? undefined : options).join(' ')
  const named = commands.filter(({ name }) => `${name} `.startsWith(words === '' ? '' : `${words} `))
  const [only] = named
  if (!isAsked || only === undefined) return null
  return only.name === words ? helpOf(only) : overview(named)
}

/** The options that are given, with the place of the variables where neither `--data` nor `--database` is. */
const withPlace = <Values extends object>(command: ShopCommand, values: Values): Values => {
  if ('data' in values || 'database' in values || !('data' in optionsOf(command))) return values
  const { database, data } = PLACE_VARIABLES
  const [url = '', folder = ''] = [process.env[database], process.env[data]]
  if (url !== '') return { ...values, database: url }
  return folder === '' ? values : { ...values, data: folder }
}

const parse = (command: ShopCommand, args: readonly string[]) => {
  const options = Object.entries(optionsOf(command)).map(
    ([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }] as const
  )
  try {
    return parseArgs({
      args: [...args],
      options: Object.fromEntries(options),
      strict: true,
      allowPositionals: true
    })
  } catch (error) {
    // Messages of node:util have several sentences; the first one names the option.
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split(/\.?\n|\. /)
    const hint = line.endsWith('ambiguous') ? ': a value that begins with a dash is given as --option=-5' : ''
    throw new InvalidArgumentsError(`${line}${hint} (see ${command.name} --help)`)
  }
}

/** The values of each argument of a command. Throws an `InvalidArgumentsError` for too few or too many. */
const argumentsOf = (
  { name, args = [] }: ShopCommand,
  values: readonly string[]
): ReadonlyMap<string, readonly string[]> => {
  const isRepeated = args.at(-1)?.endsWith('…') === true
  const needed = args.filter((arg) => !arg.startsWith('[')).length
  if (values.length < needed || (!isRepeated && values.length > args.length)) {
    const wanted = args.length === 0 ? 'no arguments' : args.join(' ')
    throw new InvalidArgumentsError(`${name} takes ${wanted} (see ${name} --help)`)
  }
  return new Map(
    args.map((arg, index) => [
      arg.replaceAll(/[[\]…]/g, ''),
      values.slice(index, isRepeated && index === args.length - 1 ? undefined : index + 1)
    ])
  )
}

/** The place that `--data` or `--database` names. Throws an `InvalidArgumentsError` for none and for both. */
export const placeOf = (name: string, { option }: Pick<CommandArguments, 'option'>): Place => {
  const [folder, url] = [option('data'), option('database')]
  if ((folder === undefined) === (url === undefined)) {
    throw new InvalidArgumentsError(`Either --data or --database is needed (see ${name} --help)`)
  }
  if (folder === '' || url === '') {
    throw new InvalidArgumentsError(`--data or --database is empty (see ${name} --help)`)
  }
  return folder === undefined ? { url: url ?? '' } : { folder }
}

/**
 * Runs the command that `args` begin with and prints its result. Resolves with the exit code, undefined while it serves.
 * Rejects with an `InvalidArgumentsError`, or with what the command refuses.
 */
export const runCommand = async (
  commands: readonly ShopCommand[],
  args: readonly string[],
  log = new Log()
): Promise<number | undefined> => {
  const command = commands.find(({ name }) => name.split(' ').every((word, index) => args[index] === word))
  if (command === undefined) {
    const help = helpFor(commands, args)
    if (help === null) {
      throw new InvalidArgumentsError(`There is no command "${args.slice(0, 2).join(' ')}" (see help)`)
    }
    console.log(help)
    return 0
  }
  const { values: given, positionals } = parse(command, args.slice(command.name.split(' ').length))
  const values = withPlace(command, given)
  if (values['help'] === true) {
    console.log(helpOf(command))
    return 0
  }
  const positional = argumentsOf(command, positionals)
  const option = (name: string): string | undefined => {
    const value = values[name]
    return typeof value === 'string' ? value : undefined
  }
  for (const [name, { isRequired }] of Object.entries(command.options ?? {})) {
    if (isRequired === true && option(name) === undefined) {
      throw new InvalidArgumentsError(`--${name} is needed (see ${command.name} --help)`)
    }
  }
  const progress = new Progress(process.stderr, values['progress'] === true)
  const input: CommandArguments = {
    option: (name) => positional.get(name)?.[0] ?? option(name),
    required: (name) => positional.get(name)?.[0] ?? option(name) ?? '',
    isGiven: (name) => values[name] === true,
    all: (name) => positional.get(name) ?? [],
    now: () => new Date(),
    progress,
    log
  }
  const printed = async (running: Promise<CommandOutput>): Promise<CommandOutput> => {
    const output = await running.finally(() => progress.end())
    console.log(values['json'] === true ? JSON.stringify(output.json) : output.text)
    return output
  }
  if (command.opensItself === true) {
    const output = await printed(command.run(input))
    return output.exitCode ?? 0
  }
  const database = await openPlace(placeOf(command.name, input), {
    mayCreate: command.createsDatabase === true || input.isGiven(INIT)
  })
  let isServing = false
  try {
    const output = await printed(command.run({ ...input, database }))
    isServing = output.isServing === true
    return isServing ? undefined : (output.exitCode ?? 0)
  } finally {
    if (!isServing) await database.close()
  }
}
