/** The customer display, as the till's page steers it. */
import { ok } from '../../contract/failure.ts'
import type { CustomerDisplay } from '../customer-display/customer-display.ts'
import type { Use } from '../lazy.ts'
import type { CustomerDisplayWindow } from '../platform/customer-display/window.ts'
import type { Answers } from '../platform/ipc.ts'

/**
 * Answers the calls of `bridge.customerDisplay`.
 *
 * @param drawing opened before a preview is drawn: without it there are no codes
 */
export function customerDisplayAnswers(
  display: Pick<CustomerDisplay, 'serving' | 'previews'>,
  window: Pick<CustomerDisplayWindow, 'screens' | 'showNumbers'>,
  drawing: Use<unknown>
): Answers['customerDisplay'] {
  return {
    serving(input) {
      display.serving(input?.customerId ?? null)
      return Promise.resolve(ok(null))
    },
    screens: () => Promise.resolve(ok(window.screens())),
    showNumbers() {
      window.showNumbers()
      return Promise.resolve(ok(null))
    },
    async previews() {
      await drawing()
      return ok(display.previews())
    }
  }
}
