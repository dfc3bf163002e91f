import { MAX_QUICK_KEYS, MAX_QUICK_POINTS } from '../../../electron/contract/points-calculation.ts'
import { parsePoints } from '../format/numbers.ts'
import type { Till } from './till.svelte.ts'

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
