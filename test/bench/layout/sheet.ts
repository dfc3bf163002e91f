/** One slip as the other libraries are given it: the till's own composition, its lines and code already in their places. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { composeSlip } from '../../../electron/main/slip-pdf/compose.ts'
import type { PlacedItem } from '../../../electron/main/slip-pdf/column.ts'
import type { SlipDocument } from '../../../electron/main/slip-pdf/slip-document.ts'
import { createLogoReader } from '../../../electron/main/slip-pdf/logo.ts'
import { MIN_MODULE_DOTS, QUIET_ZONE } from '../../../electron/main/slip-pdf/qr.ts'
import { POINTS_PER_DOT } from '../../../electron/contract/paper.ts'
import { paperLayout } from '../../../electron/main/slip-pdf/paper-layout.ts'
import { FontStore } from '../../../electron/main/slip-pdf/text/fonts.ts'
import { SlipText, withOpenFonts } from '../../../electron/main/slip-pdf/text/index.ts'
import { readingDirection } from '../../../electron/main/slip-pdf/words.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'

const ROLL_80 = paperLayout('80mm')

/** The fonts that slips are set in. */
export const FONTS_FOLDER = join(PROJECT, 'resources/fonts')

/** A line of text; lengths in points. */
interface SheetText {
  readonly text: string
  readonly size: number
  /** file of the font that the till takes for it, for all of it: the others take one font for a text */
  readonly font: string
  readonly left: number
  readonly baseline: number
}

/** A filled rectangle, in points from the top left corner. */
interface SheetBar {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** A slip of one page. Lengths in points. */
export interface Sheet {
  readonly width: number
  readonly height: number
  /** which way its lines are read */
  readonly direction: 'ltr' | 'rtl'
  readonly texts: readonly SheetText[]
  readonly rules: readonly SheetBar[]
  /** the code: what it holds, its place without the quiet zone, and its modules as bars */
  readonly code: SheetBar & { readonly url: string; readonly bars: readonly SheetBar[] }
  /** bytes of the fonts that the texts name */
  readonly fonts: ReadonlyMap<string, Buffer>
}

/** Noto Sans covers what every slip has; a line that needs another font is given that one, which has Latin too. */
const BASE = 'NotoSans-'

function textOf({ line, box, baseline }: Extract<PlacedItem, { kind: 'text' }>): SheetText {
  const files = line.runs.map(({ font }) => font.file)
  return {
    text: line.text,
    size: line.style.size * POINTS_PER_DOT,
    font: files.find((file) => !file.startsWith(BASE)) ?? files[0] ?? 'NotoSans-Regular.ttf',
    left: (box.x + line.inset) * POINTS_PER_DOT,
    baseline: baseline * POINTS_PER_DOT
  }
}

const barOf = (left: number, top: number, width: number, height: number): SheetBar => ({
  left: left * POINTS_PER_DOT,
  top: top * POINTS_PER_DOT,
  width: width * POINTS_PER_DOT,
  height: height * POINTS_PER_DOT
})

function codeOf({ box, module, code }: Extract<PlacedItem, { kind: 'qr' }>, url: string): Sheet['code'] {
  const [left, top] = [box.x + QUIET_ZONE * module, box.y + QUIET_ZONE * module]
  const side = code.size * module
  return {
    ...barOf(left, top, side, side),
    url,
    bars: code.bars.map(({ x, y, length }) =>
      barOf(left + x * module, top + y * module, length * module, module)
    )
  }
}

/** Composes `slip` for a roll of 80 mm, and reads the fonts it takes. */
export async function sheetOf(slip: SlipDocument): Promise<Sheet> {
  const { composition } = await withOpenFonts(new FontStore(FONTS_FOLDER), (fonts) => {
    const text = new SlipText(fonts, slip)
    const parts = { layout: ROLL_80, text, readLogo: createLogoReader(), minModule: MIN_MODULE_DOTS }
    return { text, composition: composeSlip(slip, parts) }
  })
  const { items, height } = composition
  const texts = items.flatMap((item) => (item.kind === 'text' ? [textOf(item)] : []))
  const files = [...new Set(texts.map(({ font }) => font))]
  const [code] = items.flatMap((item) => (item.kind === 'qr' ? [codeOf(item, slip.url)] : []))
  if (code === undefined) throw new Error('A slip has a code')
  return {
    width: (ROLL_80.widthMillimetres / 25.4) * 72,
    height: height * POINTS_PER_DOT,
    direction: readingDirection(slip),
    texts,
    rules: items.flatMap(({ kind, box }) =>
      kind === 'bar' ? [barOf(box.x, box.y, box.width, box.height)] : []
    ),
    code,
    fonts: new Map(
      await Promise.all(files.map(async (file) => [file, await readFile(join(FONTS_FOLDER, file))] as const))
    )
  }
}
