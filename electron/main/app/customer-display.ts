/** The customer display: its window, and what it shows. */
import type { Lazy } from '../lazy.ts'
import { chooseDisplayScreen, CustomerDisplay, type QrDrawer } from '../customer-display/customer-display.ts'
import type { Logger } from '../log/log.ts'
import { CustomerDisplayWindow, handleCustomerDisplayIpc } from '../platform/customer-display-window.ts'
import type { AppPaths } from '../platform/paths.ts'
import { systemClock } from '../session/reachability.ts'
import type { Persistence } from './persistence.ts'
import type { SessionServices } from './session.ts'

export interface CustomerDisplayServicesDependencies {
  readonly paths: AppPaths
  readonly persistence: Persistence
  readonly sessionServices: SessionServices
  readonly qr: Pick<Lazy<QrDrawer>, 'opened'>
  /** called when the display opened, closed, or the screens changed */
  readonly onChange: () => void
  readonly now: () => Date
  readonly log: Logger
}

/** Creates the display without opening it; `window.start` does. */
export function createCustomerDisplayServices(dependencies: CustomerDisplayServicesDependencies) {
  const { paths, persistence, sessionServices, qr, onChange, now, log } = dependencies
  const { settings, staff, languages } = persistence
  const { session, country, images, catalogue } = sessionServices
  const window = new CustomerDisplayWindow({
    preload: paths.customerDisplayPreload,
    settings,
    chooseScreen: chooseDisplayScreen,
    onChange,
    now,
    log
  })
  const display = new CustomerDisplay({
    session,
    settings,
    staff,
    languages,
    country,
    images,
    catalogue,
    qr,
    window,
    clock: systemClock
  })
  handleCustomerDisplayIpc()
  return { display, window }
}

export type CustomerDisplayServices = ReturnType<typeof createCustomerDisplayServices>
