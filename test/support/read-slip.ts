/**
 * Reads a slip's PDF as a customer's phone and eyes would: PDFium draws it at a receipt printer's 203 dpi and
 * ZXing scans the drawing. Shares no code with what made the slip.
 */
import { PDFiumLibrary, type PDFiumDocument } from '@hyzyla/pdfium'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

/** What one slip shows. */
export interface ReadSlip {
  /** all text, in the document's order, lines separated by line breaks */
  readonly text: string
  readonly widthMillimetres: number
  readonly heightMillimetres: number
  /** contents of the QR codes that could be scanned */
  readonly codes: readonly string[]
  readonly pages: number
}

/** A grey picture, one byte a pixel: 0 is black. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

const PRINTER_DPI = 203
const POINTS_PER_INCH = 72
const MILLIMETRES_PER_POINT = 25.4 / POINTS_PER_INCH

/** Both libraries are WebAssembly, loaded once. ZXing would fetch its own over the network. */
const pdfium = PDFiumLibrary.init()
const zxing = readFile(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')).then(
  (wasm) =>
    prepareZXingModule({
      overrides: { wasmBinary: new Uint8Array(wasm).buffer },
      fireImmediately: true
    })
)

async function inDocument<Result>(
  pdf: Uint8Array,
  use: (document: PDFiumDocument) => Result | Promise<Result>
): Promise<Result> {
  const document = await (await pdfium).loadDocument(pdf)
  try {
    return await use(document)
  } finally {
    document.destroy()
  }
}

/** Draws a page, the first by default, at `dpi` dots an inch, rounded to whole pixels. */
export async function slipPicture(pdf: Uint8Array, dpi: number = PRINTER_DPI, index = 0): Promise<Picture> {
  return inDocument(pdf, async (document) => {
    const page = document.getPage(index)
    const { originalWidth, originalHeight } = page.getOriginalSize()
    const { width, height, data } = await page.render({
      scale: 1,
      width: Math.round((originalWidth / POINTS_PER_INCH) * dpi),
      height: Math.round((originalHeight / POINTS_PER_INCH) * dpi),
      colorSpace: 'Gray',
      render: 'bitmap'
    })
    return { width, height, pixels: data }
  })
}

/** Contents of the QR codes in a picture. */
export async function scan({ width, height, pixels }: Picture): Promise<string[]> {
  await zxing
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  // A picture has millions of pixels.
  for (let index = 0; index < pixels.length; index++) {
    const grey = pixels[index] ?? 255
    data[index * 4] = grey
    data[index * 4 + 1] = grey
    data[index * 4 + 2] = grey
  }
  const found = await readBarcodes({ width, height, data, colorSpace: 'srgb' }, { formats: ['QRCode'] })
  return found.filter(({ isValid }) => isValid).map(({ text }) => text)
}

/** Reads a slip: its text, its size, and its codes as a scanner sees them at 203 dpi. */
export async function readSlip(pdf: Uint8Array): Promise<ReadSlip> {
  const read = await inDocument(pdf, (document) => {
    const page = document.getPage(0)
    const { originalWidth, originalHeight } = page.getOriginalSize()
    return {
      text: page.getText().replaceAll('\r\n', '\n'),
      widthMillimetres: originalWidth * MILLIMETRES_PER_POINT,
      heightMillimetres: originalHeight * MILLIMETRES_PER_POINT,
      pages: document.getPageCount()
    }
  })
  return { ...read, codes: await scan(await slipPicture(pdf)) }
}

/** A PNG chunk (PNG specification, 5.3). */
const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  const check = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** Writes a page, the first by default, as a grey PNG file of `dpi` dots an inch. */
export async function slipToPng(
  pdf: Uint8Array,
  path: string,
  dpi: number = PRINTER_DPI,
  index = 0
): Promise<void> {
  const { width, height, pixels } = await slipPicture(pdf, dpi, index)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  // each row begins with its filter: 0, none
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', new Uint8Array())]
  await writeFile(path, Buffer.concat([signature, ...parts]))
}

/**
 * Returns the paths of the PDFs in `folder` that show `text`, however it is broken into lines. The bytes of a PDF hold
 * the numbers of glyphs, so a search for the text in them finds nothing.
 */
export async function pdfsShowing(folder: string, text: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  const paths = names.filter((name) => name.endsWith('.pdf')).map((name) => join(folder, name))
  const found: string[] = []
  for (const path of paths) {
    const slip = await readSlip(await readFile(path))
    if (slip.text.replace(/\s+/g, ' ').includes(text)) found.push(path)
  }
  return found
}
