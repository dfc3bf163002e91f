import type { Answer } from '../../contract/failure.ts'
import type { Printer, SystemQueue } from '../../contract/printing.ts'
import type { PrintAnswer, PrintJob } from './job.ts'

/** The queues of an operating system. Neither call rejects for anything that a print system may do. */
export interface SystemQueues {
  /** Every queue, as known now. */
  list(): Promise<Answer<readonly Printer[]>>
  /** Prints and waits for the end; `signal` gives the job up. */
  print(job: PrintJob, queue: SystemQueue, signal: AbortSignal): Promise<PrintAnswer>
}
