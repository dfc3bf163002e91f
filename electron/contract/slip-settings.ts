/** What a till's slips say beside the business, the points and the code. Their paper is the printer's: `printing.ts`. */
import * as v from 'valibot'
import { PAPERS } from './printing.ts'

/** Longest texts, in characters: what still looks well on the narrowest roll. */
export const SLIP_TEXT_LENGTHS = { headline: 60, footer: 200, tillName: 40 } as const

const text = (longest: number) => v.pipe(v.string(), v.trim(), v.maxLength(longest))

export const slipSettingsSchema = v.strictObject({
  /** above the points; empty: the slip's own words */
  headline: text(SLIP_TEXT_LENGTHS.headline),
  /** the last line; empty: none */
  footer: text(SLIP_TEXT_LENGTHS.footer),
  /** tells the tills of a business apart; empty: not printed */
  tillName: text(SLIP_TEXT_LENGTHS.tillName),
  /** whether the name of the chosen customer is printed */
  customerName: v.boolean(),
  /** whether the business's logo is printed, when it has one */
  logo: v.boolean(),
  /** whether a second QR code leads new customers to the business's `getStartedLink`, when it has one */
  joinUs: v.boolean()
})
export type SlipSettings = v.InferOutput<typeof slipSettingsSchema>

/** What slips look like before anybody chose. */
export const DEFAULT_SLIP_SETTINGS: SlipSettings = {
  headline: '',
  footer: '',
  tillName: '',
  customerName: true,
  logo: true,
  joinUs: false
}

/** Settings to draw a sample slip with, saved or not. */
export const slipPreviewInputSchema = v.strictObject({
  paper: v.picklist(PAPERS),
  slip: slipSettingsSchema
})
export type SlipPreviewInput = v.InferOutput<typeof slipPreviewInputSchema>

/** A sample slip as it would print. */
export interface SlipPreview {
  /** a picture of its paper, as a `data:` address */
  readonly image: string
  readonly widthMillimetres: number
  readonly heightMillimetres: number
  /** characters that no font of the till has, each once: a mark is printed in their place */
  readonly missing: readonly string[]
}
