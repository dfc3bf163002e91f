/** Returns the innermost open dialog. */
const openDialog = (page: Document): HTMLElement | undefined =>
  [...page.querySelectorAll<HTMLElement>('[role="dialog"], [role="alertdialog"]')].at(-1)

/** Whether a dialog is open. */
export const isDialogOpen = (page: Document): boolean => openDialog(page) !== undefined

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

/** The frame of a dialog has no meaning for any key but Escape and Tab. */
const isLost = ({ activeElement, body }: Document): boolean =>
  activeElement === null ||
  activeElement === body ||
  activeElement.matches('[role="dialog"], [role="alertdialog"]')

/**
 * Whether a screen is loading: its elements take the focus once they are rendered. Rows that load within a screen may take as
 * long as the service does.
 */
const isLoading = (page: Document): boolean => page.querySelector('main > [aria-busy="true"]') !== null

/** Whether text is selected, to be copied. */
const isMarking = (page: Document): boolean => page.getSelection()?.isCollapsed === false

/**
 * Keeps the focus on an element: a removed or disabled button, or a click on an empty area, would leave the focus
 * nowhere, and the next key would be lost. The focus returns to the last element or to the home of the screen. In a dialog
 * its frame has the focus until the last element can take it again: the next one may do what was not meant.
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
    if (pressed || !isLost(document) || isMarking(document) || paused()) return
    const dialog = openDialog(document)
    if (!dialog && isLoading(document)) return
    if (last instanceof HTMLElement && last.isConnected && (dialog?.contains(last) ?? true))
      last.focus({ preventScroll: true })
    if (isLost(document)) (dialog ?? homeOf(document))?.focus({ preventScroll: true })
  }
  // After all other handlers that move the focus.
  const look = (): void => {
    planned ??= setTimeout(restore)
  }
  const remember = (): void => {
    if (!isLost(document)) last = document.activeElement
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

/**
 * Moves the focus to `target()` once `done` has resolved. Where the user pressed a key or the pointer meanwhile, an element keeps
 * the focus: what is typed is for that one. A key that is held counts once, when it is pressed.
 */
export async function focusAfter(
  page: Document,
  done: Promise<unknown>,
  target: () => HTMLElement | undefined
): Promise<void> {
  const presses = new AbortController()
  const { signal } = presses
  const press = (event: Event): void => {
    if (!(event instanceof KeyboardEvent && event.repeat)) presses.abort()
  }
  for (const type of ['pointerdown', 'keydown']) page.addEventListener(type, press, { capture: true, signal })
  await done
  if (!signal.aborted || isLost(page)) target()?.focus()
  presses.abort()
}

/** Attaches to keys on the screen, or to what is beside a dialog: a press takes no focus from the field. */
export const keepsFocus = (element: HTMLElement): void => {
  element.addEventListener('mousedown', (event) => {
    event.preventDefault()
  })
}

/** Input types with a text selection (HTML, "Do the selection APIs apply"). */
const WITH_CARET: ReadonlySet<string> = new Set(['text', 'search', 'url', 'tel', 'password'])

/** Returns the focused field if text can be inserted into it. */
export function focusedTextField(page: Document): HTMLInputElement | null {
  const element = page.activeElement
  const typed =
    element instanceof HTMLInputElement &&
    WITH_CARET.has(element.type) &&
    !element.readOnly &&
    !element.disabled
  return typed ? element : null
}

const change = (field: HTMLInputElement, inputType: string, data: string | null): void => {
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType, data }))
}

/** Inserts text at the caret, as typing does: a selection is replaced, and `maxlength` applies. */
export function insertText(field: HTMLInputElement, text: string): void {
  const start = field.selectionStart ?? field.value.length
  const end = field.selectionEnd ?? field.value.length
  const longer = field.value.length - (end - start) + text.length
  if (field.maxLength >= 0 && longer > field.maxLength) return
  field.setRangeText(text, start, end, 'end')
  change(field, 'insertText', text)
}

/** Deletes the selection, or the character before the caret. */
export function deleteBackward(field: HTMLInputElement): void {
  const end = field.selectionEnd ?? field.value.length
  const start = field.selectionStart ?? end
  const from = start === end ? Math.max(0, start - 1) : start
  if (from === end) return
  field.setRangeText('', from, end, 'end')
  change(field, 'deleteContentBackward', null)
}

/** Clears a field. */
export function clearField(field: HTMLInputElement): void {
  if (field.value === '') return
  field.value = ''
  change(field, 'deleteContentBackward', null)
}

/**
 * Does what the Enter key does: fires the field's handler, otherwise submits its form, or clicks the focused
 * button.
 */
export function pressEnter(page: Document): void {
  const field = focusedTextField(page)
  if (!field) {
    if (page.activeElement instanceof HTMLButtonElement) page.activeElement.click()
    return
  }
  const key = new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true })
  if (field.dispatchEvent(key)) field.form?.requestSubmit()
}

/**
 * Returns the character of a numpad key if the keyboard does not produce it: with NumLock off the numpad moves the
 * caret, and a cashier who types without looking notices too late. Here the numpad always types digits. Returns
 * null for any other key. `decimal` is the decimal separator of the screen's locale.
 */
export function numpadCharacter(
  { code, key, ctrlKey, altKey, metaKey, shiftKey }: KeyboardEvent,
  decimal: string
): string | null {
  if (ctrlKey || altKey || metaKey || shiftKey || key.length === 1) return null
  if (code === 'NumpadDecimal') return decimal
  return /^Numpad(\d)$/u.exec(code)?.[1] ?? null
}
