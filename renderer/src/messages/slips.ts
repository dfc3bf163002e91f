import type { SlipState } from '../../../electron/contract/till.ts'

const STATES: Readonly<Record<SlipState, string>> = {
  requested: 'Asked for',
  issued: 'Not printed yet',
  printing: 'Printing',
  printed: 'Printed',
  'print-failed': 'Did not print',
  unknown: 'Unknown',
  refused: 'Refused',
  given: 'Given by hand',
  discarded: 'Discarded'
}

/** A slip's state in words. */
export const slipState = ({ state }: { state: SlipState }): string => STATES[state]

export const noSlips = (): string => 'No slips yet.'
export const noSlipsHint = (): string => 'What this till prints is listed here, newest first.'
export const needsAttention = (): string => 'Needs attention'
export const noCustomer = (): string => 'No customer'
export const noCode = (): string => 'No code'
export const practiceSlip = (): string => 'Practice'
export const unknownSlip = (): string =>
  'We don’t know whether this code was made. No slip was printed, so nobody holds it. If the customer still waits, issue again.'

export const codes = (): string => 'Codes'
export const checkCode = (): string => 'Check code'
export const checkHint = (): string => 'Scan or type a code'
export const check = (): string => 'Check'
export const checkIntro = (): string => 'See whether a points code has been used.'
export const used = (): string => 'This code has been used'
export const usedOn = ({ date }: { date: string }): string => `This code has been used, on ${date}`
export const notUsed = (): string => 'This code has not been used'
export const usedUnknown = (): string => 'Not known whether this code has been used'
export const serviceSays = ({ status }: { status: string }): string => `The service says “${status}”.`
export const pointsLabel = (): string => 'Points on it'
export const made = (): string => 'Made'
export const issuedHere = (): string => 'Issued by this till'
export const issuedHereFor = ({ name }: { name: string }): string => `Issued by this till for ${name}`
export const issuedElsewhere = (): string => 'Not issued by this till'
export const noSuchCode = (): string => 'The service does not know this code.'
export const noSuchCodeNext = (): string => 'Check it for typing mistakes, or scan it again.'
export const pointsNotSaid = (): string => 'The service did not say'
