/** The pages that a queue may print a document on, and which papers of the till a queue takes. */
import {
  blankEdges,
  type BlankEdges,
  millimetresOf,
  PAPER_SIZES,
  PAPERS,
  type PaperSize,
  usualHeadWidth
} from '../../contract/paper.ts'
import type { OfferedPapers } from '../../contract/printing.ts'

/** Sizes in millimetres. */
export interface PrintPage {
  readonly widthMillimetres: number
  readonly heightMillimetres: number
  readonly blank: BlankEdges
  /** without the margins of the roll, as wide as the print head: the page that `headPdf` gives */
  readonly isHeadWide: boolean
}

type Size = Pick<PrintPage, 'widthMillimetres' | 'heightMillimetres'>

/** Returns the pages that show a whole document of this size: its own, and on a roll that of the print head. */
export function pagesOf({ widthMillimetres, heightMillimetres }: Size): readonly PrintPage[] {
  const size = { widthMillimetres, heightMillimetres }
  const whole = { ...size, blank: blankEdges(size), isHeadWide: false }
  const headDots = usualHeadWidth(widthMillimetres)
  if (headDots === null) return [whole]
  const blank = { ...whole.blank, sides: 0 }
  return [whole, { ...size, widthMillimetres: millimetresOf(headDots), blank, isHeadWide: true }]
}

/** A slip with everything on it is hardly longer. */
const LONG_SLIP_MM = 200

/** The shortest and a long document on each paper. */
function documentsOn(paper: PaperSize, minLength: number): readonly Size[] {
  const { widthMillimetres, sheet } = PAPERS[paper]
  const lengths =
    sheet === null ? [widthMillimetres, Math.max(LONG_SLIP_MM, minLength)] : [sheet.heightMillimetres]
  return lengths.map((heightMillimetres) => ({ widthMillimetres, heightMillimetres }))
}

/**
 * Returns which papers of the till a queue takes.
 * @param takes whether the queue prints a document of this size whole
 * @param names what the queue calls its sizes
 * @param minLength documents on rolls are at least so long, in millimetres
 */
export const offeredPapers = (
  takes: (document: Size) => boolean,
  names: readonly string[],
  minLength = 0
): OfferedPapers => ({
  papers: PAPER_SIZES.filter((paper) => documentsOn(paper, minLength).every(takes)),
  sizes: [...new Set(names)].slice(0, MAX_NAMED_SIZES)
})

/** More do not fit a sentence. */
const MAX_NAMED_SIZES = 6
