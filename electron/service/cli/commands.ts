/** The commands of a shop's own service. */
import type { Log } from '../monitoring/log.ts'
import { backupCommands } from './backup.ts'
import { businessCommands } from './business.ts'
import { codeCommands } from './code.ts'
import { InvalidArgumentsError, runCommand, type ShopCommand } from './command.ts'
import { copyCommand } from './copy.ts'
import { customerCommands } from './customer.ts'
import { createDoctorCommand } from './doctor/index.ts'
import { failureText } from './failure-text.ts'
import { importCommand } from './import.ts'
import { initCommand } from './init.ts'
import { rewardCommands } from './reward.ts'
import { serveCommand } from './serve.ts'
import { staffCommands } from './staff.ts'
import { tillCommands } from './till.ts'
import { verifyCommand } from './verify.ts'

/** In the order of the help. */
export const SHOP_COMMANDS: readonly ShopCommand[] = [
  initCommand,
  serveCommand,
  verifyCommand,
  createDoctorCommand(),
  ...backupCommands,
  copyCommand,
  importCommand,
  ...businessCommands,
  ...staffCommands,
  ...tillCommands,
  ...rewardCommands,
  ...customerCommands,
  ...codeCommands
]

/** Runs a command as `runCommand` does, and writes why one is refused or fails. Resolves with the exit code of `main.ts`. */
export const runShopCommand = (args: readonly string[], log: Log): Promise<number | undefined> =>
  runCommand(SHOP_COMMANDS, args, log).catch((error: unknown) => {
    log.error(failureText(error))
    return error instanceof InvalidArgumentsError ? 2 : 1
  })
