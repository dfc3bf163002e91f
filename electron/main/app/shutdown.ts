/** Closes the services in order when the till quits, or before an update is installed. */
import { app } from 'electron'
import type { Lazy } from '../lazy.ts'
import { type Relauncher, UPDATE_NOT_INSTALLED } from '../platform/relaunch.ts'
import type { TillShutdown, Updates } from '../updates/updates.ts'
import type { CustomerDisplayServices, SessionServices, TillContext } from './session.ts'
import type { SlipServices } from './slips.ts'

export interface ShutdownDependencies extends TillContext {
  readonly sessionServices: SessionServices
  readonly slipServices: SlipServices
  readonly customerDisplay: CustomerDisplayServices
  readonly localInterface: Pick<Lazy<unknown>, 'close'>
  readonly discovery: Pick<Lazy<unknown>, 'close'>
  readonly diagnostics: Pick<Lazy<unknown>, 'close'>
  readonly relauncher: Relauncher
}

export class Shutdown implements TillShutdown {
  readonly #dependencies: ShutdownDependencies
  #isClosed = false

  constructor(dependencies: ShutdownDependencies) {
    this.#dependencies = dependencies
  }

  /** Closes what has files open, dependents first. Resolves when a pending slip ended. */
  async closeServices(): Promise<void> {
    const { slipServices, discovery, localInterface, diagnostics, sessionServices, log } = this.#dependencies
    await discovery.close()
    try {
      // A request that is pending then ends with the slips.
      await localInterface.close()
      await slipServices.close()
    } finally {
      await diagnostics.close()
      await sessionServices.training.close()
      this.#isClosed = true
      log.info('till-stopped')
    }
  }

  /** Starts the till again, which then says that the update was not installed. */
  restartWithoutUpdate(): void {
    this.#dependencies.relauncher.relaunch([UPDATE_NOT_INSTALLED])
    app.exit()
  }

  /**
   * Closes the journal before Windows ends the session, so that the next start does not check it. The process is killed
   * as soon as this returns, without the app's quit events: nothing asynchronous is finished.
   */
  closeAtSessionEnd(): void {
    const { opened } = this.#dependencies.slipServices.slips
    if (opened?.ok === true) opened.value.closeJournal()
    this.#dependencies.log.info('session-ended')
  }

  /** Registers the handlers of the app's quit events. */
  register(updates: Updates): void {
    const { customerDisplay, persistence, sessionServices } = this.#dependencies
    app.on('before-quit', () => customerDisplay.window.close())
    app.on('will-quit', (event) => {
      if (this.#isClosed) return
      // Quitting waits for the services, then quits again.
      event.preventDefault()
      updates.stop()
      persistence.staff.close()
      sessionServices.session.close()
      sessionServices.dailyProfileRead.close()
      sessionServices.catalogue.close()
      void this.closeServices().finally(() => app.quit())
    })
  }
}
