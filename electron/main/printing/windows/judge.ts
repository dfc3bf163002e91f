/** What the Windows spooler tells of a queue or a job, as a fault in the till's words. */
import type { PrintFault } from '../../../contract/printing.ts'
import type { Standing } from '../follow.ts'
import type { WindowsJobs, WindowsQueue } from './answers.ts'

/** Names of the enumerations PrinterStatus and JobStatus; the first that is there tells most. */
const NAMES: readonly (readonly [RegExp, PrintFault])[] = [
  [/DoorOpen/i, 'cover-open'],
  [/PaperOut/i, 'out-of-paper'],
  [/Offline|NotAvailable|ServerUnknown/i, 'printer-offline'],
  [/PaperJam|PaperProblem|NoToner|UserIntervention|OutputBinFull|OutOfMemory/i, 'printer-fault'],
  [/Paused/i, 'queue-paused'],
  [/Error|Blocked/i, 'printer-fault']
]

const faultIn = (names: string): PrintFault | null =>
  NAMES.find(([pattern]) => pattern.test(names))?.[1] ?? null

/** A queue's own hindrance, or null. */
export const queueHindrance = ({ Status, Offline }: WindowsQueue): PrintFault | null =>
  Offline ? 'printer-offline' : faultIn(Status)

/**
 * How the till's job stands. The spooler forgets a job once the printer has it all: a job that is gone was printed.
 * Some drivers keep it as `Printed` or `Complete`.
 */
export function judge({ Queue, Jobs }: WindowsJobs): Standing {
  const [job] = Jobs
  if (job === undefined) return { kind: 'printed' }
  const fault = faultIn(job.Status)
  if (/Printed|Complete/i.test(job.Status) && fault === null) return { kind: 'printed' }
  if (/Delet/i.test(job.Status)) return { kind: 'ended', fault: 'cancelled-at-printer' }
  return {
    kind: 'under-way',
    hindrance: fault ?? faultIn(Queue),
    handedOver: /Printing|Restart|Retained/i.test(job.Status)
  }
}
