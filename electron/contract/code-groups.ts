/** Long codes in groups of four: a customer types them from paper, and a cashier reads them from a screen. */

/** Codes of the project's own service have twelve capitals and digits. Other forms are shown as the service sent them. */
const LONG_CODE = /^(?:[\dA-Z]{4}){3,}$/
const GROUPED_CODE = /^[\dA-Z]{4}(?:[\s-]?[\dA-Z]{4}){2,}$/i

/** Returns a long code with a space after each fourth character; any other code as it is. */
export const groupedCode = (code: string): string =>
  LONG_CODE.test(code) ? code.replaceAll(/.{4}(?=.)/g, '$& ') : code

/** Returns a code that was typed in groups without what is between them; any other text as it is, trimmed. */
export function ungroupedCode(text: string): string {
  const trimmed = text.trim()
  return GROUPED_CODE.test(trimmed) ? trimmed.replaceAll(/[\s-]/g, '').toUpperCase() : trimmed
}
