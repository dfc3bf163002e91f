/** pdf-lib with its own fontkit, which is made to hand out fonts that it has parsed before. */
import fontkit from '@pdf-lib/fontkit'
import { PDFDocument, rgb, type PDFFont } from 'pdf-lib'
import type { OpenPeer } from './peer.ts'

/** Opens pdf-lib. */
export const openPdfLib: OpenPeer = (sheet) => {
  const { width, height, texts, rules, code, fonts } = sheet
  const parsed = new Map<Uint8Array, ReturnType<typeof fontkit.create>>()
  const keeping: typeof fontkit = {
    ...fontkit,
    create(bytes: Uint8Array) {
      const known = parsed.get(bytes) ?? fontkit.create(bytes)
      parsed.set(bytes, known)
      return known
    }
  }
  const path = code.bars
    .map((bar) => `M${bar.left} ${bar.top}h${bar.width}v${bar.height}h${-bar.width}z`)
    .join('')
  return Promise.resolve({
    name: 'pdf-lib',
    make: async () => {
      const document = await PDFDocument.create()
      document.registerFontkit(keeping)
      const embedded = new Map<string, PDFFont>()
      for (const [file, bytes] of fonts) embedded.set(file, await document.embedFont(bytes, { subset: true }))
      const page = document.addPage([width, height])
      for (const { text, size, font, left, baseline } of texts) {
        const chosen = embedded.get(font)
        if (chosen) page.drawText(text, { x: left, y: height - baseline, size, font: chosen })
      }
      for (const rule of rules) {
        page.drawRectangle({
          x: rule.left,
          y: height - rule.top - rule.height,
          width: rule.width,
          height: rule.height
        })
      }
      page.drawSvgPath(path, { x: 0, y: height, color: rgb(0, 0, 0) })
      return document.save()
    },
    close: () => Promise.resolve()
  })
}
