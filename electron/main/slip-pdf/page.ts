/** The page a slip stands on: how large it is, and where and how large the slip is drawn on it. */
import { MIN_MODULE_DOTS, UnscannableError } from './qr.ts'
import type { Composition } from './column.ts'
import { dotsOf, millimetresOf, type Media, type Sheet } from './media.ts'

/** Raised when a slip is so long that on this sheet its code could not be scanned any more. */
export class SlipTooLongError extends UnscannableError {
  override readonly name = 'SlipTooLongError'
}

/** Lengths in dots unless named otherwise. */
export interface Page {
  readonly widthMillimetres: number
  readonly heightMillimetres: number
  /** where the column's top left corner is */
  readonly left: number
  readonly top: number
  /** how much larger than its dots the column is drawn */
  readonly scale: number
}

/** A composed slip and its page. */
export interface Fitted {
  readonly composition: Composition
  readonly page: Page
}

/** Composes the slip with modules of at least `minModule` dots. */
type Compose = (minModule: number) => Composition

const mainModule = ({ items }: Composition): number => {
  const code = items.find((item) => item.kind === 'qr')
  return code?.kind === 'qr' ? code.module : MIN_MODULE_DOTS
}

/**
 * A slip as large as the sheet would have it, or as much smaller as it takes to fit. The main code's modules stay whole
 * dots, for label printers that print such sheets at 203 dpi as well; no code's get smaller than can be scanned.
 */
function fitOnSheet(compose: Compose, paper: Media, sheet: Sheet): Fitted {
  const { widthMillimetres, width } = paper
  const { heightMillimetres, margin } = sheet
  const room = dotsOf(heightMillimetres) - 2 * margin
  const module = mainModule(compose(MIN_MODULE_DOTS))
  for (let dots = Math.ceil(module * sheet.scale); dots >= MIN_MODULE_DOTS; dots--) {
    const scale = dots / module
    const composition = compose(Math.ceil(MIN_MODULE_DOTS / scale))
    if (composition.height * scale > room) continue
    const left = Math.round((dotsOf(widthMillimetres) - width * scale) / 2)
    return { composition, page: { widthMillimetres, heightMillimetres, left, top: margin, scale } }
  }
  throw new SlipTooLongError('The slip is too long for this sheet')
}

/** A slip on its page: exactly as long as the slip on a roll. Throws `SlipTooLongError` for a sheet that is too small. */
export function fitOnPaper(compose: Compose, paper: Media): Fitted {
  if (paper.sheet !== null) return fitOnSheet(compose, paper, paper.sheet)
  const composition = compose(MIN_MODULE_DOTS)
  const { widthMillimetres } = paper
  const heightMillimetres = millimetresOf(composition.height)
  return { composition, page: { widthMillimetres, heightMillimetres, left: 0, top: 0, scale: 1 } }
}

/** Something without a code on its page: on a sheet it gets as small as it takes to fit. */
export function fitWithoutCode(composition: Composition, paper: Media): Fitted {
  const { widthMillimetres, width, sheet } = paper
  if (sheet === null) return fitOnPaper(() => composition, paper)
  const { heightMillimetres, margin } = sheet
  const scale = Math.min(sheet.scale, (dotsOf(heightMillimetres) - 2 * margin) / composition.height)
  const left = Math.round((dotsOf(widthMillimetres) - width * scale) / 2)
  return { composition, page: { widthMillimetres, heightMillimetres, left, top: margin, scale } }
}

/** Where a slip's own code stands on its page: nothing else is beside it. */
export interface CodeOnPage {
  readonly content: string
  /** the band that it has for itself, from the top edge of the page, its quiet zone included */
  readonly topMillimetres: number
  readonly bottomMillimetres: number
  /** dots per module */
  readonly moduleDots: number
}

/** The place of the first code, which holds `content`. */
export function codeOnPage(content: string, { composition, page }: Fitted): CodeOnPage {
  const code = composition.items.find((item) => item.kind === 'qr')
  if (code?.kind !== 'qr') throw new Error('A slip has a code')
  const { y, height } = code.box
  return {
    content,
    topMillimetres: millimetresOf(page.top + y * page.scale),
    bottomMillimetres: millimetresOf(page.top + (y + height) * page.scale),
    moduleDots: Math.round(code.module * page.scale)
  }
}
