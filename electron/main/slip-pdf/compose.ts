/** Puts a slip together: what it says, in which order. */
import { createColumn, type Column, type Composition, type LeftOut } from './column.ts'
import type { SlipDocument } from './slip-document.ts'
import type { LogoOf } from './logo.ts'
import type { Media } from './media.ts'
import { encodeQr, moduleDots, QUIET_ZONE, UrlTooLongError, type QrBars } from './qr.ts'
import type { SlipText } from './text/index.ts'
import { addressLines, momentText, pointsText, readingDirection, slipWords } from './words.ts'

export interface ComposeParts {
  readonly paper: Media
  readonly text: SlipText
  readonly logoOf: LogoOf
  /** dots per module that a code needs here so that it can be scanned */
  readonly minModule: number
}

/** A logo is at most so wide, in parts of the column. */
const LOGO_WIDTH = 0.75

/** The second code is for a calm moment: smaller than the first, and beside its words. */
const JOIN_MODULE = 5
const JOIN_WIDTH = 0.55

/** A slip's own code and its dots per module. Throws `UrlTooLongError` when it would not fit in modules that scan. */
function mainCode(url: string, { width }: Media): { code: QrBars; module: number } {
  const code = encodeQr(url)
  const module = moduleDots(code.size, width)
  if (module === null) throw new UrlTooLongError(url, 'its modules would be too small on this paper')
  return { code, module }
}

/** The second code, or null when its link is too long for the room beside its words. */
function joinCode(
  url: string,
  { paper: { width }, minModule }: ComposeParts
): { code: QrBars; module: number } | null {
  try {
    const code = encodeQr(url)
    const across = code.size + 2 * QUIET_ZONE
    const fitting = Math.floor((width * JOIN_WIDTH) / across)
    return fitting < minModule ? null : { code, module: Math.min(fitting, Math.max(JOIN_MODULE, minModule)) }
  } catch (error) {
    if (error instanceof UrlTooLongError) return null
    throw error
  }
}

/** What makes a paper less than a slip of its own, at both of its ends: none of it can be cut off unseen. */
function marks(slip: SlipDocument): string[] {
  const { copy = 0, training } = slip
  const words = slipWords(slip)
  return [
    ...(copy > 0 ? [words.copy({ number: String(copy) })] : []),
    ...(training ? [words.training()] : [])
  ]
}

function addBands(column: Column, bands: readonly string[]): void {
  for (const [index, band] of bands.entries()) {
    if (index > 0) column.space(8)
    column.band(band)
  }
}

function addHead(column: Column, slip: SlipDocument, { paper, logoOf }: ComposeParts): LeftOut[] {
  const { logo = null, business } = slip
  const room = { width: Math.floor(paper.width * LOGO_WIDTH), height: paper.logoHeight }
  const bitmap = logo === null ? null : logoOf(logo, room)
  if (bitmap !== null) {
    column.picture(bitmap)
    column.space(16)
  }
  column.centred(business.name, 'business', 3)
  for (const line of addressLines(business.address)) column.centred(line, 'address', 2)
  return logo !== null && bitmap === null ? ['logo'] : []
}

function addPoints(column: Column, slip: SlipDocument, { paper }: ComposeParts): void {
  const { code, module } = mainCode(slip.url, paper)
  const words = slipWords(slip)
  const headline = slip.headline?.trim() ?? ''
  column.centred(headline === '' ? words.headline() : headline, 'headline', 2)
  column.space(18)
  column.number(pointsText(slip))
  column.space(10)
  column.centred(words.instruction(), 'instruction', 2)
  column.qr(code, module)
  column.centred(words.codeLabel(), 'codeLabel', 1)
  column.centred(slip.code, 'code', 12)
}

function addDetails(column: Column, slip: SlipDocument, { text }: ComposeParts): void {
  const words = slipWords(slip)
  if (slip.customerName !== null) column.detail(words.customer(), slip.customerName, 3)
  column.detail(
    words.date(),
    momentText(slip, (moment) => text.shows(moment)),
    2
  )
  column.detail(words.till(), slip.tillName ?? '', 2)
}

function addFoot(column: Column, slip: SlipDocument, parts: ComposeParts): LeftOut[] {
  const { joinUrl = null, footer = '' } = slip
  const words = slipWords(slip)
  const join = joinUrl === null ? null : joinCode(joinUrl, parts)
  if (join !== null) {
    column.space(16)
    column.rule()
    column.qrWithWords(join.code, join.module, [
      [words.join(), 'join'],
      [words.joinInstruction(), 'joinInstruction']
    ])
  }
  if (footer.trim() !== '') {
    if (join === null) column.space(16)
    column.rule()
    column.space(14)
    column.centred(footer, 'footer', 4)
  }
  return joinUrl !== null && join === null ? ['join-code'] : []
}

/** Composes `slip` for `paper`. Throws `UrlTooLongError` when the code would not fit in modules that can be scanned. */
export function composeSlip(slip: SlipDocument, parts: ComposeParts): Composition {
  const column = createColumn(parts.paper, parts.text, readingDirection(slip))
  const bands = marks(slip)
  column.space(parts.paper.ends)
  if (bands.length > 0) {
    addBands(column, bands)
    column.space(24)
  }
  const withoutLogo = addHead(column, slip, parts)
  column.space(20)
  column.rule()
  column.space(24)
  addPoints(column, slip, parts)
  column.space(20)
  column.rule()
  column.space(16)
  addDetails(column, slip, parts)
  const withoutJoin = addFoot(column, slip, parts)
  if (bands.length > 0) {
    column.space(24)
    addBands(column, bands)
  }
  column.space(parts.paper.ends)
  return {
    height: column.height(),
    items: column.items,
    leftOut: [...withoutLogo, ...withoutJoin]
  }
}
