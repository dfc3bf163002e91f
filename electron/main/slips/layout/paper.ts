/**
 * Paper and its dots. The layout counts in dots of a receipt printer's 203 dpi head, so that lines and QR modules
 * fall on whole dots and nothing is smeared by the printer's own rounding.
 */

/** Dots of the print head per inch. */
export const DOTS_PER_INCH = 203
/** PDF points (1/72 inch) per dot. */
export const POINTS_PER_DOT = 72 / DOTS_PER_INCH

/** A roll of paper, in dots unless named otherwise. */
export interface Paper {
  readonly widthMillimetres: number
  /** where the printable area begins, from the left edge */
  readonly left: number
  /** width of the printable area */
  readonly width: number
}

/** 80 mm roll: 576 printable dots (72 mm), centred. */
export const ROLL_80: Paper = { widthMillimetres: 80, left: 32, width: 576 }

/** Width of the whole page in PDF points. */
export const pageWidth = (paper: Paper): number => (paper.widthMillimetres / 25.4) * 72
