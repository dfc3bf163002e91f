/** Handlers of `bridge.customerDisplay`. */
import type { Handlers } from '../../contract/bridge.ts'
import type { CustomerScreen } from '../../contract/customer-display.ts'
import { ok } from '../../contract/failure.ts'
import type { Lazy } from '../lazy.ts'
import type { CustomerDisplay } from '../customer-display/customer-display.ts'

interface CustomerDisplayHandlersDependencies {
  readonly display: Pick<
    CustomerDisplay,
    'setServedCustomer' | 'previews' | 'askForPhone' | 'stopAskingForPhone'
  >
  readonly window: { screens(): readonly CustomerScreen[]; showNumbers(): void }
  /** opened with the module that draws QR codes: a preview without it would have none */
  readonly qrDrawing: Pick<Lazy<unknown>, 'get'>
}

/**
 * Returns the handlers of `bridge.customerDisplay`: the served customer, the phone that the customer types, the screens, and the
 * previews in the settings.
 */
export const createCustomerDisplayHandlers = ({
  display,
  window,
  qrDrawing
}: CustomerDisplayHandlersDependencies): Handlers<'customerDisplay'> => ({
  serving(customer) {
    display.setServedCustomer(customer?.customerId ?? null)
    return ok(null)
  },
  screens: () => ok(window.screens()),
  showNumbers() {
    window.showNumbers()
    return ok(null)
  },
  async previews() {
    await qrDrawing.get()
    return ok(display.previews())
  },
  askForPhone() {
    display.askForPhone()
    return ok(null)
  },
  stopAskingForPhone() {
    display.stopAskingForPhone()
    return ok(null)
  }
})
