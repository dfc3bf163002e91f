/** Input types in which a caret can be read and moved (HTML, "Do the selection APIs apply"). */
const WITH_CARET: ReadonlySet<string> = new Set(['text', 'search', 'url', 'tel', 'password'])

/** The field that is being typed into, if text can be typed into it from here. */
export function fieldTypedInto(page: Document): HTMLInputElement | null {
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
export function eraseBackwards(field: HTMLInputElement): void {
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
