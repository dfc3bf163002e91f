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
