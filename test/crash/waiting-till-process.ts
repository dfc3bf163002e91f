/**
 * A till whose points service answers when the parent says so: `fork('waiting-till-process.ts', [FOLDER, FONTS, INTENT
 * ID])`. It sends `requested`, waits for a message, and sends the result of the issued slip after its printout.
 */
import { once } from 'node:events'
import { join } from 'node:path'
import { ok } from '../../electron/contract/failure.ts'
import { SlipPdfRenderer } from '../../electron/main/slip-pdf/slip-pdf-renderer.ts'
import { SlipService } from '../../electron/main/slips/slip-service.ts'
import { business } from '../support/sample-business.ts'
import { stderrLog } from './stderr-log.ts'

const [folder = '', fontsFolder = '', intentId = ''] = process.argv.slice(2)
const slips = await SlipService.open({
  journalFile: join(folder, 'journal.db'),
  slipsFolder: join(folder, 'slips'),
  pdfRenderer: new SlipPdfRenderer(fontsFolder),
  now: () => new Date('2026-11-21T12:05:33.000Z'),
  currentBusiness: () => business,
  createQr: async (points) => {
    process.send?.('requested')
    await once(process, 'message')
    return ok({
      code: 'A',
      qrURL: 'https://loyalty.example/q/A',
      qrImageURL: null,
      rewardPoints: points,
      status: '',
      usedDate: null,
      createdAt: null,
      updatedAt: null
    })
  },
  settings: () => ({
    printer: { destination: { kind: 'folder' }, paperSize: '80mm' },
    copies: 1,
    oneJob: false
  }),
  printOnPrinter: () => Promise.reject(new Error('No printer is set')),
  onBatch: () => undefined,
  onSlip: () => undefined,
  log: stderrLog
})
await slips.issue({ intentId, points: 250, customer: null })
const printed = await slips.print({ intentId })
await slips.close()
process.send?.(printed)
process.disconnect()
