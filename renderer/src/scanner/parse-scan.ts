import { toAsciiDigits } from '../format/numbers.ts'
import type { KeyStroke } from './scan-detector.ts'
import { usKeyboardCharacter } from './us-keyboard.ts'

/** What was read: `code` is one word with a digit or in capitals, which a customer's name is not. */
export type ScanKind = 'address' | 'email' | 'phone' | 'code' | 'text'

/** What a scanner read. */
export interface Scan {
  readonly kind: ScanKind
  readonly text: string
  /** the same keys in the other layout, where that may be meant as well */
  readonly other: string | null
}

/** An identifier of the symbology, which a scanner may put before what it read (ISO/IEC 15424). */
const SYMBOLOGY = /^\][A-Za-z][\dA-Za-z](?=.)/u

/** What kind of thing a text is. Whether a phone is one is for main to say: this only tells where to take it. */
export function kindOf(text: string): ScanKind {
  if (/^[a-z][a-z\d+.-]*:\/\/\S+$/iu.test(text)) return 'address'
  if (/^(?:mailto:)?[^\s@:]+@[^\s@]+\.[^\s@]+$/iu.test(text)) return 'email'
  if (/^(?:tel:)?\+?[\d\s().-]{6,24}$/iu.test(toAsciiDigits(text))) return 'phone'
  if (/^(?=.*(?:\d|[A-Z]{4}))[\w.~-]{4,200}$/u.test(text)) return 'code'
  return 'text'
}

const withoutPrefix = (text: string): string =>
  text
    .trim()
    .replace(SYMBOLOGY, '')
    .replace(/^mailto:/iu, '')

/** What the keys typed; null where a key did not come through: an input method, or a dead key, kept it. */
const typed = (strokes: readonly KeyStroke[]): string | null =>
  strokes.every(({ key }) => Array.from(key).length === 1) ? strokes.map(({ key }) => key).join('') : null

/** What the keys are on a US keyboard; null where one is not on it. */
const pressed = (strokes: readonly KeyStroke[]): string | null => {
  const characters = strokes.map(({ code, shift }) => usKeyboardCharacter(code, shift))
  return characters.every((character) => character !== null) ? characters.join('') : null
}

const isAscii = (text: string): boolean => !/[^\x20-\x7e]/u.test(text)

const isSameButForCase = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** The readings of the strokes, the likelier first. */
function readings(strokes: readonly KeyStroke[]): readonly string[] {
  const [asTyped, asPressed] = [typed(strokes), pressed(strokes)].map((text) => text && withoutPrefix(text))
  if (!asTyped || !asPressed) return [asTyped ?? asPressed ?? '']
  // Caps Lock turns the case of what was typed; what was pressed knows better.
  if (isSameButForCase(asTyped, asPressed)) return [asPressed]
  const makesSense = (text: string): boolean => kindOf(text) !== 'text'
  if (makesSense(asTyped) !== makesSense(asPressed)) return [makesSense(asTyped) ? asTyped : asPressed]
  // A code or an address in other letters than a scanner's own is the rarer one.
  return isAscii(asTyped) || !isAscii(asPressed) ? [asTyped, asPressed] : [asPressed, asTyped]
}

/** What the strokes of a scan say; null when nothing is left of them. */
export function parseScan(strokes: readonly KeyStroke[]): Scan | null {
  const [text = '', other = null] = readings(strokes)
  return text === '' ? null : { kind: kindOf(text), text, other }
}
