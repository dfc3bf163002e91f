import type { Checkout } from './checkout.svelte.ts'
import type { FocusController, Router } from './navigation.svelte.ts'
import type { Till } from './till.svelte.ts'

/** The steps of the tour, in the order of a sale. Each points at the element with its name in `data-tour`. */
export const TOUR_STEPS = ['find', 'points', 'print', 'slips'] as const
export type TourStep = (typeof TOUR_STEPS)[number]

/** The guided tour: shown once on a new till, and on request. Any other input ends it. */
export class GuidedTour {
  readonly #till: Till
  readonly #router: Router
  readonly #checkout: Pick<Checkout, 'showSale'>
  readonly #focus: FocusController
  #index = $state<number | null>(null)

  constructor(till: Till, router: Router, checkout: Pick<Checkout, 'showSale'>, focus: FocusController) {
    this.#till = till
    this.#router = router
    this.#checkout = checkout
    this.#focus = focus
  }

  /** The current step; null if the tour is not running. */
  get step(): TourStep | null {
    return this.#index === null ? null : (TOUR_STEPS[this.#index] ?? null)
  }

  /** The number of the current step, from 1. */
  get number(): number {
    return (this.#index ?? 0) + 1
  }

  get isLast(): boolean {
    return this.#index === TOUR_STEPS.length - 1
  }

  start(): void {
    this.#router.navigate('till')
    // Its cards would cover the results, and those of the sale would have nothing to point at.
    this.#checkout.showSale()
    // A card may cover what had the focus before, which a closed dialog returns.
    this.#focus.to('search')
    this.#index = 0
  }

  /** Moves to the next step; after the last one the tour ends. */
  next(): void {
    if (this.#index === null) return
    if (this.isLast) this.end()
    else this.#index++
  }

  /** Ends the tour when the cashier types, presses a key of the till, or activates a control outside the tour's card. */
  endOnWork(event: Event): void {
    const { target, type } = event
    if (!(target instanceof Element) || target.closest('[data-tour-card]')) return
    const isWork =
      event instanceof KeyboardEvent
        ? /^(?:F\d+|Escape)$/u.test(event.key)
        : type === 'input' || target.closest('a, button, input, select, summary') !== null
    if (isWork) this.end()
  }

  /** Ends the tour. It is not shown again by itself. */
  end(): void {
    if (this.#index === null) return
    this.#index = null
    if (this.#till.state?.settings.tourSeen === false) void this.#till.set({ tourSeen: true })
  }
}
