/**
 * pdfmake, as its own documentation has it: a document's definition with a `qr` node. It takes fonts by their paths, and
 * parses them for each document.
 */
import { join } from 'node:path'
import pdfmake from 'pdfmake'
import type { OpenPeer } from './peer.ts'
import { FONTS_FOLDER, type Sheet } from './sheet.ts'

/** From the top of a line to where its letters stand, in parts of the em. */
const ASCENT = 1.069

const definition = ({ width, height, texts, rules, code }: Sheet): object => ({
  pageSize: { width, height },
  pageMargins: 0,
  content: [
    ...texts.map(({ text, size, font, left, baseline }) => ({
      text,
      font,
      fontSize: size,
      noWrap: true,
      absolutePosition: { x: left, y: baseline - size * ASCENT }
    })),
    ...rules.map(({ left, top, width: length, height: thickness }) => ({
      canvas: [{ type: 'rect', x: 0, y: 0, w: length, h: thickness, color: 'black' }],
      absolutePosition: { x: left, y: top }
    })),
    {
      qr: code.url,
      eccLevel: 'M',
      fit: code.width,
      absolutePosition: { x: code.left, y: code.top }
    }
  ]
})

/** Opens pdfmake. */
export const openPdfmake: OpenPeer = (sheet) => {
  pdfmake.setUrlAccessPolicy(() => false)
  pdfmake.setLocalAccessPolicy((path) => path.startsWith(FONTS_FOLDER))
  const fonts = Array.from(
    sheet.fonts.keys(),
    (file) => [file, { normal: join(FONTS_FOLDER, file) }] as const
  )
  pdfmake.setFonts(Object.fromEntries(fonts))
  return Promise.resolve({
    name: 'pdfmake',
    make: async () => new Uint8Array(await pdfmake.createPdf(definition(sheet)).getBuffer()),
    close: () => Promise.resolve()
  })
}
