/** What a till did on one day, or on several: the numbers of the day view and of the printed report. */
import type { SlipState } from './till.ts'

/** Days of the calendar in the business's time zone, `YYYY-MM-DD`; `to` is included. */
export interface ReportRange {
  readonly from: string
  readonly to: string
}

/** How finely a report is cut: a day into hours, weeks into days, longer ranges into months or years. */
export const REPORT_STEPS = ['hour', 'day', 'month', 'year'] as const
export type ReportStep = (typeof REPORT_STEPS)[number]

/** What went out within one step. */
export interface ReportPart {
  /** its first moment, ISO 8601, UTC */
  readonly start: string
  /** slips with a code that were not discarded */
  readonly slips: number
  /** points that those slips carry */
  readonly points: number
}

/** Slips asked for within a range, of the business that the till serves. */
export interface SlipsReport {
  readonly range: ReportRange
  /** IANA name; the clock that days and hours are of */
  readonly timeZone: string
  readonly step: ReportStep
  /** every step of the range, in order, also those without a slip */
  readonly parts: readonly ReportPart[]
  /** sums of the parts */
  readonly slips: number
  readonly points: number
  /** papers marked COPY of all slips in the range, whenever they were printed */
  readonly copies: number
  /** all slips of the range by how they stand now */
  readonly states: Readonly<Record<SlipState, number>>
}
