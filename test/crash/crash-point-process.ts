/**
 * A process that issues and prints one slip, and kills itself at a crash point:
 * `node crash-point-process.ts <folder> <fonts> <intent id> <crash point>`. Each call of the service adds a line to
 * `<folder>/requests`.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { ok } from '../../electron/contract/failure.ts'
import { business } from '../support/sample-business.ts'
import { stderrLog } from './stderr-log.ts'
import { SlipService } from '../../electron/main/slips/slip-service.ts'
import { SlipPdfRenderer } from '../../electron/main/slip-pdf/slip-pdf-renderer.ts'

const [folder = '', fontsFolder = '', intentId = '', crashPoint = ''] = process.argv.slice(2)
const reach = (here: string): void => {
  if (here === crashPoint) process.kill(process.pid, 'SIGKILL')
}
/** The crash points at which the clock is read, in order. */
const clockReadings = [
  'opening',
  'before the request is on disk',
  'before the service is called',
  'before the code is on disk',
  'before the print is on disk'
]

const slips = new SlipService({
  journalFile: join(folder, 'journal.db'),
  slipsFolder: join(folder, 'slips'),
  pdfRenderer: new SlipPdfRenderer(fontsFolder),
  now: () => {
    reach(clockReadings.shift() ?? '')
    return new Date('2026-11-21T12:05:33.000Z')
  },
  currentBusiness: () => business,
  createQr: (points) => {
    appendFileSync(join(folder, 'requests'), `${String(points)}\n`)
    reach('service called')
    return Promise.resolve(
      ok({
        code: 'A',
        qrURL: 'https://loyalty.example/q/A',
        qrImageURL: null,
        rewardPoints: points,
        status: '',
        usedDate: null,
        createdAt: null,
        updatedAt: null
      })
    )
  },
  settings: () => ({
    printer: { destination: { kind: 'folder' }, paperSize: '80mm' },
    copies: 1,
    oneJob: false
  }),
  printOnPrinter: () => Promise.reject(new Error('No printer is set')),
  onBatch: () => undefined,
  onSlip: ({ state }) => {
    reach(state)
  },
  log: stderrLog
})
await slips.issue({ intentId, points: 250, customer: null })
await slips.print({ intentId })
await slips.close()
