/** Draws the preview of a slip as the till does: the first page of the PDF of its sample. */
import { fileURLToPath } from 'node:url'
import { localeOf, type Language } from '../../../electron/contract/language.ts'
import type { SlipPreviewImage, SlipPreviewInput } from '../../../electron/contract/settings.ts'
import { DEFAULT_SETTINGS } from '../../../electron/main/settings/settings-schema.ts'
import { SlipPdfRenderer } from '../../../electron/main/slip-pdf/slip-pdf-renderer.ts'
import { SampleSlips } from '../../../electron/main/slips/sample-slips.ts'
import { business, tillState } from './sample-data.ts'

const pdfRenderer = new SlipPdfRenderer(fileURLToPath(new URL('../../../resources/fonts', import.meta.url)))

/** `language` is that of slips. */
export type DrawPreview = (input: SlipPreviewInput, language: Language) => Promise<SlipPreviewImage>

/** Rejects when the fonts cannot be read. */
export const drawPreview: DrawPreview = async ({ paperSize, slip }, language) => {
  const samples = new SampleSlips({
    pdfRenderer,
    folder: { save: () => Promise.reject(new Error('A preview is not saved')) },
    business: {
      current: () => ({
        ...business,
        training: false,
        locale: localeOf(language, tillState.country),
        slip,
        expiry: null,
        logo: null
      })
    },
    settings: { values: DEFAULT_SETTINGS },
    now: () => new Date('2026-11-21T12:05:00Z')
  })
  const sample = await samples.layOut(paperSize, slip)
  if (!sample.ok) throw new Error(sample.failure.kind)
  const { pdf, widthMillimetres, heightMillimetres, missing } = sample.value
  const png = await pdfRenderer.renderPreview(pdf)
  const image = png ? `data:image/png;base64,${Buffer.from(png).toString('base64')}` : ''
  return { image, widthMillimetres, heightMillimetres, missing }
}
