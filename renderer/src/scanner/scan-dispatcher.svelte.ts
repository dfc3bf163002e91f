import { parseCustomerCode } from '../../../electron/contract/customer-search.ts'
import type { AppContext, BusinessContext } from '../state/app-context.svelte.ts'
import type { Scan } from './parse-scan.ts'

/** How long a message about a scan is shown: long enough to read it twice. */
const MESSAGE_DURATION_MS = 8000

/** Why nothing was done with a scan: a dialog was open, or it is not clear where the scan begins. */
export type ScanMessage = 'ignored' | 'unclear'

const readingsOf = ({ text, others }: Scan): readonly string[] => [text, ...others]

/** Sends a scan to the screen that handles it. */
export class ScanDispatcher {
  readonly #app: AppContext
  readonly #router: AppContext['router']
  readonly #businessContext: BusinessContext
  readonly #blocked: () => boolean
  /** About the last scan; null if something was done with it, or some seconds ago. */
  message = $state<ScanMessage | null>(null)
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `blocked` returns whether a dialog is open. */
  constructor(app: AppContext, businessContext: BusinessContext, blocked: () => boolean) {
    this.#app = app
    this.#router = app.router
    this.#businessContext = businessContext
    this.#blocked = blocked
  }

  /** Handles a scan: checks a code, searches anything else. null is a scan of which the beginning is not clear. */
  take(scan: Scan | null): void {
    this.#say(null)
    if (this.#blocked()) {
      this.#say('ignored')
      return
    }
    if (scan === null) {
      this.#say('unclear')
      return
    }
    const { registration } = this.#businessContext.checkout
    const atTill = this.#router.current === 'till'
    const { till } = this.#app
    const customerCode = till.offers('customer-codes/1')
      ? readingsOf(scan).find((text) => parseCustomerCode(text) !== null)
      : undefined
    if (customerCode !== undefined) {
      void this.#lookUp({ ...scan, text: customerCode, others: [] })
    } else if (scan.isUnclear) {
      void this.#lookUp(scan)
    } else if (scan.kind === 'address' || scan.kind === 'code') {
      // The till shows the result in place; an open registration is not disturbed.
      if (atTill && !registration) void this.#lookUp(scan)
      else void this.#checkCode(scan)
    } else if (atTill && registration && scan.kind === 'phone') {
      registration.phone = scan.text
    } else {
      void this.#lookUp(scan)
    }
  }

  #say(message: ScanMessage | null): void {
    clearTimeout(this.#timer)
    this.message = message
    if (message !== null) this.#timer = setTimeout(() => (this.message = null), MESSAGE_DURATION_MS)
  }

  async #lookUp(scan: Scan): Promise<void> {
    const { checkout, focus } = this.#businessContext
    const typed = checkout.search.text
    this.#router.navigate('till')
    if (checkout.registration) checkout.closeRegistration()
    focus.to('search')
    for (const reading of readingsOf(scan)) {
      checkout.search.type(reading)
      if (await checkout.chooseOnlyMatch()) return
      // The cashier has continued meanwhile.
      if (checkout.search.text !== reading) return
      if (checkout.search.result?.code) return
      if (checkout.search.result?.customers.length) {
        focus.to('results')
        return
      }
    }
    if (!scan.isUnclear) return
    checkout.search.type(typed)
    this.#say('unclear')
  }

  async #checkCode(scan: Scan): Promise<void> {
    this.#router.navigate('slips')
    const { codeCheck, focus, slips } = this.#businessContext
    slips.chosen = null
    focus.to('code')
    for (const reading of readingsOf(scan)) {
      codeCheck.type(reading)
      await codeCheck.check()
      // The cashier has continued meanwhile.
      if (codeCheck.text !== reading) return
      const { failure } = codeCheck.request
      if (failure?.kind !== 'not-found' && failure?.kind !== 'invalid-input') return
    }
  }
}
