/** Whether a dialog is open. */
export const isDialogOpen = (page: Document): boolean =>
  page.querySelector('[role="dialog"], [role="alertdialog"]') !== null

/**
 * Where the focus goes if the focused element is gone: the `data-home` of a screen, otherwise its first field or
 * button.
 */
const HOME_SELECTORS = [
  'main [data-home]',
  'main input[type="search"]',
  'main input:not(:disabled)',
  'main button:not(:disabled)',
  'nav a[aria-current]'
]

const homeOf = (page: Document): HTMLElement | null => {
  for (const home of HOME_SELECTORS) {
    const element = page.querySelector<HTMLElement>(home)
    if (element) return element
  }
  return null
}

const isLost = (page: Document): boolean => page.activeElement === null || page.activeElement === page.body

/** Whether a screen is loading. Its elements take the focus once they are rendered. */
const isLoading = (page: Document): boolean => page.querySelector('main [aria-busy="true"]') !== null

/** Whether text is selected, to be copied. */
const isMarking = (page: Document): boolean => page.getSelection()?.isCollapsed === false

/**
 * Keeps the focus on an element: a removed or disabled button, or a click on an empty area, would leave the focus
 * nowhere, and the next key would be lost. The focus returns to the last element or to the home of the screen.
 * Returns a function that stops. `paused` returns whether to leave the focus alone: the lock screen manages its
 * own.
 */
export function keepFocus(page: Window, paused: () => boolean): () => void {
  const { document } = page
  let last: Element | null = null
  let planned: ReturnType<typeof setTimeout> | undefined
  /** the pointer is down: the click is not finished */
  let pressed = false

  const restore = (): void => {
    planned = undefined
    if (
      pressed ||
      !isLost(document) ||
      isDialogOpen(document) ||
      isLoading(document) ||
      isMarking(document) ||
      paused()
    )
      return
    if (last instanceof HTMLElement && last.isConnected) last.focus({ preventScroll: true })
    if (isLost(document)) homeOf(document)?.focus({ preventScroll: true })
  }
  // After all other handlers that move the focus.
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
