/** Puts a slip together: where each text, rule and code stands, in dots from the paper's top left corner. */
import type { SlipDocument } from './document.ts'
import type { Paper } from './paper.ts'
import { encodeQr, moduleDots, QUIET_ZONE, UrlTooLong, type QrBars } from './qr.ts'
import { REPLACEMENT } from './text/characters.ts'
import type { SlipText, TextLine, TextStyle } from './text/text.ts'
import { addressLines, momentText, pointsText, WORDS } from './words.ts'

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Something at its place. `box` is the room it keeps free of everything else. */
export type Placed =
  | {
      readonly kind: 'text'
      readonly line: TextLine
      readonly baseline: number
      readonly box: Box
      readonly white: boolean
    }
  /** a filled rectangle: a rule, or a band behind white text */
  | { readonly kind: 'bar'; readonly box: Box }
  /** its box takes the quiet zone in */
  | { readonly kind: 'qr'; readonly code: QrBars; readonly module: number; readonly box: Box }

export interface Composition {
  /** the whole page, in dots */
  readonly height: number
  readonly items: readonly Placed[]
  readonly practice: boolean
}

const STYLES = {
  business: { weight: 'bold', size: 38 },
  address: { weight: 'regular', size: 23 },
  headline: { weight: 'regular', size: 30 },
  points: { weight: 'bold', size: 136 },
  instruction: { weight: 'regular', size: 25 },
  codeLabel: { weight: 'regular', size: 21 },
  code: { weight: 'bold', size: 36 },
  label: { weight: 'regular', size: 23 },
  detail: { weight: 'bold', size: 23 },
  band: { weight: 'bold', size: 28 }
} as const satisfies Record<string, TextStyle>

/** Height of Noto Sans's digits and capitals, in parts of the em. */
export const CAP_HEIGHT = 0.714

/** How far a comma reaches below the digits. */
const COMMA_DEPTH = 0.17

const RULE = 2
/** White text in a band keeps so far from its edges. */
const BAND_PADDING = 6
/** Room at both sides of every text for strokes that reach past a letter's own width. */
const OVERHANG = 4
/** Blank paper at both ends, for the cutter. */
export const MARGIN = 28

/** Composes `slip` for `paper`. Throws `UrlTooLong` when the code would not fit in modules that can be scanned. */
export function composeSlip(slip: SlipDocument, paper: Paper, text: SlipText): Composition {
  const items: Placed[] = []
  const centre = paper.left + paper.width / 2
  let y = 0

  const space = (dots: number): void => {
    y += dots
  }
  /** Places a line with its room from `top` on, and gives the height of that room. */
  const place = (line: TextLine, x: number, top: number, white = false): number => {
    const above = Math.ceil(line.ascent)
    const height = above + Math.ceil(line.descent)
    items.push({
      kind: 'text',
      line,
      white,
      baseline: top + above,
      box: { x, y: top, width: line.width, height }
    })
    return height
  }
  const textLeft = paper.left + OVERHANG
  const textWidth = paper.width - 2 * OVERHANG
  const centred = (content: string, style: TextStyle, mostLines: number): void => {
    for (const line of text.wrap(content, style, { width: textWidth, mostLines })) {
      y += place(line, centre - line.width / 2, y)
    }
  }
  const rule = (): void => {
    items.push({ kind: 'bar', box: { x: paper.left, y, width: paper.width, height: RULE } })
    y += RULE
  }
  const band = (): void => {
    const line = text.line(WORDS.practice, STYLES.band)
    const height = Math.ceil(line.ascent + line.descent) + 2 * BAND_PADDING
    items.push({ kind: 'bar', box: { x: paper.left, y, width: paper.width, height } })
    place(line, centre - line.width / 2, y + BAND_PADDING, true)
    y += height
  }
  /** One number in the largest type that the paper is wide enough for; only its digits' height counts. */
  const number = (content: string): void => {
    const full = text.line(content, STYLES.points)
    const size = Math.floor(STYLES.points.size * Math.min(1, (paper.width - 40) / full.width))
    const line = text.line(content, { ...STYLES.points, size })
    const height = Math.ceil(size * (CAP_HEIGHT + COMMA_DEPTH))
    items.push({
      kind: 'text',
      line,
      white: false,
      baseline: y + Math.ceil(size * CAP_HEIGHT),
      box: { x: centre - line.width / 2, y, width: line.width, height }
    })
    y += height
  }
  const qr = (): void => {
    const code = encodeQr(slip.url)
    const module = moduleDots(code.size, paper.width)
    if (module === null) throw new UrlTooLong(slip.url, 'its modules would be too small on this paper')
    const side = (code.size + 2 * QUIET_ZONE) * module
    items.push({
      kind: 'qr',
      code,
      module,
      box: { x: Math.floor(centre - side / 2), y, width: side, height: side }
    })
    y += side
  }
  /** A label at the left, its value at the right in as many lines as it needs. */
  const detail = (label: string, value: string, mostLines: number): void => {
    const head = text.line(label, STYLES.label)
    const width = textWidth - Math.ceil(head.width) - 32
    const lines = text.wrap(value, STYLES.detail, { width, mostLines })
    if (lines.length === 0) return
    place(head, textLeft, y)
    for (const line of lines) y += place(line, textLeft + textWidth - line.width, y)
  }

  space(MARGIN)
  if (slip.practice) {
    band()
    space(24)
  }
  centred(slip.business.name, STYLES.business, 3)
  for (const line of addressLines(slip.business.address)) centred(line, STYLES.address, 2)
  space(20)
  rule()
  space(24)
  centred(WORDS.headline, STYLES.headline, 1)
  space(18)
  number(pointsText(slip))
  space(10)
  centred(WORDS.instruction, STYLES.instruction, 2)
  qr()
  centred(WORDS.codeLabel, STYLES.codeLabel, 1)
  centred(slip.code, STYLES.code, 12)
  space(20)
  rule()
  space(16)
  if (slip.customerName !== null) detail(WORDS.customer, slip.customerName, 3)
  const readable = (moment: string): boolean => !text.line(moment, STYLES.detail).text.includes(REPLACEMENT)
  detail(WORDS.date, momentText(slip, readable), 2)
  if (slip.practice) {
    space(24)
    band()
  }
  space(MARGIN)
  return { height: y, items, practice: slip.practice }
}
