/**
 * Prints slips on a receipt printer until it is killed: `node receipt-process.ts <folder> <fonts> <settings of the
 * printer as JSON>`. First it prints what the previous process left unfinished, as a cashier who presses the button once
 * for each slip. It adds a line to `<folder>/presses` before each press, and prints a byte for each change of a slip.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import * as v from 'valibot'
import { ok } from '../../electron/contract/failure.ts'
import { printDestinationSchema } from '../../electron/contract/printing.ts'
import { Printing } from '../../electron/main/printing/index.ts'
import { SlipPdfRenderer } from '../../electron/main/slip-pdf/slip-pdf-renderer.ts'
import { noOpLogger } from '../support/no-op-logger.ts'
import { fontsFolder, qrCode, openTestSlips } from '../support/slip-service.ts'
import { appendLine } from './journal-lines.ts'
import { stderrLog } from './stderr-log.ts'

const [folder = '', settings = ''] = process.argv.slice(2)
const destination = v.parse(v.pipe(v.string(), v.parseJson(), printDestinationSchema), settings)
const pdfRenderer = new SlipPdfRenderer(fontsFolder)
const printing = new Printing({
  platform: process.platform,
  environment: process.env,
  log: noOpLogger
})
const slips = openTestSlips(folder, {
  pdfRenderer,
  createQr: (points) => Promise.resolve(ok(qrCode(randomUUID(), points))),
  settings: () => ({ printer: { destination, paperSize: '58mm' }, copies: 1, oneJob: false }),
  printOnPrinter: (job, to, control) => printing.print(job, to, control),
  onSlip: () => process.stdout.write('.'),
  log: stderrLog
})

const print = async (intentId: string): Promise<void> => {
  appendLine(join(folder, 'presses'), { intentId })
  await slips.printouts.print({ intentId })
}

const found = slips.queries.list({ offset: 0 })
if (!found.ok) throw new Error('The slips cannot be read')
for (const { intentId, state } of found.value.slips) {
  if (state === 'issued' || state === 'print-failed') await print(intentId)
}
for (;;) {
  const intentId = randomUUID()
  await slips.counter.issue({ intentId, points: 250, customer: null })
  await print(intentId)
}
