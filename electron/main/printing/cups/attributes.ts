/** What CUPS tells of queues and jobs, read from IPP attributes into the till's own words. */
import { GROUP, type IppAnswer, type IppAttributes, type IppValue } from './ipp-message.ts'

/** printer-state (RFC 8011, 5.4.11). */
export const PRINTER_STATE = { idle: 3, processing: 4, stopped: 5 } as const

/** job-state (RFC 8011, 5.3.7). */
export const JOB_STATE = {
  pending: 3,
  held: 4,
  processing: 5,
  stopped: 6,
  cancelled: 7,
  aborted: 8,
  completed: 9
} as const

export interface CupsQueue {
  readonly name: string
  readonly description: string
  /** one of PRINTER_STATE, or 0 when it is not told */
  readonly state: number
  /** keywords with a severity at their end: `media-empty-error` */
  readonly reasons: readonly string[]
  readonly message: string
  readonly accepting: boolean
}

export interface CupsJob {
  /** one of JOB_STATE, or 0 when it is not told */
  readonly state: number
  readonly reasons: readonly string[]
  /** what the printer said last about this job, in English */
  readonly message: string
}

export const QUEUE_ATTRIBUTES = [
  'printer-name',
  'printer-info',
  'printer-location',
  'printer-make-and-model',
  'printer-state',
  'printer-state-reasons',
  'printer-state-message',
  'printer-is-accepting-jobs'
] as const

export const JOB_ATTRIBUTES = ['job-state', 'job-state-reasons', 'job-printer-state-message'] as const

const isText = (value: IppValue): value is string => typeof value === 'string'

const text = (attributes: IppAttributes, name: string): string =>
  attributes.get(name)?.find(isText)?.trim() ?? ''

const number = (attributes: IppAttributes, name: string): number =>
  attributes.get(name)?.find((value) => typeof value === 'number') ?? 0

/** Keywords; the one that means "nothing" is left out. */
const keywords = (attributes: IppAttributes, name: string): readonly string[] =>
  (attributes.get(name) ?? []).filter(isText).filter((keyword) => keyword !== 'none')

/** The queues of an answer. */
export const queuesOf = ({ groups }: IppAnswer): readonly CupsQueue[] =>
  groups
    .filter(({ tag }) => tag === GROUP.printer)
    .map(({ attributes }) => ({
      name: text(attributes, 'printer-name'),
      description:
        text(attributes, 'printer-info') ||
        text(attributes, 'printer-location') ||
        text(attributes, 'printer-make-and-model'),
      state: number(attributes, 'printer-state'),
      reasons: keywords(attributes, 'printer-state-reasons'),
      message: text(attributes, 'printer-state-message'),
      // a server that does not tell lets the job decide
      accepting: attributes.get('printer-is-accepting-jobs')?.[0] !== false
    }))

/** The number of the job that an answer tells of, or null. */
export const jobNumberOf = ({ groups }: IppAnswer): number | null =>
  groups
    .find(({ tag }) => tag === GROUP.job)
    ?.attributes.get('job-id')
    ?.find((value) => typeof value === 'number') ?? null

/** The job of an answer, or null when it holds none. */
export function jobOf({ groups }: IppAnswer): CupsJob | null {
  const attributes = groups.find(({ tag }) => tag === GROUP.job)?.attributes
  if (attributes === undefined) return null
  return {
    state: number(attributes, 'job-state'),
    reasons: keywords(attributes, 'job-state-reasons'),
    message: text(attributes, 'job-printer-state-message')
  }
}
