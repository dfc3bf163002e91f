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
import type { Persistence, TillContext } from './persistence.ts'
import { type Shutdown, UPDATE_NOT_INSTALLED } from './shutdown.ts'
import type { SlipServices } from './slips.ts'

/** Creates the search for printers. */
export const createLazyDiscovery = (printing: Printing, log: Logger): Lazy<PrinterDiscovery> =>
  createLazy(
    async () => {
      const [{ PrinterDiscovery }, { systemPorts }] = await Promise.all([
        import('../printer-discovery/printer-discovery.ts'),
        import('../printer-discovery/ports.ts')
      ])
      return new PrinterDiscovery({ ports: systemPorts, printing, log })
    },
    (discovery) => discovery.close()
  )

/** Looks for a printer that does not respond to a slip, and sends the page where it found it. */
export function watchMovedPrinters(
  slips: SlipServices,
  discovery: Lazy<PrinterDiscovery>,
  log: Logger
): void {
  const movedPrinters = new MovedPrinters({ discovery, send: sendMovedPrinter, log })
  slips.onSlip((slip, change) => {
    if (change !== 'collected') void movedPrinters.handleSlip(slip)
  })
}

/** Creates the diagnostics, which are loaded at the first use. */
export function createLazyDiagnostics(
  { settings, languages }: Persistence,
  { slips, printing }: SlipServices,
  log: FileLogger
): Lazy<DiagnosticsService> {
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
      printing,
      slips,
      settings,
      languages,
      log
    })
  })
}

export interface AppUpdatesDependencies extends TillContext {
  readonly slipServices: SlipServices
  readonly shutdown: Shutdown
  readonly relauncher: Relauncher
}

/** Creates the updates, which close the till's services before they install. */
export function createAppUpdates(dependencies: AppUpdatesDependencies): Updates {
  const { persistence, slipServices, shutdown, relauncher, changes, now, log } = dependencies
  return new Updates({
    settings: persistence.settings,
    defaultFeed: defaultUpdateFeed(),
    updater: createLazy(() => openUpdater(relauncher, log)),
    slips: slipServices.slips,
    shutdown,
    notInstalled: process.argv.includes(UPDATE_NOT_INSTALLED),
    onChange: changes.emitChanged,
    now,
    log
  })
}
