/**
 * How slips lie on each paper, and the column of lines, rules and QR codes that is laid out on it. The layout counts in dots
 * of a receipt printer's 203 dpi head, so that lines and QR modules fall on whole dots and the printer's own rounding blurs
 * nothing.
 */
import {
  dotsOf,
  type HeadWidth,
  millimetresOf,
  PAPERS,
  type PaperSize,
  ROLL_ENDS,
  type Sheet
} from '../../contract/paper.ts'
import type { Bitmap } from './logo.ts'
import { type QrBars, QUIET_ZONE } from '../../images/qr-code.ts'
import type { TextLine, TextStyle } from './text/shape.ts'
import type { SlipText } from './text/slip-text.ts'

/** The layout on a paper; lengths in dots unless named otherwise. */
export interface PaperLayout {
  readonly widthMillimetres: number
  /** left edge of the column on a roll; 0 on a sheet, where the column is centred as a whole */
  readonly left: number
  /** width of the column: on a roll the print head's width */
  readonly width: number
  /** type size relative to that of an 80 mm roll */
  readonly type: number
  /** maximum height of a logo: 20 mm on a roll */
  readonly logoHeight: number
  /** blank dots before and after the slip, for a roll's cutter */
  readonly ends: number
  /** null: a roll, as long as its content */
  readonly sheet: Sheet | null
}

/** Below this width of the column, type is smaller. */
const MIN_WIDTH_OF_FULL_TYPE = 512
const SMALL_TYPE = 0.9

/** Returns the layout on a roll: the column is as wide as the print head, centred, and the page at least as wide. */
function rollLayout(rollMillimetres: number, headWidth: HeadWidth): PaperLayout {
  const widthMillimetres = Math.max(rollMillimetres, millimetresOf(headWidth))
  return {
    widthMillimetres,
    left: Math.round((dotsOf(widthMillimetres) - headWidth) / 2),
    width: headWidth,
    type: headWidth < MIN_WIDTH_OF_FULL_TYPE ? SMALL_TYPE : 1,
    logoHeight: 160,
    ends: ROLL_ENDS,
    sheet: null
  }
}

const sheetLayout = (widthMillimetres: number, sheet: Sheet): PaperLayout => ({
  widthMillimetres,
  left: 0,
  width: 640,
  type: 1,
  logoHeight: 100,
  ends: 0,
  sheet
})

/** Returns the layout on a paper size. `headWidth` is that of a roll's printer; null: the usual one. */
export function paperLayout(size: PaperSize, headWidth: HeadWidth | null = null): PaperLayout {
  const paper = PAPERS[size]
  return paper.sheet === null
    ? rollLayout(paper.widthMillimetres, headWidth ?? paper.headWidth)
    : sheetLayout(paper.widthMillimetres, paper.sheet)
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** An item with its position. `box` is the area that no other item overlaps. */
export type PlacedItem =
  | {
      readonly kind: 'text'
      readonly line: TextLine
      readonly baseline: number
      readonly box: Box
      readonly white: boolean
    }
  /** a filled rectangle: a rule, or a band behind white text */
  | { readonly kind: 'bar'; readonly box: Box }
  /** its box includes the quiet zone */
  | { readonly kind: 'qr'; readonly code: QrBars; readonly module: number; readonly box: Box }
  /** one dot of the bitmap is one dot of the slip */
  | { readonly kind: 'picture'; readonly bitmap: Bitmap; readonly box: Box }

/** A part that was requested and could not be shown; the slip is printed without it. */
export type OmittedPart = 'logo' | 'join-code'

export interface Composition {
  /** from the first to the last item, margins included */
  readonly height: number
  readonly items: readonly PlacedItem[]
  readonly leftOut: readonly OmittedPart[]
}

/** What may continue in another column or on another page. */
export interface Flow extends Composition {
  /** where it may be divided, ascending */
  readonly breaks: readonly Break[]
}

/** A part of a flow, in dots from its top. */
export interface Part {
  readonly from: number
  readonly to: number
}

/** A height at which a flow may be divided. */
export interface Break {
  readonly at: number
  /** of the section that is divided, to stand above its rest, too; null: none */
  readonly heading: Part | null
}

/** Text styles; sizes are the em in dots on an 80 mm roll: at least 8 points, which are 7 at `SMALL_TYPE`. */
const STYLES = {
  business: { weight: 'bold', size: 38 },
  address: { weight: 'regular', size: 23 },
  headline: { weight: 'regular', size: 30 },
  points: { weight: 'bold', size: 136 },
  instruction: { weight: 'regular', size: 25 },
  codeLabel: { weight: 'regular', size: 23 },
  code: { weight: 'bold', size: 36 },
  label: { weight: 'regular', size: 23 },
  detail: { weight: 'bold', size: 23 },
  reward: { weight: 'regular', size: 23 },
  expiry: { weight: 'regular', size: 23 },
  bestReward: { weight: 'bold', size: 27 },
  join: { weight: 'bold', size: 27 },
  joinInstruction: { weight: 'regular', size: 23 },
  footer: { weight: 'regular', size: 23 },
  band: { weight: 'bold', size: 28 }
} as const satisfies Record<string, TextStyle>

type StyleName = keyof typeof STYLES

/** Height of Noto Sans's digits and capitals, in parts of the em. */
export const CAP_HEIGHT = 0.714
/** Depth of a comma below the baseline, in parts of the em. */
const COMMA_DEPTH = 0.17

const RULE_HEIGHT = 2
/** Distance of white text in a band from the band's edges. */
const BAND_PADDING = 6
/** Margin at both sides of every text. */
const SIDE_MARGIN = 4
/** Between a label and its value. */
const LABEL_GAP = 32
/** Minimum distance of the largest number from the column's edges. */
const NUMBER_MARGIN = 20

/** Least widths of the parts of a share, the gap between them, and the height of its bar. */
const SHARE_LABEL_WIDTH = 150
const SHARE_VALUE_WIDTH = 132
const SHARE_BAR_WIDTH = 40
const SHARE_GAP = 8
const SHARE_BAR_HEIGHT = 14

/** A line of `Column.shares`. */
export interface ShareRow {
  readonly label: string
  /** 0 to 1 */
  readonly share: number
  readonly value: string
  /** further lines */
  readonly below: readonly (readonly [label: string, value: string])[]
}

/**
 * Each method places an item below what was placed before. Positions are computed for a left-to-right reader; in a
 * right-to-left column they are mirrored.
 */
export class Column {
  readonly items: PlacedItem[] = []
  readonly breaks: Break[] = []
  readonly #layout: PaperLayout
  readonly #text: SlipText
  readonly #direction: 'ltr' | 'rtl'
  readonly #centre: number
  readonly #textLeft: number
  readonly #textWidth: number
  /** of the section that is laid out */
  #heading: Part | null = null
  #y = 0

  constructor(layout: PaperLayout, text: SlipText, direction: 'ltr' | 'rtl') {
    this.#layout = layout
    this.#text = text
    this.#direction = direction
    this.#centre = layout.left + layout.width / 2
    this.#textLeft = layout.left + SIDE_MARGIN
    this.#textWidth = layout.width - 2 * SIDE_MARGIN
  }

  /** Dots used so far. */
  get height(): number {
    return this.#y
  }

  space(dots: number): void {
    this.#y += dots
  }

  /** What follows may begin another column or page. */
  mayBreak(): void {
    this.breaks.push({ at: this.#y, heading: this.#heading })
  }

  /** Begins a section, `distance` below what was before. Its heading is repeated in each column that it continues in. */
  section(heading: string, distance: number): void {
    this.#heading = null
    this.mayBreak()
    this.space(distance)
    const from = this.#y
    this.centred(heading, 'headline', 1)
    this.#heading = { from, to: this.#y }
  }

  rule(): void {
    this.#bar(RULE_HEIGHT)
    this.#y += RULE_HEIGHT
  }

  picture(bitmap: Bitmap): void {
    const x = Math.round(this.#centre - bitmap.width / 2)
    const box = { x, y: this.#y, width: bitmap.width, height: bitmap.height }
    this.#put({ kind: 'picture', bitmap, box })
    this.#y += bitmap.height
  }

  /** Centred lines; text that needs more than `maxLines` is truncated. */
  centred(content: string, style: StyleName, maxLines: number): void {
    const options = { width: this.#textWidth, maxLines }
    for (const line of this.#text.wrap(content, this.#style(style), options)) {
      this.#y += this.#line(line, this.#centre - line.width / 2, this.#y)
    }
  }

  /** One line of white text on a black band across the column. */
  band(content: string): void {
    const [line] = this.#text.wrap(content, this.#style('band'), { width: this.#textWidth, maxLines: 1 })
    if (line === undefined) return
    const height = Math.ceil(line.ascent) + Math.ceil(line.descent) + 2 * BAND_PADDING
    this.#bar(height)
    this.#line(line, this.#centre - line.width / 2, this.#y + BAND_PADDING, true)
    this.#y += height
  }

  /** A number in the largest size that fits the column; only the height of its digits counts. */
  number(content: string): void {
    const style = this.#style('points')
    const fullWidth = this.#text.line(content, style).width
    const scale = Math.min(1, (this.#layout.width - 2 * NUMBER_MARGIN) / fullWidth)
    const size = Math.floor(style.size * scale)
    const line = this.#text.line(content, { ...style, size })
    const height = Math.ceil(size * (CAP_HEIGHT + COMMA_DEPTH))
    const box = { x: this.#centre - line.width / 2, y: this.#y, width: line.width, height }
    const baseline = this.#y + Math.ceil(size * CAP_HEIGHT)
    this.#put({ kind: 'text', line, white: false, baseline, box })
    this.#y += height
  }

  /** A centred QR code with `module` dots per module. */
  qr(code: QrBars, module: number): void {
    const side = (code.size + 2 * QUIET_ZONE) * module
    this.#y += this.#qr(code, module, Math.floor(this.#centre - side / 2)).height
  }

  /**
   * A label at the start and its value, in at most `maxLines`, at the end; nothing for a blank value. A value of one line that
   * has no room beside its label is below it: a number must not lose digits.
   */
  detail(label: string, value: string, maxLines: number): void {
    const head = this.#text.line(label, this.#style('label'))
    const beside = this.#textWidth - Math.ceil(head.width) - LABEL_GAP
    const isBelow = maxLines === 1 && this.#text.line(value, this.#style('detail')).width > beside
    const width = isBelow ? this.#textWidth : beside
    const lines = this.#text.wrap(value, this.#style('detail'), { width, maxLines })
    if (lines.length === 0) return
    const end = this.#y + this.#line(head, this.#textLeft, this.#y)
    if (isBelow) this.#y = end
    for (const line of lines) {
      this.#y += this.#line(line, this.#textLeft + this.#textWidth - line.width, this.#y)
    }
    this.#y = Math.max(this.#y, end)
  }

  /**
   * For each row a label of up to two lines, a bar as long as `share` of the space between, and a value; all bars have the
   * same space. May be divided between two rows.
   */
  shares(rows: readonly ShareRow[]): void {
    const { type } = this.#layout
    const widest = (texts: readonly string[], style: StyleName, least: number): number =>
      Math.max(
        Math.round(least * type),
        ...texts.map((text) => Math.ceil(this.#text.line(text, this.#style(style)).width) + SHARE_GAP)
      )
    const values = rows.map(({ value }) => value)
    const barsEnd = this.#textWidth - widest(values, 'detail', SHARE_VALUE_WIDTH)
    const labels = rows.map(({ label }) => label)
    const labelWidth = Math.min(barsEnd - SHARE_BAR_WIDTH, widest(labels, 'label', SHARE_LABEL_WIDTH))
    for (const [index, { label, share, value, below }] of rows.entries()) {
      if (index > 0) this.mayBreak()
      const tail = this.#text.line(value, this.#style('detail'))
      const height = this.#line(tail, this.#textLeft + this.#textWidth - tail.width, this.#y)
      const width = Math.round((barsEnd - labelWidth) * share)
      if (width > 0) {
        const y = this.#y + Math.round((height - SHARE_BAR_HEIGHT) / 2)
        const box = { x: this.#textLeft + labelWidth, y, width, height: SHARE_BAR_HEIGHT }
        this.#put({ kind: 'bar', box })
      }
      const options = { width: labelWidth - SHARE_GAP, maxLines: 2 }
      let end = this.#y
      for (const line of this.#text.wrap(label, this.#style('label'), options)) {
        end += this.#line(line, this.#textLeft, end)
      }
      this.#y = Math.max(this.#y + height, end)
      for (const [name, amount] of below) this.detail(name, amount, 1)
    }
  }

  /** A QR code at the start with lines of text beside it, vertically centred. */
  qrWithText(code: QrBars, module: number, texts: readonly (readonly [string, StyleName])[]): void {
    const box = this.#qr(code, module, this.#layout.left)
    const left = box.x + box.width
    const width = this.#layout.left + this.#layout.width - SIDE_MARGIN - left
    const lines = texts.flatMap(([content, style]) =>
      this.#text.wrap(content, this.#style(style), { width, maxLines: 4 })
    )
    const textHeight = lines.reduce(
      (sum, { ascent, descent }) => sum + Math.ceil(ascent) + Math.ceil(descent),
      0
    )
    let top = this.#y + Math.max(0, Math.round((box.height - textHeight) / 2))
    for (const line of lines) top += this.#line(line, left, top)
    this.#y = Math.max(this.#y + box.height, top)
  }

  /** A style for this layout, in whole dots. */
  #style(name: StyleName): TextStyle {
    const { weight, size } = STYLES[name]
    return { weight, size: Math.round(size * this.#layout.type) }
  }

  #put(item: PlacedItem): void {
    const { box } = item
    const { left, width } = this.#layout
    const x = this.#direction === 'ltr' ? box.x : 2 * left + width - box.x - box.width
    this.items.push({ ...item, box: { ...box, x } })
  }

  #bar(height: number): void {
    const { left, width } = this.#layout
    this.#put({ kind: 'bar', box: { x: left, y: this.#y, width, height } })
  }

  #qr(code: QrBars, module: number, x: number): Box {
    const side = (code.size + 2 * QUIET_ZONE) * module
    const box = { x, y: this.#y, width: side, height: side }
    this.#put({ kind: 'qr', code, module, box })
    return box
  }

  /** Places a line below `top` and returns its height. */
  #line(line: TextLine, x: number, top: number, white = false): number {
    const above = Math.ceil(line.ascent)
    const height = above + Math.ceil(line.descent)
    const box = { x, y: top, width: line.width, height }
    this.#put({ kind: 'text', line, white, baseline: top + above, box })
    return height
  }
}
