/** From a document to a PDF: what the rest of the slips may use of the layout. */
export { createSlipLayout } from './layout.ts'
export { createReportLayout } from './report-layout.ts'
export { createFontStore } from './text/font-store.ts'
