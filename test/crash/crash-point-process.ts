/**
 * A till that is killed at one arrow of a slip's life; run as a program of its own:
 * `node stopping-till.ts <folder> <fonts> <intent id> <arrow>`. Each request that reaches its service adds a line
 * to `<folder>/asked`.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { ok } from '../../electron/contract/failure.ts'
import { business } from '../support/sample-business.ts'
import { stderrLog } from './stderr-log.ts'
import { createSlips } from '../../electron/main/slips/slip-service.ts'
import { SlipPdfRenderer } from '../../electron/main/slip-pdf/slip-pdf-renderer.ts'

const [folder = '', fontsFolder = '', intentId = '', arrow = ''] = process.argv.slice(2)
const reach = (here: string): void => {
  if (here === arrow) process.kill(process.pid, 'SIGKILL')
}
/** The clock is read when the till opens, when points are asked for, when the answer and when the paper is there. */
const readings = [
  'opening',
  'before the request is on disk',
  'before the code is on disk',
  'before the print is on disk'
]

const slips = createSlips({
  journalFile: join(folder, 'journal.db'),
  slipsFolder: join(folder, 'slips'),
  pdfRenderer: new SlipPdfRenderer(fontsFolder),
  now: () => {
    reach(readings.shift() ?? '')
    return new Date('2026-11-21T12:05:33.000Z')
  },
  currentBusiness: () => business,
  createQr: (points) => {
    appendFileSync(join(folder, 'asked'), `${String(points)}\n`)
    reach('service asked')
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
  settings: () => ({ printer: { destination: { kind: 'folder' }, paper: '80mm' }, copies: 1, oneJob: false }),
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
