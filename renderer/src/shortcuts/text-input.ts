/** Input types in which a caret can be read and moved (HTML, "Do the selection APIs apply"). */
const WITH_CARET: ReadonlySet<string> = new Set(['text', 'search', 'url', 'tel', 'password'])

/** The field that is being typed into, if text can be typed into it from here. */
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

/** Types a text into a field at its caret, as a key would: what is selected is replaced, `maxlength` holds. */
export function insertText(field: HTMLInputElement, text: string): void {
  const start = field.selectionStart ?? field.value.length
  const end = field.selectionEnd ?? field.value.length
  const longer = field.value.length - (end - start) + text.length
  if (field.maxLength >= 0 && longer > field.maxLength) return
  field.setRangeText(text, start, end, 'end')
  change(field, 'insertText', text)
}

/** Erases what is selected, or the letter before the caret. */
export function deleteBackward(field: HTMLInputElement): void {
  const end = field.selectionEnd ?? field.value.length
  const start = field.selectionStart ?? end
  const from = start === end ? Math.max(0, start - 1) : start
  if (from === end) return
  field.setRangeText('', from, end, 'end')
  change(field, 'deleteContentBackward', null)
}

/** Empties a field. */
export function clearField(field: HTMLInputElement): void {
  if (field.value === '') return
  field.value = ''
  change(field, 'deleteContentBackward', null)
}

/** Does what the Enter key would do where the focus is: what the field says, else send its form, else press the button. */
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
 * The character that a key of the numpad stands for, where the keyboard says something else: with NumLock off the
 * numpad moves the caret, and a cashier who types points without looking notices too late. At a till it types digits,
 * always; the arrow keys beside it move. Null for every other key, and where the keyboard types the character itself.
 *
 * @param decimal the sign before the decimals in the language of the screen
 */
export function numpadCharacter(
  { code, key, ctrlKey, altKey, metaKey, shiftKey }: KeyboardEvent,
  decimal: string
): string | null {
  if (ctrlKey || altKey || metaKey || shiftKey || key.length === 1) return null
  if (code === 'NumpadDecimal') return decimal
  return /^Numpad(\d)$/u.exec(code)?.[1] ?? null
}
