import type { AppContext, BusinessContext } from '../state/app-context.svelte.ts'
import type { Scan } from './parse-scan.ts'

/** How long the message about an ignored scan is shown: long enough to read it twice. */
const MESSAGE_DURATION_MS = 8000

/** Sends a scan to the screen that handles it. */
export class ScanDispatcher {
  readonly #router: AppContext['router']
  readonly #businessContext: BusinessContext
  readonly #blocked: () => boolean
  #dropped = $state(false)
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `blocked` returns whether a dialog is open. */
  constructor({ router }: AppContext, businessContext: BusinessContext, blocked: () => boolean) {
    this.#router = router
    this.#businessContext = businessContext
    this.#blocked = blocked
  }

  /** Whether a scan was ignored just now, because a dialog was open. */
  get dropped(): boolean {
    return this.#dropped
  }

  /** Handles a scan: checks a code, searches anything else. */
  take(scan: Scan): void {
    clearTimeout(this.#timer)
    this.#dropped = this.#blocked()
    if (this.#dropped) {
      this.#timer = setTimeout(() => {
        this.#dropped = false
      }, MESSAGE_DURATION_MS)
      return
    }
    const { registration } = this.#businessContext.checkout
    const atTill = this.#router.current === 'till'
    if (scan.kind === 'address' || scan.kind === 'code') {
      // The till shows the result in place; an open registration is not disturbed.
      if (atTill && !registration) void this.#lookUp(scan)
      else void this.#checkCode(scan)
    } else if (atTill && registration && scan.kind === 'phone') {
      registration.phone = scan.text
    } else {
      void this.#lookUp(scan)
    }
  }

  async #lookUp({ text, other }: Scan): Promise<void> {
    const { checkout, focus } = this.#businessContext
    this.#router.navigate('till')
    if (checkout.registration) checkout.closeRegistration()
    focus.to('search')
    for (const reading of other === null ? [text] : [text, other]) {
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
  }

  async #checkCode({ text, other }: Scan): Promise<void> {
    this.#router.navigate('slips')
    const { codeCheck, focus, slips } = this.#businessContext
    slips.chosen = null
    focus.to('code')
    for (const reading of other === null ? [text] : [text, other]) {
      codeCheck.type(reading)
      await codeCheck.check()
      const { failure } = codeCheck.request
      if (failure?.kind !== 'not-found' && failure?.kind !== 'invalid-input') return
    }
  }
}
