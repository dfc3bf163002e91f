import type { Router } from './router.svelte.ts'
import type { Till } from './till.svelte.ts'

/** The first steps, in the order of a sale. Each stands at the control that bears its name as `data-tour`. */
export const TOUR_STEPS = ['find', 'points', 'print', 'slips'] as const
export type TourStep = (typeof TOUR_STEPS)[number]

/** The first steps: shown once to a new till, and whenever somebody asks. Any work ends them. */
export class GuidedTour {
  readonly #till: Till
  readonly #router: Router
  #at = $state<number | null>(null)

  constructor(till: Till, router: Router) {
    this.#till = till
    this.#router = router
  }

  /** The step in sight; null while there is none. */
  get step(): TourStep | null {
    return this.#at === null ? null : (TOUR_STEPS[this.#at] ?? null)
  }

  /** Its number, from 1. */
  get number(): number {
    return (this.#at ?? 0) + 1
  }

  get isLast(): boolean {
    return this.#at === TOUR_STEPS.length - 1
  }

  start(): void {
    this.#router.navigate('till')
    this.#at = 0
  }

  /** To the next step; after the last one it is over. */
  next(): void {
    if (this.#at === null) return
    if (this.isLast) this.end()
    else this.#at++
  }

  /** Over, or skipped: it does not come again by itself. */
  end(): void {
    if (this.#at === null) return
    this.#at = null
    if (this.#till.state?.settings.tourSeen === false) void this.#till.set({ tourSeen: true })
  }
}
