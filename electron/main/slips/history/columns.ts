/** What a slip is in a spreadsheet. */
import type { Failure } from '../../../contract/failure.ts'
import type { Slip } from '../../../contract/till.ts'
import { localTimes } from './days.ts'

/** Names of the columns; `timeZone` says which clock the times are of. */
export const columnNames = (timeZone: string): string[] => [
  `Asked for (${timeZone})`,
  `Issued (${timeZone})`,
  `Printed (${timeZone})`,
  `Shown (${timeZone})`,
  'State',
  'Points',
  'Code',
  'URL',
  'Customer',
  'Customer id',
  'Cashier',
  'Cashier id',
  'Copies',
  'Destination',
  'Reason',
  `Ended by hand (${timeZone})`,
  'Note',
  'Batch',
  'Training',
  'Intent'
]

const reasonOf = (failure: Failure | null): string | null => {
  if (failure === null) return null
  switch (failure.kind) {
    case 'not-printed':
      return failure.fault
    case 'unknown-outcome':
      return failure.cause
    case 'rejected':
      return `${failure.kind} ${String(failure.status)} ${failure.message}`.trim()
    default:
      return failure.kind
  }
}

const destinationOf = ({ destination }: Slip): string | null => {
  if (destination === null) return null
  switch (destination.kind) {
    case 'folder':
      return 'folder'
    case 'queue':
      return destination.name
    case 'network-printer':
      return `${destination.host}:${String(destination.port)}`
  }
}

/** Makes what turns a slip into the fields of `columnNames`, with times of `timeZone`. */
export function slipFields(timeZone: string): (slip: Slip) => (string | number | null)[] {
  const spelled = localTimes(timeZone)
  const time = (moment: string | null): string | null => (moment === null ? null : spelled(moment))
  return (slip) => [
    time(slip.requestedAt),
    time(slip.issuedAt),
    time(slip.printedAt),
    time(slip.shownAt),
    slip.state,
    slip.points,
    slip.code,
    slip.url,
    slip.customer?.name ?? null,
    slip.customer?.id ?? null,
    slip.cashier?.name ?? null,
    slip.cashier?.id ?? null,
    slip.copies,
    destinationOf(slip),
    reasonOf(slip.failure),
    time(slip.ending?.at ?? null),
    slip.ending?.note ?? null,
    slip.batch?.batchId ?? null,
    slip.training ? 'yes' : 'no',
    slip.intentId
  ]
}
