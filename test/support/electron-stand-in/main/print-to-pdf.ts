import type { Protocol } from '../chromium/connection.ts'
import { refuse } from '../strict.ts'

/** Paper sizes by name, in inches. */
const PAPER: Readonly<Record<string, readonly [width: number, height: number]>> = {
  letter: [8.5, 11],
  legal: [8.5, 14],
  tabloid: [11, 17],
  ledger: [17, 11],
  a0: [33.1, 46.8],
  a1: [23.4, 33.1],
  a2: [16.54, 23.4],
  a3: [11.7, 16.54],
  a4: [8.27, 11.7],
  a5: [5.83, 8.27],
  a6: [4.13, 5.83]
}

const KNOWN = new Set([
  'landscape',
  'displayHeaderFooter',
  'printBackground',
  'scale',
  'pageSize',
  'margins',
  'pageRanges',
  'headerTemplate',
  'footerTemplate',
  'preferCSSPageSize',
  'generateTaggedPDF',
  'generateDocumentOutline'
])

interface PrintOptions {
  readonly landscape?: boolean
  readonly displayHeaderFooter?: boolean
  readonly printBackground?: boolean
  readonly scale?: number
  readonly pageSize?: unknown
  readonly margins?: {
    readonly top?: number
    readonly bottom?: number
    readonly left?: number
    readonly right?: number
  }
  readonly pageRanges?: string
  readonly headerTemplate?: string
  readonly footerTemplate?: string
  readonly preferCSSPageSize?: boolean
  readonly generateTaggedPDF?: boolean
  readonly generateDocumentOutline?: boolean
}

/** Electron's options of printToPDF (sizes and margins in inches) as Chromium's. @throws what Electron throws */
export function pdfOptions(given: object): Protocol.Page.printToPDFParameters {
  const unknown = Object.keys(given).find((key) => !KNOWN.has(key))
  if (unknown !== undefined) refuse(`the option '${unknown}' of webContents.printToPDF`)
  const { margins = {}, pageSize = 'letter', ...options }: PrintOptions = given
  const [paperWidth, paperHeight] = paperSize(pageSize)
  const { top = 0.4, bottom = 0.4, left = 0.4, right = 0.4 } = margins
  if (Math.max(top, bottom) > paperHeight || Math.max(left, right) > paperWidth) {
    throw new Error('margins must be less than or equal to pageSize')
  }
  return {
    ...options,
    paperWidth,
    paperHeight,
    marginTop: top,
    marginBottom: bottom,
    marginLeft: left,
    marginRight: right
  }
}

function paperSize(pageSize: unknown): readonly [width: number, height: number] {
  if (typeof pageSize === 'string') {
    const size = PAPER[pageSize.toLowerCase()]
    if (!size) throw new Error(`Invalid pageSize ${pageSize}`)
    return size
  }
  if (typeof pageSize !== 'object' || pageSize === null)
    throw new TypeError('pageSize must be a string or an object')
  const width: unknown = Reflect.get(pageSize, 'width')
  const height: unknown = Reflect.get(pageSize, 'height')
  if (typeof width !== 'number' || typeof height !== 'number') {
    throw new TypeError('width and height properties are required for pageSize')
  }
  return [width, height]
}
