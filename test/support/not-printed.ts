import type { PrintFault } from '../../electron/contract/printing.ts'

/** The result of a slip that was not printed, or perhaps in part. */
export const notPrinted = (fault: PrintFault, mayStillPrint: boolean) => ({
  ok: false,
  failure: { kind: 'not-printed', fault, mayStillPrint }
})
