/** What keeps the till well: what it tells of itself to whoever helps it, and its updates. */
import { app } from 'electron'
import { release } from 'node:os'
import { createSaveDiagnostics } from '../ipc/index.ts'
import { createLazy } from '../lazy.ts'
import type { FileLogger } from '../log/log-file.ts'
import { defaultUpdateFeed, openUpdater } from '../platform/updater.ts'
import { askWhereToSave } from '../platform/save-dialog.ts'
import { createUpdates } from '../updates/updates.ts'
import type { Memory } from './persistence.ts'
import type { Issuing } from './slips.ts'

/** On the command line of a till that was started again because its update could not be put in place. */
const UPDATE_NOT_INSTALLED = '--update-not-installed'

/** What helping needs of the rest. */
export interface HelpParts {
  readonly memory: Memory
  readonly issuing: Issuing
  readonly now: () => Date
  /** called when how far an update has come changed */
  readonly changed: () => void
  /** Ends the till's services. */
  readonly closeDown: () => Promise<void>
  readonly log: FileLogger
}

/** Makes the help. */
export function prepareHelp({ memory, issuing, now, changed, closeDown, log }: HelpParts) {
  const { settings } = memory
  const { slips, printing } = issuing
  // Diagnostics are told most of all where something else did not open.
  const opened = () => slips.use().catch(() => null)

  const diagnostics = createLazy(async () => {
    const { createDiagnostics } = await import('../diagnostics/diagnostics.ts')
    return createDiagnostics({
      versions: {
        till: app.getVersion(),
        electron: process.versions.electron,
        chromium: process.versions.chrome,
        node: process.versions.node
      },
      platform: {
        system: process.platform,
        release: release(),
        architecture: process.arch,
        locale: app.getLocale()
      },
      printers: async () => (await printing.use()).list(),
      journal: async () => (await opened())?.numbers() ?? null,
      backups: async () => {
        const backups = (await opened())?.backups
        return { count: backups?.count() ?? 0, newest: backups?.newest() ?? null }
      },
      settings: () => settings.values,
      logFiles: () => log.files(),
      secrets: () => log.secrets,
      log
    })
  })

  const packedFeed = defaultUpdateFeed()
  return {
    diagnostics,
    saveDiagnostics: createSaveDiagnostics(diagnostics.use, askWhereToSave, now),
    updates: createUpdates({
      feed: () => settings.values.updates.feed ?? packedFeed,
      openUpdater: () => openUpdater(log),
      obstacle: () => slips.opened?.underWay() ?? null,
      closeDown,
      restart() {
        app.relaunch({ args: [...process.argv.slice(1), UPDATE_NOT_INSTALLED] })
        app.exit()
      },
      notInstalled: process.argv.includes(UPDATE_NOT_INSTALLED),
      onChange: changed,
      now,
      log
    })
  }
}

/** What keeps the till well. */
export type Help = ReturnType<typeof prepareHelp>
