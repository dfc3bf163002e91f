import { toAsciiDigits } from '../format/numbers.ts'
import { type KeyStroke, usKeyboardCharacter } from './scan-detector.ts'

/** The kind of a scan. `code` is one word with a digit or in capitals, unlike a customer's name. */
export type ScanKind = 'address' | 'email' | 'phone' | 'code' | 'text'

/** A scan. */
export interface Scan {
  readonly kind: ScanKind
  readonly text: string
  /** the same keys in the other keyboard layout, if that is possible as well */
  readonly other: string | null
}

/** A symbology identifier, which a scanner may send before the text (ISO/IEC 15424). */
const SYMBOLOGY = /^\][A-Za-z][\dA-Za-z](?=.)/u

/** Returns the kind of a text. It decides only where the scan goes: the main process validates phones. */
export function kindOf(text: string): ScanKind {
  if (/^[a-z][a-z\d+.-]*:\/\/\S+$/iu.test(text)) return 'address'
  if (/^(?:mailto:)?[^\s@:]+@[^\s@.]+(?:\.[^\s@.]+)+$/iu.test(text)) return 'email'
  if (/^(?:tel:)?\+?[\d\s().-]{6,24}$/iu.test(toAsciiDigits(text))) return 'phone'
  if (/^(?=.*(?:\d|[A-Z]{4}))[\w.~-]{4,200}$/u.test(text)) return 'code'
  return 'text'
}

const withoutPrefix = (text: string): string =>
  text
    .trim()
    .replace(SYMBOLOGY, '')
    .replace(/^mailto:/iu, '')

/** Returns what the keys typed; null if an input method or a dead key consumed one. */
const typed = (strokes: readonly KeyStroke[]): string | null =>
  strokes.every(({ key }) => Array.from(key).length === 1) ? strokes.map(({ key }) => key).join('') : null

/** Returns what the keys type on a US keyboard; null if one is not on it. */
const pressed = (strokes: readonly KeyStroke[]): string | null => {
  const characters = strokes.map(({ code, shift }) => usKeyboardCharacter(code, shift))
  return characters.every((character) => character !== null) ? characters.join('') : null
}

const isAscii = (text: string): boolean => !/[^\x20-\x7e]/u.test(text)

const isSameButForCase = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Returns the possible texts, the likelier first. */
function readings(strokes: readonly KeyStroke[]): readonly string[] {
  const [asTyped, asPressed] = [typed(strokes), pressed(strokes)].map((text) => text && withoutPrefix(text))
  if (!asTyped || !asPressed) return [asTyped ?? asPressed ?? '']
  // Caps Lock inverts the case of the typed text.
  if (isSameButForCase(asTyped, asPressed)) return [asPressed]
  const makesSense = (text: string): boolean => kindOf(text) !== 'text'
  if (makesSense(asTyped) !== makesSense(asPressed)) return [makesSense(asTyped) ? asTyped : asPressed]
  // A code or URL outside ASCII is unlikely.
  return isAscii(asTyped) || !isAscii(asPressed) ? [asTyped, asPressed] : [asPressed, asTyped]
}

/** Parses the keys of a scan; null if no text is left. */
export function parseScan(strokes: readonly KeyStroke[]): Scan | null {
  const [text = '', other = null] = readings(strokes)
  return text === '' ? null : { kind: kindOf(text), text, other }
}
