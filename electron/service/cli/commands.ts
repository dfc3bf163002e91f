/** The commands of a shop's own service. */
import { backupCommands } from './backup.ts'
import { businessCommands } from './business.ts'
import { codeCommands } from './code.ts'
import type { ShopCommand } from './command.ts'
import { copyCommand } from './copy.ts'
import { customerCommands } from './customer.ts'
import { createDoctorCommand } from './doctor/index.ts'
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
