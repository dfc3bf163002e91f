/** Personal data of customers: how long the till keeps it, and what it removes on request. */
import * as v from 'valibot'

/** The choices of days after which the till removes something; null: never. */
export const RETENTION_DAYS = {
  /** PDFs of printed slips in the slips folder; a reprint makes them again */
  pdfs: [7, 30, 90, 365],
  /** names and ids of customers in the journal */
  names: [90, 365, 730],
  /** journals that were damaged or replaced */
  quarantinedJournals: [30, 90, 365],
  /** whole slips in the journal; their sums stay */
  slips: [730, 1825, 3650]
} as const

const days = <const Choices extends readonly number[]>(choices: Choices) => v.nullable(v.picklist(choices))

export const retentionSettingsSchema = v.strictObject({
  pdfs: days(RETENTION_DAYS.pdfs),
  names: days(RETENTION_DAYS.names),
  quarantinedJournals: days(RETENTION_DAYS.quarantinedJournals),
  slips: days(RETENTION_DAYS.slips)
})
export type RetentionSettings = v.InferOutput<typeof retentionSettingsSchema>

/** The retention of a new till. */
export const DEFAULT_RETENTION_SETTINGS: RetentionSettings = {
  pdfs: 30,
  names: null,
  quarantinedJournals: 90,
  slips: null
}

/** A customer as the page knows it. */
export interface CustomerReference {
  readonly id: string
  readonly name: string
}

/** The progress of forgetting a customer, in steps of different length. */
export interface ForgettingProgress {
  readonly done: number
  readonly total: number
}

/** The outcome of forgetting a customer. */
export type ForgettingResult =
  | {
      readonly kind: 'forgotten'
      /** slips in the journal that named the customer */
      readonly slips: number
      /** removed PDFs */
      readonly pdfs: number
      /** backups and other copies of the journal that named the customer */
      readonly copies: number
    }
  /** A file could not be changed, for example because the disk is full: the next start continues. */
  | { readonly kind: 'unfinished' }
  /** Nothing was removed: a batch runs, or a slip is being issued or printed. */
  | { readonly kind: 'wait'; readonly for: 'batch' | 'slip' }
