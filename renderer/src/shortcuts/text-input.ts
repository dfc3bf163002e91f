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
