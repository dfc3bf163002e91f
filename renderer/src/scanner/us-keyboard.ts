/**
 * The characters of a US keyboard by `KeyboardEvent.code`, without and with Shift: scanners emulate it (UI Events
 * KeyboardEvent code Values, "Writing System Keys"; ANSI layout).
 */
const PAIRS: Readonly<Partial<Record<string, string>>> = {
  Backquote: '`~',
  Minus: '-_',
  Equal: '=+',
  BracketLeft: '[{',
  BracketRight: ']}',
  Backslash: '\\|',
  Semicolon: ';:',
  Quote: '\'"',
  Comma: ',<',
  Period: '.>',
  Slash: '/?',
  Space: '  ',
  Digit1: '1!',
  Digit2: '2@',
  Digit3: '3#',
  Digit4: '4$',
  Digit5: '5%',
  Digit6: '6^',
  Digit7: '7&',
  Digit8: '8*',
  Digit9: '9(',
  Digit0: '0)',
  NumpadDecimal: '..',
  NumpadAdd: '++',
  NumpadSubtract: '--',
  NumpadMultiply: '**',
  NumpadDivide: '//'
}

/** Returns the character that a key types on a US keyboard; null if it types none. */
export function usKeyboardCharacter(code: string, shift: boolean): string | null {
  const letter = /^Key([A-Z])$/u.exec(code)?.[1]
  if (letter !== undefined) return shift ? letter : letter.toLowerCase()
  const digit = /^Numpad(\d)$/u.exec(code)?.[1]
  if (digit !== undefined) return digit
  return PAIRS[code]?.[shift ? 1 : 0] ?? null
}
