/** The customer display: its window, and what it shows. */
import { nativeTheme } from 'electron'
import type { QrDrawing } from '../../contract/slips.ts'
import { chooseDisplayScreen, CustomerDisplay } from '../customer-display/customer-display.ts'
import type { Logger } from '../log/log.ts'
import { CustomerDisplayWindow, handleCustomerDisplayIpc } from '../platform/customer-display-window.ts'
import type { AppPaths } from '../platform/paths.ts'
import type { Persistence } from './persistence.ts'
import type { SessionServices } from './session.ts'

export interface CustomerDisplayServicesDependencies {
  readonly paths: AppPaths
  readonly persistence: Persistence
  readonly sessionServices: SessionServices
  /** null while the module that draws QR codes is not loaded */
  readonly drawQr: (url: string) => QrDrawing | null
  /** called when the display opened, closed, or the screens changed */
  readonly onChange: () => void
  readonly now: () => Date
  readonly log: Logger
}

/** Creates the display without opening it; `window.start` does. */
export function createCustomerDisplayServices(dependencies: CustomerDisplayServicesDependencies) {
  const { paths, persistence, sessionServices, drawQr, onChange, now, log } = dependencies
  const window = new CustomerDisplayWindow({
    preload: paths.customerDisplayPreload,
    isDark: () => nativeTheme.shouldUseDarkColors,
    setting: () => persistence.settings.values.customerDisplay,
    chooseScreen: chooseDisplayScreen,
    onChange,
    now,
    log
  })
  const display = new CustomerDisplay({
    state: sessionServices.serviceState,
    affordable: (balance) => sessionServices.catalogue.affordable(balance),
    drawQr,
    isShown: () => window.isOpen(),
    onChange: (view) => window.send(view),
    now,
    setTimer: (seconds, callback) => {
      const timer = setTimeout(callback, seconds * 1000)
      return () => clearTimeout(timer)
    }
  })
  handleCustomerDisplayIpc()
  return { display, window }
}

export type CustomerDisplayServices = ReturnType<typeof createCustomerDisplayServices>
