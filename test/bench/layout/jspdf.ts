/** jsPDF. It keeps no font between two documents: each is added to each. */
import { jsPDF } from 'jspdf'
import type { OpenPeer } from './peer.ts'

/** Opens jsPDF. */
export const openJsPdf: OpenPeer = (sheet) => {
  const fonts = Array.from(sheet.fonts, ([file, bytes]) => [file, bytes.toString('base64')] as const)
  const { width, height, texts, rules, code } = sheet
  return Promise.resolve({
    name: 'jsPDF',
    make: () => {
      const document = new jsPDF({
        unit: 'pt',
        format: [width, height],
        compress: true,
        putOnlyUsedFonts: true
      })
      for (const [file, base64] of fonts) {
        document.addFileToVFS(file, base64)
        document.addFont(file, file, 'normal')
      }
      for (const { text, size, font, left, baseline } of texts) {
        document.setFont(font, 'normal').setFontSize(size).text(text, left, baseline)
      }
      document.setFillColor('#000000')
      for (const bar of [...rules, ...code.bars]) document.rect(bar.left, bar.top, bar.width, bar.height, 'F')
      return Promise.resolve(new Uint8Array(document.output('arraybuffer')))
    },
    close: () => Promise.resolve()
  })
}
