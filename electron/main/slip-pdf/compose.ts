/** Composes a slip: its content in order, placed in a column, or on pages. */
import { groupedCode } from '../../contract/code-groups.ts'
import { addressLines } from '../../contract/loyalty.ts'
import { Column, type Composition, type Flow, type OmittedPart, type PaperLayout } from './column.ts'
import type { ReadLogo } from './logo.ts'
import { divide, type HeadedPart, itemsOf, moved } from './flow.ts'
import {
  COMFORTABLE_WIDTH_DOTS,
  encodeQr,
  MIN_MODULE_DOTS,
  moduleDots,
  QUIET_ZONE,
  UrlTooLongError,
  type QrBars
} from '../../images/qr-code.ts'
import {
  codeLabelLines,
  pointsEndText,
  momentText,
  pointsText,
  readingDirection,
  type SlipDocument,
  slipWords
} from './slip-document.ts'
import type { SlipText } from './text/slip-text.ts'

export interface ComposeOptions {
  readonly layout: PaperLayout
  readonly text: SlipText
  readonly readLogo: ReadLogo
}

/** Maximum width of a logo, in parts of the column. */
const LOGO_WIDTH = 0.75

/** The second code is smaller than the first, with its text beside it. */
const JOIN_MODULE = 5
const JOIN_WIDTH = 0.55

/** The slip's code and its dots per module. Throws `UrlTooLongError` when the modules would be too small to scan. */
function mainCode(url: string, { width }: PaperLayout): { code: QrBars; module: number } {
  const code = encodeQr(url)
  const module = moduleDots(code.size, width)
  if (module === null) throw new UrlTooLongError(url, 'its modules would be too small on this paper')
  return { code, module }
}

/** The second code, or null when its URL is too long for the space beside its text. */
function joinCode(url: string, { width }: PaperLayout): { code: QrBars; module: number } | null {
  try {
    const code = encodeQr(url)
    const across = code.size + 2 * QUIET_ZONE
    const fitting = Math.floor((width * JOIN_WIDTH) / across)
    return fitting < MIN_MODULE_DOTS ? null : { code, module: Math.min(fitting, JOIN_MODULE) }
  } catch (error) {
    if (error instanceof UrlTooLongError) return null
    throw error
  }
}

/** Marks of a copy and of training mode, printed at both ends so that neither can be cut off unnoticed. */
function bandsOf(slip: SlipDocument): string[] {
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

function addHeader(column: Column, slip: SlipDocument, { layout, readLogo }: ComposeOptions): OmittedPart[] {
  const { logo = null, business } = slip
  const maxSize = { width: Math.floor(layout.width * LOGO_WIDTH), height: layout.logoHeight }
  const bitmap = logo === null ? null : readLogo(logo, maxSize)
  if (bitmap !== null) {
    column.picture(bitmap)
    column.space(16)
  }
  column.centred(business.name, 'business', 3)
  for (const line of addressLines(business.address)) column.centred(line, 'address', 2)
  return logo !== null && bitmap === null ? ['logo'] : []
}

function addPoints(column: Column, slip: SlipDocument, { layout }: ComposeOptions): void {
  const { code, module } = mainCode(slip.url, layout)
  const words = slipWords(slip)
  const headline = slip.headline?.trim() ?? ''
  column.centred(headline === '' ? words.headline() : headline, 'headline', 2)
  column.space(18)
  column.number(pointsText(slip))
  // Points and code belong together, but a large one may have no room below them.
  if ((code.size + 2 * QUIET_ZONE) * module > COMFORTABLE_WIDTH_DOTS) column.mayBreak()
  column.space(10)
  column.centred(words.instruction(), 'instruction', 3)
  column.qr(code, module)
  column.mayBreak()
  const lines = codeLabelLines(slip)
  for (const line of lines) column.centred(line, 'codeLabel', lines.length)
  column.centred(groupedCode(slip.code), 'code', 12)
}

function addDetails(column: Column, slip: SlipDocument, { text }: ComposeOptions): void {
  const { expiresAt = null, expiry = null } = slip
  const words = slipWords(slip)
  if (slip.customerName !== null) column.detail(words.customer(), slip.customerName, 3)
  const moment = (at: string): string => momentText({ ...slip, at }, (shown) => text.shows(shown))
  column.detail(words.date(), moment(slip.issuedAt), 2)
  if (expiresAt !== null) column.detail(words.collectUntil(), moment(expiresAt), 2)
  column.detail(words.till(), slip.tillName ?? '', 2)
  if (expiry !== null) addExpiry(column, pointsEndText(expiry, slip))
}

/** When points end. */
export function addExpiry(column: Column, sentence: string): void {
  column.space(10)
  column.centred(sentence, 'expiry', 3)
}

/** What the points buy: the best reward with the number of others, and the missing points for the next. @param canHave its title */
export function addAffordable(
  column: Column,
  slip: Pick<SlipDocument, 'affordable' | 'locale'>,
  canHave: string
): void {
  const { affordable = null } = slip
  if (affordable === null) return
  column.mayBreak()
  const { best, others, next } = affordable
  const words = slipWords(slip)
  const counted = (count: number) => ({ count, number: pointsText({ points: count, locale: slip.locale }) })
  // A line may begin with the name of a reward: without a mark, its script would decide the direction of the line.
  const mark = readingDirection(slip) === 'rtl' ? '\u200F' : '\u200E'
  column.space(16)
  column.rule()
  column.space(14)
  if (best !== null) {
    column.centred(canHave, 'reward', 2)
    const text = others === 0 ? best : words.rewardAndMore({ ...counted(others), name: best })
    column.centred(mark + text, 'bestReward', 3)
  }
  if (next !== null) {
    column.centred(mark + words.nextReward({ ...counted(next.missing), name: next.name }), 'reward', 3)
  }
}

function addFooter(column: Column, slip: SlipDocument, { layout }: ComposeOptions): OmittedPart[] {
  const { joinUrl = null, footer = '' } = slip
  const words = slipWords(slip)
  const join = joinUrl === null ? null : joinCode(joinUrl, layout)
  column.mayBreak()
  if (join !== null) {
    column.space(16)
    column.rule()
    column.qrWithText(join.code, join.module, [
      [words.join(), 'join'],
      [words.joinInstruction(), 'joinInstruction']
    ])
    column.mayBreak()
  }
  if (footer.trim() !== '') {
    if (join === null) column.space(16)
    column.rule()
    column.space(14)
    column.centred(footer, 'footer', 4)
  }
  return joinUrl !== null && join === null ? ['join-code'] : []
}

function addContent(column: Column, slip: SlipDocument, options: ComposeOptions): OmittedPart[] {
  const withoutLogo = addHeader(column, slip, options)
  column.mayBreak()
  column.space(20)
  column.rule()
  column.space(24)
  addPoints(column, slip, options)
  column.mayBreak()
  column.space(20)
  column.rule()
  column.space(16)
  addDetails(column, slip, options)
  addAffordable(column, slip, slipWords(slip).canHave())
  return [...withoutLogo, ...addFooter(column, slip, options)]
}

/** Places what `addBody` adds between the marks at both ends. */
function addBetweenBands<Body>(column: Column, slip: SlipDocument, ends: number, addBody: () => Body): Body {
  const bands = bandsOf(slip)
  column.space(ends)
  if (bands.length > 0) {
    addBands(column, bands)
    column.space(24)
  }
  const body = addBody()
  if (bands.length > 0) {
    column.space(24)
    addBands(column, bands)
  }
  column.space(ends)
  return body
}

const createColumn = (slip: SlipDocument, { layout, text }: ComposeOptions): Column =>
  new Column(layout, text, readingDirection(slip))

/** Composes `slip`. Throws `UrlTooLongError` when its code could not be scanned. */
export function composeSlip(slip: SlipDocument, options: ComposeOptions): Composition {
  const column = createColumn(slip, options)
  const leftOut = addBetweenBands(column, slip, options.layout.ends, () => addContent(column, slip, options))
  return { height: column.height, items: column.items, leftOut }
}

/**
 * Composes `slip` on pages of at most `height` dots, each with its marks, its number and the code, to which it belongs.
 * Throws `UrlTooLongError` when its code could not be scanned.
 */
export function composeSlipPages(
  slip: SlipDocument,
  options: ComposeOptions,
  height: number
): readonly Composition[] {
  const content = createColumn(slip, options)
  const leftOut = addContent(content, slip, options)
  const flow: Flow = { height: content.height, items: content.items, breaks: content.breaks, leftOut }
  const compose = (part: HeadedPart, page: string, pages: string): Composition => {
    const column = createColumn(slip, options)
    const top = addBetweenBands(column, slip, options.layout.ends, () => {
      const start = column.height
      column.space(part.to - part.from + 20)
      column.detail(slipWords(slip).reportPage({ page, pages }), groupedCode(slip.code), 2)
      return start
    })
    return {
      height: column.height,
      items: [...column.items, ...itemsOf(flow, part).map((item) => moved(item, 0, top))],
      leftOut
    }
  }
  const parts = divide(flow, height - compose({ from: 0, to: 0, heading: null }, '0', '0').height)
  return parts.map((part, index) => compose(part, String(index + 1), String(parts.length)))
}
