import { MAX_QUICK_KEYS, MAX_QUICK_POINTS } from '../../../electron/contract/points-calculation.ts'
import { parsePoints } from '../format/numbers.ts'
import type { Checkout } from './checkout.svelte.ts'
import type { RecentSlips } from './recent-slips.svelte.ts'
import type { Till } from './till.svelte.ts'

/** The quick keys beside the points: those of the settings add points, the others take an amount that was issued last. */
export class QuickPoints {
  readonly #till: Till
  readonly #checkout: Checkout
  readonly #recentSlips: RecentSlips

  constructor(till: Till, checkout: Checkout, recentSlips: RecentSlips) {
    this.#till = till
    this.#checkout = checkout
    this.#recentSlips = recentSlips
  }

  /** Whether they are shown: not where the points come from a bill. */
  get shown(): boolean {
    return this.#till.earningRule === null && this.#checkout.form.linkedBill === null
  }

  /** What each key of the settings adds. */
  get additions(): readonly number[] {
    return this.#till.state?.settings.quickPoints ?? []
  }

  /** The amounts that were issued last. */
  get last(): readonly number[] {
    return this.#recentSlips.lastPoints
  }

  /** Adds the points of a key. Does nothing for a key that is not shown. */
  add(index: number): void {
    this.#press(this.additions[index], (points) => {
      this.#checkout.form.addPoints(points)
    })
  }

  /** Replaces the points by those of a key. Does nothing for a key that is not shown. */
  takeLast(index: number): void {
    this.#press(this.last[index], (points) => {
      this.#checkout.form.typePoints(String(points))
    })
  }

  /** Does nothing while a slip is issued either: the points would be of the next one. */
  #press(points: number | undefined, change: (points: number) => void): void {
    const { focus, form, registration, search } = this.#checkout
    if (points === undefined || !this.shown || registration || search.active || form.running) return
    change(points)
    focus.to('points')
  }
}

/** The form of the quick keys: one field for each. */
export class QuickPointsForm {
  readonly #till: Till
  /** what each key adds, as typed; empty: there is no such key */
  readonly texts = $state<string[]>(Array.from({ length: MAX_QUICK_KEYS }, () => ''))
  /** The field that was invalid at the last attempt to save; null if there was none. */
  fault = $state<number | null>(null)

  constructor(till: Till) {
    this.#till = till
    for (const [index, points] of this.#saved.entries()) this.texts[index] = String(points)
  }

  /** Whether the form differs from the settings. */
  get unsaved(): boolean {
    return this.#parsed.filter((points) => points !== null).join() !== this.#saved.join()
  }

  /** Saves the keys, or sets `fault` if a field is invalid. */
  async save(): Promise<void> {
    const fault = this.#parsed.indexOf(undefined)
    this.fault = fault === -1 ? null : fault
    if (fault === -1) await this.#till.set({ quickPoints: this.#parsed.flatMap((points) => points ?? []) })
  }

  get #saved(): readonly number[] {
    return this.#till.state?.settings.quickPoints ?? []
  }

  /** One for each field: its points, null for an empty one, undefined for an invalid one. */
  get #parsed(): readonly (number | null | undefined)[] {
    return this.texts.map((text) => {
      if (text.trim() === '') return null
      const points = parsePoints(text)
      return points.ok && points.value <= MAX_QUICK_POINTS ? points.value : undefined
    })
  }
}
