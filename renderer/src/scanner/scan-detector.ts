/** A key press that types a character. */
export interface KeyStroke {
  /** time in ms, of any clock */
  readonly at: number
  /** `KeyboardEvent.key` */
  readonly key: string
  /** `KeyboardEvent.code` */
  readonly code: string
  readonly shift: boolean
  /** whether Caps Lock is on */
  readonly capsLock?: boolean
  /** `KeyboardEvent.repeat`, which a remote desktop also sets for a double character */
  readonly repeat?: boolean
}

/** Minimum length of a scan. Shorter ones are treated as typing. */
export const MIN_SCAN_LENGTH = 6
/** Maximum time between two of the `MIN_SCAN_LENGTH` keys that tell a scan from typing. */
const MAX_GAP_MS = 50
/** Maximum average time between those keys, and those of a burst. README.md gives the source. */
const MAX_AVERAGE_GAP_MS = 35
/** Minimum number of these keys that are no repetition: a key that is held down repeats as fast as a scanner. */
const MIN_PRESSED = 3
/** Keys as fast as that after which a late one is of the same scan: a person presses two or three at once. README.md gives the source. */
const MIN_BURST_LENGTH = 4
/** Keys that are at most this far apart belong together: a scan ends after this time without a key. */
export const SCAN_END_GAP_MS = 300

/** What a key is part of. */
export type StrokeKind =
  /** may start a scan, after a pause in which a cashier may have typed the last key: the field is to be remembered now */
  | 'first'
  /** may be a scan or typing */
  | 'maybe'
  /** completes the detection of a scan */
  | 'known'
  /** part of a detected scan */
  | 'scan'

/**
 * Tells scans from typing by the time between keys. A sequence has a scan once some of its keys follow each other faster than a
 * person types. The scan starts with the first key, or with one that came late, unless a burst of the scanner is before it: a
 * cashier may have typed those before. It has no side effects.
 */
export class ScanDetector {
  #strokes: KeyStroke[] = []
  /** where the scan may start, by its place in the sequence */
  #starts: number[] = []
  /** Whether a scan is detected. */
  known = false

  /** What the scan may be, from each key on that may start it, the longest first. */
  get readings(): readonly (readonly KeyStroke[])[] {
    return this.#starts.map((start) => this.#strokes.slice(start))
  }

  /** Whether a key at this time, in ms, continues the current sequence. */
  continues(at: number): boolean {
    const last = this.#strokes.at(-1)
    return last !== undefined && at - last.at <= SCAN_END_GAP_MS
  }

  /**
   * Adds a key. If it does not continue the sequence, a new one starts: call `end` before if a scan is detected.
   */
  take(stroke: KeyStroke): StrokeKind {
    if (!this.continues(stroke.at)) this.#forget()
    const last = this.#strokes.at(-1)
    const isAfterBurst = this.#isFast(MIN_BURST_LENGTH)
    this.#strokes.push(stroke)
    if (this.known) return 'scan'
    if (last === undefined || (stroke.at - last.at > MAX_GAP_MS && !isAfterBurst)) {
      this.#starts.push(this.#strokes.length - 1)
      return 'first'
    }
    this.known = this.#isFast(MIN_SCAN_LENGTH)
    return this.known ? 'known' : 'maybe'
  }

  /** Ends the sequence. Returns what a scan may be, the longest first; empty for typing. */
  end(): readonly (readonly KeyStroke[])[] {
    const readings = this.known ? this.readings : []
    this.#forget()
    return readings
  }

  #forget(): void {
    this.#strokes = []
    this.#starts = []
    this.known = false
  }

  /** Whether the last `count` keys were faster than a person types. */
  #isFast(count: number): boolean {
    const last = this.#strokes.slice(-count)
    if (last.length < count || last.filter(({ repeat }) => !repeat).length < MIN_PRESSED) return false
    const gaps = last.slice(1).map(({ at }, index) => at - (last[index]?.at ?? at))
    const total = gaps.reduce((sum, gap) => sum + gap)
    return Math.max(...gaps) <= MAX_GAP_MS && total <= MAX_AVERAGE_GAP_MS * gaps.length
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
  Enter: '\n\n',
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
