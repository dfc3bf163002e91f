/**
 * Media and its dots. The layout counts in dots of a receipt printer's 203 dpi head, so that lines and QR modules
 * fall on whole dots and nothing is smeared by the printer's own rounding.
 */
import type { PaperSize } from '../../contract/printing.ts'

/** Dots of the print head per inch. */
export const DOTS_PER_INCH = 203
const POINTS_PER_INCH = 72
const MILLIMETRES_PER_INCH = 25.4
/** PDF points (1/72 inch) per dot. */
export const POINTS_PER_DOT = POINTS_PER_INCH / DOTS_PER_INCH

export const dotsOf = (millimetres: number): number => (millimetres / MILLIMETRES_PER_INCH) * DOTS_PER_INCH
export const pointsOf = (millimetres: number): number =>
  (millimetres / MILLIMETRES_PER_INCH) * POINTS_PER_INCH
export const millimetresOf = (dots: number): number => (dots / DOTS_PER_INCH) * MILLIMETRES_PER_INCH

/** A sheet: its slip stands at the top, in the middle. */
export interface Sheet {
  readonly heightMillimetres: number
  /** how large the slip is drawn when it fits: 1 is the size it has on an 80 mm roll */
  readonly scale: number
  /** free paper above and below the slip, in dots: printers for sheets do not print to the edge */
  readonly margin: number
}

/** Media for slips, in dots unless named otherwise. */
export interface Media {
  readonly widthMillimetres: number
  /** where the slip's column begins, from the left edge of a roll; 0 on a sheet, where it is drawn as a whole */
  readonly left: number
  /** width of the column: on a roll all that the head can print */
  readonly width: number
  /** size of the type, compared with an 80 mm roll's */
  readonly type: number
  /** height that a logo may have: 20 mm on a roll */
  readonly logoHeight: number
  /** blank paper before and after the slip: room for a roll's cutter */
  readonly ends: number
  /** null: a roll, as long as its content */
  readonly sheet: Sheet | null
}

const roll = { type: 1, logoHeight: 160, ends: 28, sheet: null }
/** 48 and 72 mm of the rolls can be printed on, in the middle. */
export const ROLL_58: Media = { ...roll, widthMillimetres: 58, left: 40, width: 384, type: 0.9 }
export const ROLL_80: Media = { ...roll, widthMillimetres: 80, left: 32, width: 576 }

const column = { left: 0, width: 640, type: 1, logoHeight: 100, ends: 0 }
const SHEET_A6: Media = {
  ...column,
  widthMillimetres: 105,
  sheet: { heightMillimetres: 148, scale: 1, margin: 30 }
}
const SHEET_A4: Media = {
  ...column,
  widthMillimetres: 210,
  sheet: { heightMillimetres: 297, scale: 1.25, margin: 100 }
}

export const MEDIA: Readonly<Record<PaperSize, Media>> = {
  '58mm': ROLL_58,
  '80mm': ROLL_80,
  A6: SHEET_A6,
  A4: SHEET_A4
}
