/** One press of a key that types something, as the operating system stamped it. */
export interface KeyStroke {
  /** ms, of whatever clock */
  readonly at: number
  /** `KeyboardEvent.key` */
  readonly key: string
  /** `KeyboardEvent.code` */
  readonly code: string
  readonly shift: boolean
}

/** Fewest characters of a scan. A shorter one stays where it was typed. */
export const MIN_SCAN_LENGTH = 6
/** Longest time between two keys of a scan that is not known yet, ms. */
export const MAX_GAP_MS = 50
/** Longest time between keys on average, over the last `LEAST`, ms. README.md says where it comes from. */
export const MAX_AVERAGE_GAP_MS = 35
/** A scan that is known is over when nothing came for so long, ms. */
export const SCAN_END_GAP_MS = 100

/** What a stroke is part of. */
export type Verdict =
  /** the first of what may become a scan: now is the time to remember the field */
  | 'first'
  /** may be a scan, may be a person */
  | 'maybe'
  /** with this one it is a scan */
  | 'known'
  /** one more of a scan that is known */
  | 'scan'

/** Tells scans from typing, stroke by stroke. Pure: it knows neither the page nor a clock. */
export class ScanDetector {
  #strokes: KeyStroke[] = []
  #known = false

  /** Whether what came last is a scan. */
  get known(): boolean {
    return this.#known
  }

  /** Whether a stroke at this moment, ms, still belongs to what came before. */
  continues(at: number): boolean {
    const last = this.#strokes.at(-1)
    return last !== undefined && at - last.at <= (this.#known ? SCAN_END_GAP_MS : MAX_GAP_MS)
  }

  /** Takes a stroke. One that comes too late for what came before begins anew: `end` first, if that was a scan. */
  take(stroke: KeyStroke): Verdict {
    if (!this.continues(stroke.at)) this.#forget()
    this.#strokes.push(stroke)
    if (this.#known) return 'scan'
    if (this.#strokes.length === 1) return 'first'
    this.#known = this.#isFast()
    return this.#known ? 'known' : 'maybe'
  }

  /** Ends what came before. Gives the strokes of a scan, or nothing when it was typing. */
  end(): readonly KeyStroke[] {
    const strokes = this.#known ? this.#strokes : []
    this.#forget()
    return strokes
  }

  #forget(): void {
    this.#strokes = []
    this.#known = false
  }

  /** Whether the last strokes came at a pace that no person keeps up. */
  #isFast(): boolean {
    const last = this.#strokes.slice(-MIN_SCAN_LENGTH)
    const [from, to] = [last[0], last.at(-1)]
    if (last.length < MIN_SCAN_LENGTH || !from || !to) return false
    return (to.at - from.at) / (MIN_SCAN_LENGTH - 1) <= MAX_AVERAGE_GAP_MS
  }
}
