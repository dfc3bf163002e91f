/** Raised by bytes that PDFium cannot read as a PDF. */
export class UnreadablePdf extends Error {
  override readonly name = 'UnreadablePdf'
}
