/** What a program prints on its own receipt: the QR code, as PNG and SVG, and a text. */
import { groupedCode } from '../../contract/code-groups.ts'
import { encodeQr, qrPath, type QrBars, QUIET_ZONE, UrlTooLongError } from '../../images/qr-code.ts'
import { qrPng } from '../../images/qr-png.ts'
import {
  codeLabelLines,
  pointsEndText,
  momentText,
  pointsText,
  slipWords
} from '../slip-pdf/slip-document.ts'
import type { JournalRow } from '../journal/rows.ts'
import type { Receipt } from './schemas.ts'

/** Draws a code as SVG, with its quiet zone; one unit is one module. */
function svgOf({ size, bars }: QrBars): string {
  const width = size + 2 * QUIET_ZONE
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${width}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${width}v${width}H0z"/><path d="${qrPath(bars, QUIET_ZONE)}"/></svg>`
}

/**
 * Returns the lines with which a program prints a slip on its own receipt, before or after the QR code; null while there is
 * no code. In training mode the first and the last line say so, as on the till's own slips.
 */
function receiptText({ slip, snapshot }: Pick<JournalRow, 'slip' | 'snapshot'>): string | null {
  if (slip.code === null || slip.url === null) return null
  const { expiresAt } = slip
  const words = slipWords(snapshot)
  // The font is the program's: the fonts of the slips decide nothing.
  const moment = (at: string): string => momentText({ ...snapshot, at }, () => true)
  const mark = slip.training ? [words.training()] : []
  return [
    ...mark,
    snapshot.headline.trim() === '' ? words.headline() : snapshot.headline,
    pointsText({ points: slip.points, locale: snapshot.locale }),
    words.instruction(),
    slip.url,
    ...codeLabelLines({
      locale: snapshot.locale,
      url: slip.url,
      expiresAt,
      training: slip.training
    }),
    groupedCode(slip.code),
    ...(expiresAt === null ? [] : [`${words.collectUntil()} ${moment(expiresAt)}`]),
    ...(snapshot.expiry === null ? [] : [pointsEndText(snapshot.expiry, snapshot)]),
    ...(snapshot.footer.trim() === '' ? [] : [snapshot.footer]),
    ...mark
  ].join('\n')
}

/** Returns the receipt of a slip; null without a code, or when its URL is too long for a QR code. */
export function receiptOf(row: JournalRow): Receipt | null {
  const text = receiptText(row)
  const { url } = row.slip
  if (text === null || url === null) return null
  try {
    const code = encodeQr(url)
    return { text, qrPng: qrPng(code).toString('base64'), qrSvg: svgOf(code) }
  } catch (error) {
    if (error instanceof UrlTooLongError) return null
    throw error
  }
}
