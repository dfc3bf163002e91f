/** The customer display: its window, and what it shows. */
import type { Lazy } from '../lazy.ts'
import { chooseDisplayScreen, CustomerDisplay, type QrDrawer } from '../customer-display/customer-display.ts'
import { CustomerDisplayWindow, handleCustomerDisplayIpc } from '../platform/customer-display-window.ts'
import { sendTypedPhone } from '../platform/ipc.ts'
import { systemClock } from '../session/reachability.ts'
import type { SessionServices, TillContext } from './session.ts'

export interface CustomerDisplayServicesDependencies extends TillContext {
  readonly sessionServices: SessionServices
  readonly qr: Pick<Lazy<QrDrawer>, 'opened'>
}

/** Creates the display without opening it; `window.start` does. */
export function createCustomerDisplayServices(dependencies: CustomerDisplayServicesDependencies) {
  const { paths, persistence, sessionServices, qr, changes, now, log } = dependencies
  const { settings, staff, languages } = persistence
  const { session, country, images, catalogue } = sessionServices
  const window = new CustomerDisplayWindow({
    preload: paths.customerDisplayPreload,
    settings,
    chooseScreen: chooseDisplayScreen,
    onChange: changes.emitChanged,
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
    clock: systemClock,
    sendTypedPhone
  })
  handleCustomerDisplayIpc()
  return { display, window }
}

export type CustomerDisplayServices = ReturnType<typeof createCustomerDisplayServices>
