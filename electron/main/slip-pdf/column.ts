/** The column that a slip is set in, from the top down: each call puts something below what is there. */
import type { Bitmap } from './logo.ts'
import type { Media } from './media.ts'
import { QUIET_ZONE, type QrBars } from './qr.ts'
import type { SlipText, TextLine, TextStyle } from './text/index.ts'

const RULE = 2
/** White text in a band keeps so far from its edges. */
const BAND_PADDING = 6
/** Blank dots at both sides of every text. */
const SIDE = 4
/** Between a label and its value, and between a code and the words beside it. */
const GAP = 32
/** The largest number keeps so far from the edges of the column. */
const NUMBER_SIDE = 20

/** Room for the label and for the value of a share, and the thickness of its bar. */
const SHARE_LABEL = 150
const SHARE_VALUE = 132
const SHARE_BAR = 14

export interface Column {
  readonly items: readonly Placed[]
  /** dots used so far */
  height(): number
  space(dots: number): void
  rule(): void
  picture(bitmap: Bitmap): void
  /** Lines in the middle; what needs more than `maxLines` is cut. */
  centred(content: string, style: StyleName, maxLines: number): void
  /** White on black across the column, in one line. */
  band(content: string): void
  /** One number in the largest type that the column is wide enough for; only its digits' height counts. */
  number(content: string): void
  qr(code: QrBars, module: number): void
  /** A label at the left, its value at the right in as many lines as it needs; nothing for a blank value. */
  detail(label: string, value: string, maxLines: number): void
  /** A label at the left, a bar as long as its share (0 to 1) of the room, and the value at the right: one line. */
  share(label: string, part: number, value: string): void
  /** A code at the left with its words beside it, a heading and what to do. */
  qrWithWords(code: QrBars, module: number, words: readonly (readonly [string, StyleName])[]): void
}

const sideOf = (code: QrBars, module: number): number => (code.size + 2 * QUIET_ZONE) * module

/**
 * An empty column on `paper`. Everything is placed as for a reader from left to right; for one from right to left each
 * thing goes to the same place from the other side.
 */
export function createColumn(paper: Media, text: SlipText, direction: 'ltr' | 'rtl'): Column {
  const items: Placed[] = []
  const { left, width } = paper
  const put = (item: Placed): void => {
    const { box } = item
    const x = direction === 'ltr' ? box.x : 2 * left + width - box.x - box.width
    items.push({ ...item, box: { ...box, x } })
  }
  const centre = left + width / 2
  const textLeft = left + SIDE
  const textWidth = width - 2 * SIDE
  let y = 0

  /** Places a line with its room from `top` on, and gives the height of that room. */
  const place = (line: TextLine, x: number, top: number, white = false): number => {
    const above = Math.ceil(line.ascent)
    const height = above + Math.ceil(line.descent)
    const box = { x, y: top, width: line.width, height }
    put({ kind: 'text', line, white, baseline: top + above, box })
    return height
  }
  const bar = (height: number): void => {
    put({ kind: 'bar', box: { x: left, y, width, height } })
  }
  const placeQr = (code: QrBars, module: number, x: number): Box => {
    const side = sideOf(code, module)
    const box = { x, y, width: side, height: side }
    put({ kind: 'qr', code, module, box })
    return box
  }

  return {
    items,
    height: () => y,
    space: (dots) => {
      y += dots
    },
    rule() {
      bar(RULE)
      y += RULE
    },
    picture(bitmap) {
      const x = Math.round(centre - bitmap.width / 2)
      put({ kind: 'picture', bitmap, box: { x, y, width: bitmap.width, height: bitmap.height } })
      y += bitmap.height
    },
    centred(content, style, maxLines) {
      for (const line of text.wrap(content, styleOn(paper, style), { width: textWidth, maxLines })) {
        y += place(line, centre - line.width / 2, y)
      }
    },
    band(content) {
      const [line] = text.wrap(content, styleOn(paper, 'band'), { width: textWidth, maxLines: 1 })
      if (line === undefined) return
      const height = Math.ceil(line.ascent) + Math.ceil(line.descent) + 2 * BAND_PADDING
      bar(height)
      place(line, centre - line.width / 2, y + BAND_PADDING, true)
      y += height
    },
    number(content) {
      const style = styleOn(paper, 'points')
      const full = text.line(content, style).width
      const size = Math.floor(style.size * Math.min(1, (width - 2 * NUMBER_SIDE) / full))
      const line = text.line(content, { ...style, size })
      const height = Math.ceil(size * (CAP_HEIGHT + COMMA_DEPTH))
      const box = { x: centre - line.width / 2, y, width: line.width, height }
      put({ kind: 'text', line, white: false, baseline: y + Math.ceil(size * CAP_HEIGHT), box })
      y += height
    },
    qr(code, module) {
      y += placeQr(code, module, Math.floor(centre - sideOf(code, module) / 2)).height
    },
    detail(label, value, maxLines) {
      const head = text.line(label, styleOn(paper, 'label'))
      const room = textWidth - Math.ceil(head.width) - GAP
      const lines = text.wrap(value, styleOn(paper, 'detail'), { width: room, maxLines })
      if (lines.length === 0) return
      const headHeight = place(head, textLeft, y)
      const valueTop = y
      for (const line of lines) y += place(line, textLeft + textWidth - line.width, y)
      y = Math.max(y, valueTop + headHeight)
    },
    share(label, part, value) {
      const labelRoom = Math.round(SHARE_LABEL * paper.type)
      const [head] = text.wrap(label, styleOn(paper, 'label'), { width: labelRoom, maxLines: 1 })
      const tail = text.line(value, styleOn(paper, 'detail'))
      const barRoom = textWidth - labelRoom - Math.round(SHARE_VALUE * paper.type)
      const height = place(tail, textLeft + textWidth - tail.width, y)
      if (head !== undefined) place(head, textLeft, y)
      const length = Math.round(barRoom * part)
      if (length > 0) {
        const box = {
          x: textLeft + labelRoom,
          y: y + Math.round((height - SHARE_BAR) / 2),
          width: length,
          height: SHARE_BAR
        }
        put({ kind: 'bar', box })
      }
      y += height
    },
    qrWithWords(code, module, words) {
      const box = placeQr(code, module, left)
      const wordsLeft = box.x + box.width
      const room = left + width - SIDE - wordsLeft
      const lines = words.flatMap(([content, style]) =>
        text.wrap(content, styleOn(paper, style), { width: room, maxLines: 4 })
      )
      const heights = lines.map(({ ascent, descent }) => Math.ceil(ascent) + Math.ceil(descent))
      const total = heights.reduce((sum, height) => sum + height, 0)
      let top = y + Math.max(0, Math.round((box.height - total) / 2))
      for (const line of lines) top += place(line, wordsLeft, top)
      y = Math.max(y + box.height, top)
    }
  }
}

/* from composition.ts: A slip put together: what stands where, in dots from the column's top left corner. */

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
  /** a dot of the bitmap is a dot of the slip */
  | { readonly kind: 'picture'; readonly bitmap: Bitmap; readonly box: Box }

/** What was asked for and could not be shown, without keeping the slip from its paper. */
export type LeftOut = 'logo' | 'join-code'

export interface Composition {
  /** from the first to the last thing on it, the margins included */
  readonly height: number
  readonly items: readonly Placed[]
  readonly leftOut: readonly LeftOut[]
}

/* from styles.ts: The type of a slip. Sizes are the em in dots on an 80 mm roll. */

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
  join: { weight: 'bold', size: 27 },
  joinInstruction: { weight: 'regular', size: 23 },
  footer: { weight: 'regular', size: 23 },
  band: { weight: 'bold', size: 28 }
} as const satisfies Record<string, TextStyle>

type StyleName = keyof typeof STYLES

/** A style as it is on `paper`, in whole dots. */
const styleOn = (paper: Media, name: StyleName): TextStyle => {
  const { weight, size } = STYLES[name]
  return { weight, size: Math.round(size * paper.type) }
}

/** Height of Noto Sans's digits and capitals, in parts of the em. */
export const CAP_HEIGHT = 0.714

/** How far a comma reaches below the digits. */
const COMMA_DEPTH = 0.17
