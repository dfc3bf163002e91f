/** Handlers of `bridge.customerDisplay`. */
import type { Api } from '../../contract/bridge.ts'
import type { CustomerDisplayView, CustomerScreen } from '../../contract/customer-display.ts'
import { ok, type Result } from '../../contract/failure.ts'
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

/** The served customer, the phone that the customer types, the screens, and the previews in the settings. */
export class CustomerDisplayHandlers implements Api<'customerDisplay'> {
  readonly #dependencies: CustomerDisplayHandlersDependencies

  constructor(dependencies: CustomerDisplayHandlersDependencies) {
    this.#dependencies = dependencies
  }

  serving(input: { customerId: string } | null): Promise<Result<null>> {
    this.#dependencies.display.setServedCustomer(input?.customerId ?? null)
    return Promise.resolve(ok(null))
  }

  screens(): Promise<Result<readonly CustomerScreen[]>> {
    return Promise.resolve(ok(this.#dependencies.window.screens()))
  }

  showNumbers(): Promise<Result<null>> {
    this.#dependencies.window.showNumbers()
    return Promise.resolve(ok(null))
  }

  async previews(): Promise<Result<readonly CustomerDisplayView[]>> {
    const { display, qrDrawing } = this.#dependencies
    await qrDrawing.get()
    return ok(display.previews())
  }

  askForPhone(): Promise<Result<null>> {
    this.#dependencies.display.askForPhone()
    return Promise.resolve(ok(null))
  }

  stopAskingForPhone(): Promise<Result<null>> {
    this.#dependencies.display.stopAskingForPhone()
    return Promise.resolve(ok(null))
  }
}
