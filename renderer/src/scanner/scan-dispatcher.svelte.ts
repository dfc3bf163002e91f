import type { AppContext, BusinessContext } from '../state/app-context.svelte.ts'
import type { Scan } from './parse-scan.ts'

/** How long the word about a dropped scan stays, ms: long enough to be read twice. */
const WORD_STAYS = 8000

/** Where what a scanner read goes. */
export class ScanDispatcher {
  readonly #router: AppContext['router']
  readonly #businessContext: BusinessContext
  readonly #blocked: () => boolean
  #dropped = $state(false)
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `blocked` says whether something open over the page has to be dealt with first. */
  constructor({ router }: AppContext, businessContext: BusinessContext, blocked: () => boolean) {
    this.#router = router
    this.#businessContext = businessContext
    this.#blocked = blocked
  }

  /** Whether a scan was dropped a moment ago: nothing is looked up behind a dialog. */
  get dropped(): boolean {
    return this.#dropped
  }

  /** Brings a scan where it belongs: a code is checked, everything else is looked up. */
  take(scan: Scan): void {
    clearTimeout(this.#timer)
    this.#dropped = this.#blocked()
    if (this.#dropped) {
      this.#timer = setTimeout(() => {
        this.#dropped = false
      }, WORD_STAYS)
      return
    }
    const { registration } = this.#businessContext.checkout
    const atTill = this.#router.current === 'till'
    if (scan.kind === 'address' || scan.kind === 'code') {
      // At the till what is found stands in place; a form that is being filled in is left alone.
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
      checkout.search.text = reading
      if (await checkout.chooseOnlyMatch()) return
      // The cashier went on meanwhile.
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
      codeCheck.text = reading
      await codeCheck.check()
      if (codeCheck.request.failure?.kind !== 'not-found') return
    }
  }
}
