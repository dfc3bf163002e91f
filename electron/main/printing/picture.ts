/** A document as the screen shows it. */
import { greyPng } from './grey-png.ts'
import { drawPages } from './pdf-pages.ts'

/** The first page as a grey PNG; null for a document without pages. Rejects with `UnreadablePdf`. */
export async function picture(pdf: Uint8Array): Promise<Uint8Array | null> {
  const [page] = await drawPages(pdf)
  return page === undefined ? null : greyPng(page)
}
