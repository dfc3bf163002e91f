import { phoneInLink } from '../../../electron/contract/phone-link.ts'
import { toAsciiDigits } from '../../../electron/contract/text.ts'
import { type KeyStroke, usKeyboardCharacter } from './scan-detector.ts'

/** The kind of a scan. `code` is one word with a digit or in capitals, unlike a customer's name. */
export type ScanKind = 'address' | 'email' | 'phone' | 'code' | 'text'

/** A scan. */
export interface Scan {
  readonly kind: ScanKind
  readonly text: string
  /** what else it may be, the likelier first: the same keys in the other keyboard layout */
  readonly others: readonly string[]
  /** whether the cashier may have typed the first keys: the till then does not offer to register a text that it cannot find */
  readonly isUnclear: boolean
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

const withoutPrefix = (text: string): string => {
  const plain = text
    .trim()
    .replace(SYMBOLOGY, '')
    .replace(/^mailto:/iu, '')
  return phoneInLink(plain) ?? plain
}

/** Returns what the keys typed; null if an input method or a dead key consumed one. */
const typed = (strokes: readonly KeyStroke[]): string | null =>
  strokes.every(({ key }) => Array.from(key).length === 1) ? strokes.map(({ key }) => key).join('') : null

/** Returns what the keys type on a US keyboard; null if one is not on it. */
const pressed = (strokes: readonly KeyStroke[]): string | null => {
  const characters = strokes.map(({ code, shift }) => usKeyboardCharacter(code, shift))
  return characters.every((character) => character !== null) ? characters.join('') : null
}

const swapCase = (text: string): string =>
  text.replace(/[a-z]+|[A-Z]+/gu, (letters) =>
    letters < 'a' ? letters.toLowerCase() : letters.toUpperCase()
  )

/** Returns the cases that the keys may mean: with Caps Lock, a scanner ignores it or makes up for it. */
const cases = (text: string, isCapsLock: boolean): readonly string[] => {
  const swapped = swapCase(text)
  if (!isCapsLock || swapped === text) return [text]
  // A scheme is written in small letters.
  return /^[a-z]+:/u.test(swapped) ? [swapped, text] : [text, swapped]
}

const isAscii = (text: string): boolean => !/[^\x20-\x7e\n]/u.test(text)

/** Returns the possible texts, the likelier first. */
function spellings(strokes: readonly KeyStroke[]): readonly string[] {
  const [asTyped, asPressed] = [typed(strokes), pressed(strokes)]
  const isCapsLock =
    strokes.some(({ capsLock }) => capsLock) || (asPressed !== null && asTyped === swapCase(asPressed))
  const onUsKeyboard = asPressed ? cases(asPressed, isCapsLock) : []
  if (!asTyped || onUsKeyboard.includes(asTyped)) return onUsKeyboard
  const makesSense = (text: string): boolean => kindOf(withoutPrefix(text)) !== 'text'
  const [first] = onUsKeyboard
  if (first === undefined) return [asTyped]
  if (makesSense(asTyped) !== makesSense(first)) return makesSense(asTyped) ? [asTyped] : onUsKeyboard
  // A code or URL outside ASCII is unlikely.
  return isAscii(asTyped) || !isAscii(first) ? [asTyped, ...onUsKeyboard] : [...onUsKeyboard, asTyped]
}

/** Whether the keys are lines of a contact card (vCard) without its last one: further lines follow. */
export const isOpenCard = (strokes: readonly KeyStroke[]): boolean =>
  spellings(strokes).some(
    (text) => /^\s*(?:\][A-Za-z]\w)?BEGIN:VCARD/iu.test(text) && !/END:VCARD/iu.test(text)
  )

/** Parses the keys of a scan; null if no text is left. */
export function parseScan(strokes: readonly KeyStroke[]): Scan | null {
  const [text = '', ...others] = spellings(strokes).map(withoutPrefix)
  const other = others.find((one) => one !== text)
  return text === ''
    ? null
    : { kind: kindOf(text), text, others: other === undefined ? [] : [other], isUnclear: false }
}
