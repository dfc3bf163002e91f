/** A key press that types a character. */
export interface KeyStroke {
  /** time in ms, of any clock */
  readonly at: number
  /** `KeyboardEvent.key` */
  readonly key: string
  /** `KeyboardEvent.code` */
  readonly code: string
  readonly shift: boolean
}

/** Minimum length of a scan. Shorter ones are treated as typing. */
export const MIN_SCAN_LENGTH = 6
/** Maximum time between two keys until a scan is detected. */
const MAX_GAP_MS = 50
/** Maximum average time between the last `MIN_SCAN_LENGTH` keys. README.md gives the source. */
const MAX_AVERAGE_GAP_MS = 35
/** A detected scan ends after this time without a key. */
export const SCAN_END_GAP_MS = 100

/** What a key is part of. */
export type StrokeKind =
  /** may start a scan: the field is to be remembered now */
  | 'first'
  /** may be a scan or typing */
  | 'maybe'
  /** completes the detection of a scan */
  | 'known'
  /** part of a detected scan */
  | 'scan'

/** Tells scans from typing by the time between keys. It has no side effects. */
export class ScanDetector {
  #strokes: KeyStroke[] = []
  /** Whether a scan is detected. */
  known = false

  /** Whether a key at this time, in ms, continues the current sequence. */
  continues(at: number): boolean {
    const last = this.#strokes.at(-1)
    return last !== undefined && at - last.at <= (this.known ? SCAN_END_GAP_MS : MAX_GAP_MS)
  }

  /**
   * Adds a key. If it does not continue the sequence, a new one starts: call `end` before if a scan is detected.
   */
  take(stroke: KeyStroke): StrokeKind {
    if (!this.continues(stroke.at)) this.#forget()
    this.#strokes.push(stroke)
    if (this.known) return 'scan'
    if (this.#strokes.length === 1) return 'first'
    this.known = this.#isFast()
    return this.known ? 'known' : 'maybe'
  }

  /** Ends the sequence. Returns the keys of a scan; empty for typing. */
  end(): readonly KeyStroke[] {
    const strokes = this.known ? this.#strokes : []
    this.#forget()
    return strokes
  }

  #forget(): void {
    this.#strokes = []
    this.known = false
  }

  /** Whether the last keys were faster than a person types. */
  #isFast(): boolean {
    const last = this.#strokes.slice(-MIN_SCAN_LENGTH)
    const [from, to] = [last[0], last.at(-1)]
    if (last.length < MIN_SCAN_LENGTH || !from || !to) return false
    return (to.at - from.at) / (MIN_SCAN_LENGTH - 1) <= MAX_AVERAGE_GAP_MS
  }
}

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
