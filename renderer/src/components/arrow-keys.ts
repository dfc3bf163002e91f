import type { Attachment } from 'svelte/attachments'

/** The buttons of a list, in order. */
const buttonsOf = (list: HTMLElement): HTMLButtonElement[] => [
  ...list.querySelectorAll<HTMLButtonElement>('li button')
]

/** Moves the focus into a list, to its first button. */
export const enterList = (list: HTMLElement | undefined): void => {
  if (list) buttonsOf(list)[0]?.focus()
}

/**
 * Lets the arrow keys, Home and End move the focus among the buttons of a list. `leave` is called for the arrow that
 * goes up from the first.
 */
export function arrowKeys(leave?: () => void): Attachment<HTMLElement> {
  return (list) => {
    const move = (event: KeyboardEvent): void => {
      const buttons = buttonsOf(list)
      const here = buttons.findIndex((button) => button === document.activeElement)
      const target = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: buttons.length - 1 }[event.key]
      if (target === undefined) return
      event.preventDefault()
      if (target < 0) leave?.()
      else buttons[target]?.focus()
    }
    list.addEventListener('keydown', move)
    return () => {
      list.removeEventListener('keydown', move)
    }
  }
}
