/**
 * The paper of slips, and the units of its layout. A new paper size is added to `PAPER_SIZES` and `PAPERS` here, and to
 * the message `paperName`.
 */

/** Resolution of a receipt printer's head, in which slips are laid out. */
const DOTS_PER_INCH = 203
const POINTS_PER_INCH = 72
const MILLIMETRES_PER_INCH = 25.4
/** PDF points (1/72 inch) per dot. */
export const POINTS_PER_DOT = POINTS_PER_INCH / DOTS_PER_INCH

export const dotsOf = (millimetres: number): number => (millimetres / MILLIMETRES_PER_INCH) * DOTS_PER_INCH
export const pointsOf = (millimetres: number): number =>
  (millimetres / MILLIMETRES_PER_INCH) * POINTS_PER_INCH
export const millimetresOf = (dots: number): number => (dots / DOTS_PER_INCH) * MILLIMETRES_PER_INCH

/** Widths of print heads in dots: 48, 64, 72 and 80 mm. */
export const HEAD_WIDTHS = [384, 512, 576, 640] as const
export type HeadWidth = (typeof HEAD_WIDTHS)[number]

/** Paper sizes: rolls by their width, sheets by their ISO 216 name. */
export const PAPER_SIZES = ['58mm', '80mm', 'A6', 'A4'] as const
export type PaperSize = (typeof PAPER_SIZES)[number]

/** A sheet: the slip is drawn at the top, centred. */
export interface Sheet {
  readonly heightMillimetres: number
  /** scale of a slip that fits: 1 is its size on an 80 mm roll */
  readonly scale: number
  /** blank dots above and below the slip: printers for sheets do not print to the edge, but to 6.35 mm, old ones to 12.7 mm */
  readonly margin: number
}

/** A roll with its usual print head in dots, as long as its content; or a sheet. */
export type Paper = { readonly widthMillimetres: number } & (
  | { readonly headWidth: HeadWidth; readonly sheet: null }
  | { readonly headWidth: null; readonly sheet: Sheet }
)

export const PAPERS: Readonly<Record<PaperSize, Paper>> = {
  '58mm': { widthMillimetres: 58, headWidth: 384, sheet: null },
  '80mm': { widthMillimetres: 80, headWidth: 576, sheet: null },
  A6: { widthMillimetres: 105, headWidth: null, sheet: { heightMillimetres: 148, scale: 1, margin: 51 } },
  A4: { widthMillimetres: 210, headWidth: null, sheet: { heightMillimetres: 297, scale: 1.25, margin: 102 } }
}

/** Pages may be as much wider than their roll: a print head of 80 mm is wider than its paper. */
const ROLL_TOLERANCE_MM = 2

/** Returns the usual print head of the narrowest roll that takes a page of this width; null for wider paper. */
export function usualHeadWidth(pageMillimetres: number): HeadWidth | null {
  const roll = PAPER_SIZES.map((size) => PAPERS[size])
    .filter(({ sheet }) => sheet === null)
    .sort((one, other) => one.widthMillimetres - other.widthMillimetres)
    .find(({ widthMillimetres }) => pageMillimetres <= widthMillimetres + ROLL_TOLERANCE_MM)
  return roll?.headWidth ?? null
}

/** PDFs count in points, so sizes differ by rounding. */
const SHEET_TOLERANCE_MM = 0.1

/** Returns the sheet of exactly this size in millimetres, or null for a length of roll. */
export function sheetOf(page: {
  readonly widthMillimetres: number
  readonly heightMillimetres: number
}): PaperSize | null {
  const isAbout = (one: number, other: number): boolean => Math.abs(one - other) < SHEET_TOLERANCE_MM
  return (
    PAPER_SIZES.find((size) => {
      const { widthMillimetres, sheet } = PAPERS[size]
      return (
        sheet !== null &&
        isAbout(widthMillimetres, page.widthMillimetres) &&
        isAbout(sheet.heightMillimetres, page.heightMillimetres)
      )
    }) ?? null
  )
}

/** Blank dots at both ends of a roll's page, for its cutter. */
export const ROLL_ENDS = 28

/** Sheets are blank at both sides at least so far. */
export const SHEET_SIDES_MM = 10

/** Blank millimetres at the edges of a page: a printer need not print there. */
export interface BlankEdges {
  readonly sides: number
  readonly ends: number
}

/** Returns what stays blank on every page of this size, whatever is printed on it. */
export function blankEdges(page: {
  readonly widthMillimetres: number
  readonly heightMillimetres: number
}): BlankEdges {
  const size = sheetOf(page)
  const sheet = size && PAPERS[size].sheet
  if (sheet) return { sides: SHEET_SIDES_MM, ends: millimetresOf(sheet.margin) }
  const head = usualHeadWidth(page.widthMillimetres)
  const sides = head === null ? 0 : (page.widthMillimetres - millimetresOf(head)) / 2
  return { sides: Math.max(0, sides), ends: millimetresOf(ROLL_ENDS) }
}
