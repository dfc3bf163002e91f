/** Fits a composed slip on a page: the size of the page, and position and scale of the slip on it. */
import { dotsOf, millimetresOf, type Sheet } from '../../contract/paper.ts'
import type { CodeOnPage } from '../printing/receipt/encode-receipt.ts'
import type { Composition, PaperLayout } from './column.ts'
import { MIN_MODULE_DOTS, UnscannableError } from './qr.ts'

/** Thrown when a slip is so long that its code could not be scanned from this sheet. */
export class SlipTooLongError extends UnscannableError {
  override readonly name = 'SlipTooLongError'
}

/** Lengths in dots unless named otherwise. */
interface Page {
  readonly widthMillimetres: number
  readonly heightMillimetres: number
  /** position of the column's top left corner */
  readonly left: number
  readonly top: number
  /** scale at which the column is drawn */
  readonly scale: number
}

/** A composed slip and its page. */
export interface FittedPage {
  readonly composition: Composition
  readonly page: Page
}

/** Composes the slip with QR modules of at least `minModule` dots. */
type Compose = (minModule: number) => Composition

const mainModule = ({ items }: Composition): number => {
  const code = items.find((item) => item.kind === 'qr')
  return code?.kind === 'qr' ? code.module : MIN_MODULE_DOTS
}

/**
 * Draws the slip at the sheet's scale, or smaller until it fits. The main code's modules stay whole dots, for label
 * printers that print such sheets at 203 dpi as well; no code's modules get smaller than can be scanned.
 */
function fitOnSheet(compose: Compose, { widthMillimetres, width }: PaperLayout, sheet: Sheet): FittedPage {
  const { heightMillimetres, margin } = sheet
  const maxHeight = dotsOf(heightMillimetres) - 2 * margin
  const module = mainModule(compose(MIN_MODULE_DOTS))
  for (let dots = Math.ceil(module * sheet.scale); dots >= MIN_MODULE_DOTS; dots--) {
    const scale = dots / module
    const composition = compose(Math.ceil(MIN_MODULE_DOTS / scale))
    if (composition.height * scale > maxHeight) continue
    const left = Math.round((dotsOf(widthMillimetres) - width * scale) / 2)
    return { composition, page: { widthMillimetres, heightMillimetres, left, top: margin, scale } }
  }
  throw new SlipTooLongError('The slip is too long for this sheet')
}

/**
 * On a roll the page is as long as its content, and at least as long as wide: print systems turn a page that is wider
 * than high.
 */
function fitOnRoll(composition: Composition, { widthMillimetres }: PaperLayout): FittedPage {
  const heightMillimetres = Math.max(millimetresOf(composition.height), widthMillimetres)
  return { composition, page: { widthMillimetres, heightMillimetres, left: 0, top: 0, scale: 1 } }
}

/** Fits a slip on its page. Throws `SlipTooLongError` for a sheet that is too small. */
export const fitOnPage = (compose: Compose, layout: PaperLayout): FittedPage =>
  layout.sheet === null
    ? fitOnRoll(compose(MIN_MODULE_DOTS), layout)
    : fitOnSheet(compose, layout, layout.sheet)

/** Fits content without a QR code: on a sheet it is scaled down as far as necessary. */
export function fitWithoutCode(composition: Composition, layout: PaperLayout): FittedPage {
  const { widthMillimetres, width, sheet } = layout
  if (sheet === null) return fitOnRoll(composition, layout)
  const { heightMillimetres, margin } = sheet
  const scale = Math.min(sheet.scale, (dotsOf(heightMillimetres) - 2 * margin) / composition.height)
  const left = Math.round((dotsOf(widthMillimetres) - width * scale) / 2)
  return { composition, page: { widthMillimetres, heightMillimetres, left, top: margin, scale } }
}

/** Cuts a page of a roll to its column, which is as wide as the print head. */
export const withoutMargins = <Content extends { readonly layout: PaperLayout; readonly fitted: FittedPage }>(
  content: Content
): Content => {
  const { layout, fitted } = content
  const page = { ...fitted.page, widthMillimetres: millimetresOf(layout.width), left: -layout.left }
  return { ...content, fitted: { ...fitted, page } }
}

/** Position of the page's first QR code, whose content is `content`. Nothing else is beside it. */
export function codeOnPage(content: string, { composition, page }: FittedPage): CodeOnPage {
  const code = composition.items.find((item) => item.kind === 'qr')
  if (code?.kind !== 'qr') throw new Error('The page has no QR code')
  const { y, height } = code.box
  return {
    content,
    topMillimetres: millimetresOf(page.top + y * page.scale),
    bottomMillimetres: millimetresOf(page.top + (y + height) * page.scale),
    moduleDots: Math.round(code.module * page.scale)
  }
}
