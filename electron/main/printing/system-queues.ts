import type { Result } from '../../contract/failure.ts'
import type { Printer, SystemQueue } from '../../contract/printing.ts'
import type { PrintAnswer, PrintJob } from './job.ts'

/** The queues of an operating system. Neither call rejects for anything that a print system may do. */
export interface SystemQueues {
  /** Every queue, as known now. */
  list(): Promise<Result<readonly Printer[]>>
  /**
   * A job for this queue is in the making: what is asked before it is sent is asked meanwhile, where that takes time.
   */
  expect?(queue: SystemQueue): void
  /** Prints and waits for the end; `signal` gives the job up. */
  print(job: PrintJob, queue: SystemQueue, signal: AbortSignal): Promise<PrintAnswer>
}
