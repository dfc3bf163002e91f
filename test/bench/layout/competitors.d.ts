/**
 * Types of the libraries in ../package.json, as far as the bench calls them: they are not installed when the tests are
 * type-checked.
 */
declare module 'jspdf' {
  interface Options {
    readonly unit: 'pt'
    readonly format: readonly [width: number, height: number]
    readonly compress: boolean
    readonly putOnlyUsedFonts: boolean
  }
  export class jsPDF {
    constructor(options: Options)
    addFileToVFS(name: string, base64: string): this
    addFont(file: string, name: string, style: string): string
    setFont(name: string, style: string): this
    setFontSize(points: number): this
    text(text: string, x: number, y: number): this
    setFillColor(colour: string): this
    rect(x: number, y: number, width: number, height: number, style: 'F'): this
    output(type: 'arraybuffer'): ArrayBuffer
  }
}

declare module '@pdf-lib/fontkit' {
  const fontkit: { create(bytes: Uint8Array): object }
  export default fontkit
}

declare module 'pdf-lib' {
  export interface PDFFont {
    readonly name: string
  }
  export interface PDFPage {
    drawText(text: string, options: { x: number; y: number; size: number; font: PDFFont }): void
    drawRectangle(options: { x: number; y: number; width: number; height: number }): void
    drawSvgPath(path: string, options: { x: number; y: number; color: object }): void
  }
  export class PDFDocument {
    static create(): Promise<PDFDocument>
    registerFontkit(fontkit: { create(bytes: Uint8Array): object }): void
    embedFont(bytes: Uint8Array, options: { subset: boolean }): Promise<PDFFont>
    addPage(size: [width: number, height: number]): PDFPage
    save(): Promise<Uint8Array>
  }
  export const rgb: (red: number, green: number, blue: number) => object
}

declare module 'pdfmake' {
  const pdfmake: {
    setUrlAccessPolicy(allow: (url: string) => boolean): void
    setLocalAccessPolicy(allow: (path: string) => boolean): void
    setFonts(fonts: Readonly<Record<string, { readonly normal: string }>>): void
    /** @param definition see https://pdfmake.github.io/docs/0.3/document-definition-object/ */
    createPdf(definition: object): { getBuffer(): Promise<Uint8Array> }
  }
  export default pdfmake
}
