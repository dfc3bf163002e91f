/** Writes composed pages as a PDF: the same pages give the same bytes, whatever was written before. */
import PDFDocument from 'pdfkit'
import { drawSlip, type Drawing } from './draw.ts'
import { createPen } from './text/pen.ts'

function bytesOf(document: InstanceType<typeof PDFDocument>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  return new Promise((resolve, reject) => {
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    document.on('error', reject)
    document.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))))
    document.end()
  })
}

/** A PDF with one page for each drawing. `createdAt`: ISO 8601, UTC; no other moment is in it. */
export async function writePdf(
  pages: readonly Drawing[],
  { title, createdAt }: { readonly title: string; readonly createdAt: string }
): Promise<Uint8Array> {
  const document = new PDFDocument({
    autoFirstPage: false,
    // A page's fonts are known when the last one is drawn.
    bufferPages: true,
    // none: pdfkit would open its own Helvetica otherwise
    font: '',
    info: { Title: title, Creator: 'Tillpoints', CreationDate: new Date(createdAt) }
  })
  const pen = createPen(document)
  for (const page of pages) drawSlip(document, pen, page)
  pen.end()
  return bytesOf(document)
}
