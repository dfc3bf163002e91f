/**
 * `npm run service`: without a command it serves sample data, with one it runs or manages a shop's own service. Exits with
 * 0, with 1 when something is refused or fails, and then nothing was changed, and with 2 for arguments that cannot be
 * used.
 */
import { InvalidArgumentsError, runCommand } from './command.ts'
import { SHOP_COMMANDS } from './commands.ts'
import { runSampleData } from './sample-data.ts'

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const run = async (args: readonly string[]): Promise<number | undefined> => {
  if (args[0]?.startsWith('-') !== false) {
    return runSampleData(args).catch((error: unknown) => {
      console.error(`The service cannot start: ${messageOf(error)}`)
      return 1
    })
  }
  return runCommand(SHOP_COMMANDS, args).catch((error: unknown) => {
    console.error(messageOf(error))
    return error instanceof InvalidArgumentsError ? 2 : 1
  })
}

process.exitCode = await run(process.argv.slice(2))
