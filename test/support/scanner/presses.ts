/** Key presses of a barcode scanner, which sends US key codes, on machines with other keyboard layouts. */
import { usKeyboardCharacter } from '../../../renderer/src/scanner/scan-detector.ts'

export type Layout = 'us' | 'greek' | 'french' | 'arabic' | 'german' | 'ime'

/** One press of a key. */
export interface Press {
  readonly key: string
  readonly code: string
  readonly shift: boolean
}

const CODES: readonly string[] = [
  ...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ', (letter) => `Key${letter}`),
  ...Array.from('0123456789', (digit) => `Digit${digit}`),
  ...['Minus', 'Equal', 'BracketLeft', 'BracketRight', 'Backslash', 'Semicolon', 'Quote', 'Backquote'],
  ...['Comma', 'Period', 'Slash', 'Space', 'Enter']
]

/** The key of a US keyboard that types a character. */
function keyFor(character: string): { code: string; shift: boolean } {
  for (const shift of [false, true]) {
    const code = CODES.find((one) => usKeyboardCharacter(one, shift) === character)
    if (code) return { code, shift }
  }
  throw new Error(`No key types ${character}`)
}

/** Characters of the other layouts in the order of the US keys above: plain, then with Shift. */
const US_PLAIN = "1234567890-=qwertyuiop[]asdfghjkl;'zxcvbnm,./"
const US_SHIFT = '!@#$%^&*()_+QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>?'
const TYPED: Readonly<Record<Exclude<Layout, 'us' | 'ime'>, readonly [plain: string, shift: string]>> = {
  greek: ["1234567890-=;ςερτυθιοπ[]ασδφγηξκλ΄'ζχψωβνμ,./", '!@#$%^&*()_+:΅ΕΡΤΥΘΙΟΠ{}ΑΣΔΦΓΗΞΚΛ¨"ΖΧΨΩΒΝΜ<>?'],
  french: ['&é"\'(-è_çà)=azertyuiop^$qsdfghjklmùwxcvbn,;:!', '1234567890°+AZERTYUIOP¨£QSDFGHJKLM%WXCVBN?./§'],
  arabic: ['1234567890-=ضصثقفغعهخحجدشسيبلاتنمكطئءؤرﻻىةوزظ', '!@#$%^&*)(_+ًٌَُﻹإ`÷×؛<>ٍِ][ﻷأـ،/:"~ْ}{ﻵآ\',.؟'],
  german: ['1234567890ß´qwertzuiopü+asdfghjklöäyxcvbnm,.-', '!"§$%&/()=?`QWERTZUIOPÜ*ASDFGHJKLÖÄYXCVBNM;:_']
}

function typedOn(layout: Layout, character: string, capsLock: boolean): string {
  if (character === '\n') return character
  if (layout === 'ime') return 'Process'
  if (layout === 'us') {
    const other = character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase()
    return capsLock ? other : character
  }
  const [plain, shift] = TYPED[layout]
  const at = US_PLAIN.indexOf(character)
  if (at >= 0) return plain[at] ?? character
  return shift[US_SHIFT.indexOf(character)] ?? character
}

/** Returns the key presses of a scanner for a text, with the characters that the layout produces. */
export const pressesOf = (text: string, layout: Layout, capsLock = false): readonly Press[] =>
  Array.from(text, (character) => ({ ...keyFor(character), key: typedOn(layout, character, capsLock) }))
