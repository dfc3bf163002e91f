/** Entry of the main process: what must run before Chromium starts, and no more. The rest is imported while it starts. */
import { app, dialog } from 'electron'
import { accessSync, constants, existsSync } from 'node:fs'
import { messagesByLanguage } from '../../generated/messages/dialogs/all.js'
import { isPinText } from '../contract/staff.ts'
import { createEcho, FileLogger } from './log/log.ts'
import { registerAppProtocol } from './platform/app-protocol.ts'
import {
  BillLinkReceiver,
  refusedSwitch,
  setChromiumSwitches,
  takeProvisioning,
  valueOfSwitch
} from './platform/command-line.ts'
import { GlobalErrorHandler } from './platform/global-error-handler.ts'
import { appPaths } from './platform/paths.ts'
import { Relauncher } from './platform/relaunch.ts'
import { setAppUserModelId, systemLanguage } from './platform/system.ts'
import { setApplicationMenu } from './platform/windows.ts'

/** Returns true for a folder that does not exist yet: creating it reports whether that works. */
const isWritable = (folder: string): boolean => {
  if (!existsSync(folder)) return true
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Returns whether this process may open the till: one instance per user-data folder, since two would write to one
 * journal. If another instance has it open, that one shows its window. The lock cannot be taken in a read-only folder,
 * where no journal is written either: there the till opens.
 */
function acquireSingleInstanceLock(): boolean {
  return app.requestSingleInstanceLock() || !isWritable(app.getPath('userData'))
}

/** Opens the till, unless another process has it open. Returns before Chromium starts, which waits for this module. */
function openTill(): void {
  // Only the till's own account may read journals, backups, logs and slips. Windows ignores the mask.
  process.umask(0o077)

  const paths = appPaths()
  const log = new FileLogger({ folder: paths.logs, echo: createEcho(process.stderr) })
  const provisioning = takeProvisioning(process.env)
  const relauncher = new Relauncher(provisioning.removed, log)
  const globalErrorHandler = new GlobalErrorHandler(log, paths.logs, relauncher)
  globalErrorHandler.register()
  const billLinkReceiver = new BillLinkReceiver(process.argv)

  setAppUserModelId()
  setChromiumSwitches()
  registerAppProtocol()
  setApplicationMenu()
  const refused = refusedSwitch()
  if (refused !== null) {
    log.error('switch-refused', { name: refused })
    const m = messagesByLanguage[systemLanguage()]
    dialog.showErrorBox('Tillpoints', m.switchRefused({ option: `--${refused}` }))
    app.exit(1)
  } else if (acquireSingleInstanceLock()) {
    // Electron starts Chromium once this module has run, so nothing is awaited here.
    import('./app/create-app.ts')
      .then(({ createApp }) =>
        createApp({
          paths,
          log,
          globalErrorHandler,
          provisioning: provisioning.connection,
          relauncher,
          billLinkReceiver
        })
      )
      .catch(async (error: unknown) => {
        // Before that, there is only a box without buttons, and none on Linux.
        await app.whenReady()
        globalErrorHandler.report('start', error)
      })
  } else {
    app.quit()
  }
}

/** Prints what a policy would put in force, and ends the process. */
async function checkPolicyFile(file: string): Promise<void> {
  const { checkPolicy, installedPolicies } = await import('./policy/policy-reader.ts')
  const { text, isRight } = await checkPolicy(
    file,
    installedPolicies(appPaths(), process.platform, process.env)
  )
  await printAndExit(text, isRight)
}

/** Prints the hash of a PIN, for a policy, and ends the process. */
async function printPinHash(pin: string): Promise<void> {
  const { formatPinHash, hashPin } = await import('./staff/pin.ts')
  if (isPinText(pin)) await printAndExit(`${formatPinHash(await hashPin(pin))}\n`, true)
  else await printAndExit('Usage: tillpoints --hash-pin PIN\nA PIN has 4 to 12 digits.\n', false)
}

async function printAndExit(text: string, isRight: boolean): Promise<void> {
  await new Promise((resolve) => process.stdout.write(text, resolve))
  app.exit(isRight ? 0 : 1)
}

const policyFile = valueOfSwitch(process.argv, 'check-policy')
const pin = valueOfSwitch(process.argv, 'hash-pin')
// Awaited: the process ends before Chromium starts, and needs no display.
if (policyFile !== null) await checkPolicyFile(policyFile)
else if (pin !== null) await printPinHash(pin)
else openTill()
