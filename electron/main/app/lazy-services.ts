/** Services that are loaded at their first use, and the updates of the till itself. */
import { app } from 'electron'
import { release } from 'node:os'
import type { DiagnosticsService } from '../diagnostics/diagnostics.ts'
import { createLazy, type Lazy } from '../lazy.ts'
import type { FileLogger } from '../log/log-file.ts'
import type { Logger } from '../log/log.ts'
import { sendMovedPrinter } from '../platform/ipc.ts'
import type { Relauncher } from '../platform/relaunch.ts'
import { defaultUpdateFeed, openUpdater } from '../platform/updater.ts'
import { MovedPrinters } from '../printer-discovery/moved-printers.ts'
import type { PrinterDiscovery } from '../printer-discovery/printer-discovery.ts'
import type { Printing } from '../printing/index.ts'
import { Updates } from '../updates/updates.ts'
import type { Persistence } from './persistence.ts'
import type { Shutdown } from './shutdown.ts'
import type { SlipServices } from './slips.ts'

/** Printers have device files on Linux only. */
export const createLazyDiscovery = (printing: Printing, log: Logger): Lazy<PrinterDiscovery> =>
  createLazy(
    async () => {
      const [{ PrinterDiscovery }, { listSerialPorts, listUsbPrinters }, { listLibraryPorts }] =
        await Promise.all([
          import('../printer-discovery/printer-discovery.ts'),
          import('../printer-discovery/ports.ts'),
          import('../printer-discovery/ports.ts')
        ])
      return new PrinterDiscovery({
        listUsbPrinters,
        listSerialPorts: () => (process.platform === 'linux' ? listSerialPorts() : listLibraryPorts()),
        listQueues: async () => {
          const queues = await printing.list()
          return queues.ok ? queues.value : []
        },
        log
      })
    },
    (discovery) => discovery.close()
  )

/** Looks for a printer that does not respond to a slip, and sends the page where it found it. */
export function watchMovedPrinters(
  slips: SlipServices,
  discovery: Lazy<PrinterDiscovery>,
  log: Logger
): void {
  const movedPrinters = new MovedPrinters({
    findMoved: async (connection) => (await discovery.get()).findMoved(connection),
    send: sendMovedPrinter,
    log
  })
  slips.onSlip((slip) => void movedPrinters.handleSlip(slip))
}

/** Set on the command line of a till that restarted because its update could not be installed. */
const UPDATE_NOT_INSTALLED = '--update-not-installed'

/** Creates the diagnostics, which are loaded at the first use. */
export function createLazyDiagnostics(
  { settings, languages }: Persistence,
  { slips, printing }: SlipServices,
  log: FileLogger
): Lazy<DiagnosticsService> {
  // Diagnostics must work without the journal.
  const slipsOrNull = async () => {
    const opened = await slips.get().catch(() => null)
    return opened?.ok === true ? opened.value : null
  }
  return createLazy(async () => {
    const { DiagnosticsService } = await import('../diagnostics/diagnostics.ts')
    return new DiagnosticsService({
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
      printers: () => printing.list(),
      journal: async () => (await (await slipsOrNull())?.queries.statistics()) ?? null,
      backups: async () => {
        const backups = (await slipsOrNull())?.backups
        return { count: backups?.count() ?? 0, newest: backups?.newest() ?? null }
      },
      settings: () => settings.values,
      logFiles: () => log.files(),
      secrets: () => log.secrets,
      languages,
      log
    })
  })
}

export interface AppUpdatesDependencies {
  readonly persistence: Persistence
  readonly slipServices: SlipServices
  readonly shutdown: Shutdown
  readonly relauncher: Relauncher
  /** called when the state of an update changed */
  readonly onChange: () => void
  readonly now: () => Date
  readonly log: FileLogger
}

/** Creates the updates, which close the till's services before they install. */
export function createAppUpdates(dependencies: AppUpdatesDependencies): Updates {
  const { persistence, slipServices, shutdown, relauncher, onChange, now, log } = dependencies
  const defaultFeed = defaultUpdateFeed()
  return new Updates({
    feed: () => persistence.settings.values.updates.feed ?? defaultFeed,
    openUpdater: () => openUpdater(relauncher, log),
    obstacle: () => {
      const { opened } = slipServices.slips
      return opened?.ok === true ? opened.value.pendingWork() : null
    },
    closeDown: () => shutdown.closeServices(),
    restart() {
      relauncher.relaunch([UPDATE_NOT_INSTALLED])
      app.exit()
    },
    notInstalled: process.argv.includes(UPDATE_NOT_INSTALLED),
    onChange,
    now,
    log
  })
}
