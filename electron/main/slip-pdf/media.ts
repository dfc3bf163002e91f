/**
 * Paper sizes and units. The layout counts in dots of a receipt printer's 203 dpi head, so that lines and QR modules
 * fall on whole dots and the printer's own rounding blurs nothing.
 */
import type { HeadWidth, PaperSize } from '../../contract/printing.ts'

const DOTS_PER_INCH = 203
const POINTS_PER_INCH = 72
const MILLIMETRES_PER_INCH = 25.4
/** PDF points (1/72 inch) per dot. */
export const POINTS_PER_DOT = POINTS_PER_INCH / DOTS_PER_INCH

export const dotsOf = (millimetres: number): number => (millimetres / MILLIMETRES_PER_INCH) * DOTS_PER_INCH
export const pointsOf = (millimetres: number): number =>
  (millimetres / MILLIMETRES_PER_INCH) * POINTS_PER_INCH
export const millimetresOf = (dots: number): number => (dots / DOTS_PER_INCH) * MILLIMETRES_PER_INCH

/** A sheet: the slip is drawn at the top, centred. */
export interface Sheet {
  readonly heightMillimetres: number
  /** scale of a slip that fits: 1 is its size on an 80 mm roll */
  readonly scale: number
  /** blank dots above and below the slip: printers for sheets do not print to the edge */
  readonly margin: number
}

/** Media for slips; lengths in dots unless named otherwise. */
export interface Media {
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

const roll = { type: 1, logoHeight: 160, ends: 28, sheet: null }
/** The print heads are 48 and 72 mm wide, centred on the roll. */
export const ROLL_58: Media = { ...roll, widthMillimetres: 58, left: 40, width: 384, type: 0.9 }
export const ROLL_80: Media = { ...roll, widthMillimetres: 80, left: 32, width: 576 }

const sheetColumn = { left: 0, width: 640, type: 1, logoHeight: 100, ends: 0 }

export const MEDIA: Readonly<Record<PaperSize, Media>> = {
  '58mm': ROLL_58,
  '80mm': ROLL_80,
  A6: { ...sheetColumn, widthMillimetres: 105, sheet: { heightMillimetres: 148, scale: 1, margin: 30 } },
  A4: { ...sheetColumn, widthMillimetres: 210, sheet: { heightMillimetres: 297, scale: 1.25, margin: 100 } }
}

/** Below this width of the column the type of a 58 mm roll is used. */
const MIN_WIDTH_OF_FULL_TYPE = 512

/**
 * The media of a paper size. On a roll the column is as wide as the print head, centred, and the page at least as wide;
 * null: the usual head of the roll.
 */
export function mediaOf(paper: PaperSize, headWidth: HeadWidth | null): Media {
  const media = MEDIA[paper]
  if (headWidth === null || media.sheet !== null) return media
  const widthMillimetres = Math.max(media.widthMillimetres, millimetresOf(headWidth))
  return {
    ...media,
    widthMillimetres,
    left: Math.round((dotsOf(widthMillimetres) - headWidth) / 2),
    width: headWidth,
    type: headWidth < MIN_WIDTH_OF_FULL_TYPE ? ROLL_58.type : ROLL_80.type
  }
}
