import type { PrintDestination } from '../../../electron/contract/printing.ts'
import type { SlipState } from '../../../electron/contract/till.ts'
import { formatNumber } from '../format/numbers.ts'
import { points as pointsOf } from './common.ts'

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

export const attentionWhy = {
  print: (): string => 'It has a code and no paper.',
  'mark-given': (): string => 'Its paper may have come out. Look at the printer first.',
  discard: (): string => 'We don’t know whether this code was made. No slip was printed, so nobody holds it.'
}
export const markAsGiven = (): string => 'Mark as given'
export const discard = (): string => 'Discard'
export const discardTitle = ({ points }: { points: number }): string => `Discard ${pointsOf({ points })}?`
export const discardHint = (): string =>
  'The slip leaves this list, and nobody will print its code. It stays in the history with your reason.'
export const reason = (): string => 'Reason'
export const reasonHint = (): string => 'A few words, such as “typed twice”'
export const reasonMissing = (): string => 'Type a reason first.'
export const keepSlip = (): string => 'Keep it'
export const reprint = (): string => 'Reprint'
export const reprinting = (): string => 'Reprinting'
export const history = (): string => 'History'
export const searchSlips = (): string => 'Search slips'
export const searchSlipsHint = (): string => 'Code or name'
export const fromDay = (): string => 'From'
export const toDay = (): string => 'To'
export const onlyOf = ({ name }: { name: string }): string => `Only ${name}`
export const clearSearch = (): string => 'Clear search'
export const nothingFound = (): string => 'No slip matches.'
export const nothingFoundHint = (): string => 'Search for the beginning of a code or a name, or other days.'
export const exportCsv = (): string => 'Export as CSV'
export const exporting = (): string => 'Exporting'
export const exported = ({ slips, file }: { slips: number; file: string }): string =>
  `${slipsCounted({ count: slips })} written to ${file}`
export const slipsCounted = ({ count }: { count: number }): string =>
  count === 1 ? '1 slip' : `${formatNumber(count)} slips`
export const slipDetails = (): string => 'Slip'
export const closeDetails = (): string => 'Close details'
export const slipsOfCustomer = (): string => 'All slips of this customer'
export const copiesPrinted = ({ count }: { count: number }): string =>
  count === 1 ? '1 copy' : `${String(count)} copies`
export const askedFor = (): string => 'Asked for'
export const issuedAt = (): string => 'Issued'
export const printedAt = (): string => 'Printed'
export const destinationLabel = (): string => 'Where to'
export const copiesLabel = (): string => 'Copies'
export const lastCopy = (): string => 'Last copy'
export const reasonLabel = (): string => 'Why'
export const noteLabel = (): string => 'Note'
export const batchLabel = (): string => 'Batch'
export const batchPlace = ({ position }: { position: number }): string => `Slip ${formatNumber(position)}`
export const destinationOf = (destination: PrintDestination): string => {
  switch (destination.kind) {
    case 'folder':
      return 'Slips folder'
    case 'queue':
      return destination.name
    case 'network-printer':
      return `${destination.host}:${String(destination.port)}`
  }
}

export const noSlips = (): string => 'No slips yet.'
export const noSlipsHint = (): string => 'What this till prints is listed here, newest first.'
export const needsAttention = (): string => 'Needs attention'
export const noCustomer = (): string => 'No customer'
export const noCode = (): string => 'No code'
export const practiceSlip = (): string => 'Practice'

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
