import type { Attachment } from 'svelte/attachments'

/**
 * The elements that can be focused by name. `bill-or-points` is the bill amount where points are calculated from it,
 * otherwise the points.
 */
export type FocusTarget = 'search' | 'results' | 'bill-or-points' | 'points' | 'registration' | 'code'

/**
 * Moves the focus to an element by name, also if that element is rendered later. The text in the element is
 * selected, so that typing replaces it.
 */
export class FocusController {
  #pending = $state<FocusTarget | null>(null)

  /** The target that is not rendered yet; null if there is none. */
  get pending(): FocusTarget | null {
    return this.#pending
  }

  to(target: FocusTarget): void {
    this.#pending = target
  }

  /** Attaches the targets to an element. */
  target(...targets: readonly FocusTarget[]): Attachment<HTMLElement> {
    return this.#attach(targets, (element) => {
      element.focus()
      if (element instanceof HTMLInputElement) element.select()
    })
  }

  /** Attaches a target to a container: `enter` moves the focus inside it. */
  entry(target: FocusTarget, enter: (element: HTMLElement) => void): Attachment<HTMLElement> {
    return this.#attach([target], enter)
  }

  #attach(targets: readonly FocusTarget[], focus: (element: HTMLElement) => void): Attachment<HTMLElement> {
    return (element) => {
      if (this.#pending === null || !targets.includes(this.#pending)) return
      this.#pending = null
      focus(element)
    }
  }
}
