import type { Font } from 'fontkit'

declare global {
  namespace PDFKit.Mixins {
    interface PDFFont {
      /** pdfkit also takes a font that fontkit has parsed; its published types leave that out. */
      registerFont(name: string, font: Font): this
    }
  }
}
