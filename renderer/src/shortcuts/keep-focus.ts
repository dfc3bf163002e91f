/** Whether something is open over the page that has to be dealt with first. */
export const isDialogOpen = (page: Document): boolean =>
  page.querySelector('[role="dialog"], [role="alertdialog"]') !== null

/** Where the focus goes when what had it is gone: what a place calls its home, else the first thing to type in or press. */
const HOMES = [
  'main [data-home]',
  'main input[type="search"]',
  'main input:not(:disabled)',
  'main button:not(:disabled)',
  'nav a[aria-current]'
]

const homeOf = (page: Document): HTMLElement | null => {
  for (const home of HOMES) {
    const element = page.querySelector<HTMLElement>(home)
    if (element) return element
  }
  return null
}

const isLost = (page: Document): boolean => page.activeElement === null || page.activeElement === page.body

/** Whether a screen is being loaded: its first element gets the focus once it is there. */
const isLoading = (page: Document): boolean => page.querySelector('main [aria-busy="true"]') !== null

/** Text that a person is marking, to copy it, is left alone. */
const isMarking = (page: Document): boolean => page.getSelection()?.isCollapsed === false

/**
 * Keeps the focus on something: a button that is gone or can't be pressed any more, or a tap on an empty place, would
 * leave it nowhere, and the next key with it. It goes back to where it was, or to the home of the place. Gives what
 * ends the keeping.
 *
 * @param resting whether to leave it alone for now: the till is locked, and what covers it sees to the focus
 */
export function keepFocus(page: Window, resting: () => boolean): () => void {
  const { document } = page
  let last: Element | null = null
  let planned: ReturnType<typeof setTimeout> | undefined
  /** a finger, or the mouse, is down: what it began is not over */
  let pressed = false

  const restore = (): void => {
    planned = undefined
    if (
      pressed ||
      !isLost(document) ||
      isDialogOpen(document) ||
      isLoading(document) ||
      isMarking(document) ||
      resting()
    )
      return
    if (last instanceof HTMLElement && last.isConnected) last.focus({ preventScroll: true })
    if (isLost(document)) homeOf(document)?.focus({ preventScroll: true })
  }
  // After whatever else wants the focus has had its turn.
  const look = (): void => {
    planned ??= setTimeout(restore)
  }
  const remember = (): void => {
    last = document.activeElement
  }
  const press = (): void => {
    pressed = true
  }
  const release = (): void => {
    pressed = false
    look()
  }

  const observer = new MutationObserver(() => {
    if (isLost(document)) look()
  })
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled', 'hidden'] })
  document.addEventListener('focusin', remember)
  document.addEventListener('focusout', look)
  document.addEventListener('pointerdown', press)
  document.addEventListener('pointerup', release)
  document.addEventListener('pointercancel', release)
  return () => {
    clearTimeout(planned)
    observer.disconnect()
    document.removeEventListener('focusin', remember)
    document.removeEventListener('focusout', look)
    document.removeEventListener('pointerdown', press)
    document.removeEventListener('pointerup', release)
    document.removeEventListener('pointercancel', release)
  }
}
