/** A document as the commands of a receipt printer. */
import type { CodeStyle } from '../../../contract/printing.ts'
import type { PrintJob } from '../job.ts'
import { rasterise } from './raster.ts'
import { encodeReceipt } from './receipt.ts'

/** Draws each page for a head of `width` dots and encodes it. Rejects with `UnreadablePdf`. */
export const drawReceipt = async (job: PrintJob, width: number, code: CodeStyle): Promise<Uint8Array> =>
  encodeReceipt(await rasterise(job.pdf, width), job, code)
