import type { Attachment } from 'svelte/attachments'

/**
 * Where the focus can be asked to go, whatever is on the screen now: `figures` is what the cashier types next for a
 * customer, the bill where points follow from it, and the points otherwise.
 */
export type FocusTarget = 'search' | 'results' | 'figures' | 'points' | 'registration' | 'code'

/**
 * Where the cashier's hands go next. State and commands ask for a target; the element that is this target takes the
 * focus as soon as it is there, and what stands in it is selected, so that typing replaces it.
 */
export class FocusController {
  #wanted = $state<FocusTarget | null>(null)

  /** What was asked for and is not there yet. */
  get wanted(): FocusTarget | null {
    return this.#wanted
  }

  to(target: FocusTarget): void {
    this.#wanted = target
  }

  /** Makes an element one of the targets. */
  takes(...targets: readonly FocusTarget[]): Attachment<HTMLElement> {
    return this.#answers(targets, (element) => {
      element.focus()
      if (element instanceof HTMLInputElement) element.select()
    })
  }

  /** Makes an element the way to a target that is inside it: `enter` brings the focus there. */
  leadsTo(target: FocusTarget, enter: (element: HTMLElement) => void): Attachment<HTMLElement> {
    return this.#answers([target], enter)
  }

  #answers(targets: readonly FocusTarget[], focus: (element: HTMLElement) => void): Attachment<HTMLElement> {
    return (element) => {
      if (this.#wanted === null || !targets.includes(this.#wanted)) return
      this.#wanted = null
      focus(element)
    }
  }
}
