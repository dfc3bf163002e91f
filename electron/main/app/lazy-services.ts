/** Services that are loaded at their first use, and the updates of the till itself. */
import { app } from 'electron'
import { release } from 'node:os'
import { NO_LOCAL_INTERFACE, type LocalInterfaceState } from '../../contract/local-interface.ts'
import type { Slip } from '../../contract/slips.ts'
import type { DiagnosticsService } from '../diagnostics/diagnostics.ts'
import { toRendererCustomer } from '../ipc/customers.ts'
import { createLazy, type Lazy } from '../lazy.ts'
import type { LocalInterface } from '../local-interface/local-interface.ts'
import type { FileLogger, Logger } from '../log/log.ts'
import { send } from '../platform/ipc.ts'
import { type Relauncher, UPDATE_NOT_INSTALLED } from '../platform/relaunch.ts'
import { defaultUpdateFeed, openUpdater } from '../platform/updater.ts'
import { MovedPrinters } from '../printer-discovery/moved-printers.ts'
import type { PrinterDiscovery } from '../printer-discovery/printer-discovery.ts'
import type { Printing } from '../printing/index.ts'
import { withoutToken } from '../settings/settings-schema.ts'
import { type TillShutdown, Updates } from '../updates/updates.ts'
import type { CustomerDisplayServices, Persistence, SessionServices, TillContext } from './session.ts'
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
  const movedPrinters = new MovedPrinters({ discovery, send: (moved) => send('onMovedPrinter', moved), log })
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
  readonly shutdown: TillShutdown
  readonly relauncher: Relauncher
}

/** Creates the updates, which close the till's services before they install. */
export function createAppUpdates(dependencies: AppUpdatesDependencies): Updates {
  const { persistence, slipServices, shutdown, relauncher, changes, log } = dependencies
  return new Updates({
    settings: persistence.settings,
    defaultFeed: defaultUpdateFeed(),
    updater: createLazy(() => openUpdater(relauncher, log)),
    slips: slipServices.slips,
    shutdown,
    notInstalled: process.argv.includes(UPDATE_NOT_INSTALLED),
    onChange: changes.emitChanged,
    log
  })
}

export interface LocalInterfaceServicesDependencies extends TillContext {
  readonly sessionServices: SessionServices
  readonly slipServices: SlipServices
  readonly customerDisplay: CustomerDisplayServices
}

/** The local interface, which is loaded when it is enabled. */
export class LocalInterfaceServices {
  readonly localInterface: Lazy<LocalInterface>
  readonly #dependencies: LocalInterfaceServicesDependencies
  #isStarted = false

  constructor(dependencies: LocalInterfaceServicesDependencies) {
    this.#dependencies = dependencies
    this.localInterface = createLazy(
      () => this.#open(),
      (opened) => {
        // The end of listening is a change of state, which must not start it again.
        this.#isStarted = false
        return opened.close()
      }
    )
    dependencies.slipServices.onSlip((slip: Slip) => this.localInterface.opened?.handleSlip(slip))
  }

  get state(): LocalInterfaceState {
    const { opened } = this.localInterface
    if (opened !== null) return opened.state
    const { callers } = this.#dependencies.persistence.settings.values
    return {
      ...NO_LOCAL_INTERFACE,
      callers: callers.map(withoutToken)
    }
  }

  /** Listens from now on while the settings say so. */
  start(): void {
    this.#isStarted = true
    this.handleStateChange()
  }

  /** Call when the settings may have changed. */
  handleStateChange(): void {
    if (!this.#isStarted) return
    const { persistence, log } = this.#dependencies
    const { opened } = this.localInterface
    if (opened !== null) void opened.update()
    else if (persistence.settings.values.localInterface.enabled) {
      this.localInterface.get().then(
        (localInterface) => localInterface.update(),
        (error: unknown) => log.error('local-interface-not-loaded', { error })
      )
    }
  }

  async #open(): Promise<LocalInterface> {
    const { persistence, sessionServices, slipServices, customerDisplay, changes, log } = this.#dependencies
    const { settings, staff } = persistence
    const { session, catalogue, recent, standings, country, images, shopRules } = sessionServices
    const { display } = customerDisplay
    const { LocalInterface } = await import('../local-interface/local-interface.ts')
    return new LocalInterface({
      settings,
      session,
      shopRules,
      slips: slipServices.slips,
      staff,
      catalogue,
      display,
      country,
      recent,
      standings,
      onFound: (customer) => {
        display.addCustomer(customer)
        recent.see([toRendererCustomer(customer, images, country.code)])
      },
      version: app.getVersion(),
      onChange: changes.emitChanged,
      log
    })
  }
}
