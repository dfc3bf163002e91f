/** The local interface, which is loaded when it is enabled. */
import { app } from 'electron'
import { NO_LOCAL_INTERFACE, type LocalInterfaceState } from '../../contract/local-interface.ts'
import type { Slip } from '../../contract/slips.ts'
import { toRendererCustomer } from '../ipc/customers.ts'
import { createLazy, type Lazy } from '../lazy.ts'
import type { LocalInterface } from '../local-interface/local-interface.ts'
import { withoutToken } from '../settings/settings-schema.ts'
import type { CustomerDisplayServices } from './customer-display.ts'
import type { TillContext } from './persistence.ts'
import type { SessionServices } from './session.ts'
import type { SlipServices } from './slips.ts'

export interface LocalInterfaceServicesDependencies extends TillContext {
  readonly sessionServices: SessionServices
  readonly slipServices: SlipServices
  readonly customerDisplay: CustomerDisplayServices
}

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
    const { persistence, sessionServices, slipServices, customerDisplay, changes, now, log } =
      this.#dependencies
    const { settings, staff } = persistence
    const { session, catalogue, recent, country, images } = sessionServices
    const { display } = customerDisplay
    const { LocalInterface } = await import('../local-interface/local-interface.ts')
    return new LocalInterface({
      settings,
      session,
      slips: slipServices.slips,
      staff,
      catalogue,
      display,
      country,
      onFound: (customer) => {
        display.addCustomer(customer)
        recent.see([toRendererCustomer(customer, images, country.code)])
      },
      version: app.getVersion(),
      onChange: changes.emitChanged,
      now,
      log
    })
  }
}
