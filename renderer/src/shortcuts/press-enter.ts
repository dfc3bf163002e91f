import { fieldTypedInto } from './insert-text.ts'

/** Does what the Enter key would do where the focus is: what the field says, else send its form, else press the button. */
export function pressEnter(page: Document): void {
  const field = fieldTypedInto(page)
  if (!field) {
    if (page.activeElement instanceof HTMLButtonElement) page.activeElement.click()
    return
  }
  const key = new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true })
  if (field.dispatchEvent(key)) field.form?.requestSubmit()
}
