/**
 * How slips lie on each paper. The layout counts in dots of a receipt printer's 203 dpi head, so that lines and QR modules
 * fall on whole dots and the printer's own rounding blurs nothing.
 */
import {
  dotsOf,
  millimetresOf,
  PAPERS,
  type HeadWidth,
  type PaperSize,
  type Sheet
} from '../../contract/paper.ts'

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
    ends: 28,
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
