import type { House, Workplace } from '../state/workplace.svelte.ts'
import type { Scan } from './reading.ts'

/** How long the word about a dropped scan stays, ms: long enough to be read twice. */
const WORD_STAYS = 8000

/** Where what a scanner read goes. */
export class Scans {
  readonly #places: House['places']
  readonly #workplace: Workplace
  readonly #blocked: () => boolean
  #dropped = $state(false)
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `blocked` says whether something open over the page has to be dealt with first. */
  constructor({ places }: House, workplace: Workplace, blocked: () => boolean) {
    this.#places = places
    this.#workplace = workplace
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
    const { registration } = this.#workplace.counter
    const atTill = this.#places.here === 'till'
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
    const { counter, focus } = this.#workplace
    this.#places.go('till')
    if (counter.registration) counter.closeRegistration()
    focus.to('search')
    for (const reading of other === null ? [text] : [text, other]) {
      counter.find.text = reading
      if (await counter.chooseOnly()) return
      // The cashier went on meanwhile.
      if (counter.find.text !== reading) return
      if (counter.find.finding?.code) return
      if (counter.find.finding?.customers.length) {
        focus.to('results')
        return
      }
    }
  }

  async #checkCode({ text, other }: Scan): Promise<void> {
    this.#places.go('slips')
    const { focus } = this.#workplace
    const { codeCheck, slips } = await this.#workplace.reachElsewhere()
    slips.chosen = null
    focus.to('code')
    for (const reading of other === null ? [text] : [text, other]) {
      codeCheck.text = reading
      await codeCheck.check()
      if (codeCheck.asking.failure?.kind !== 'not-found') return
    }
  }
}
