/**
 * What a `SlipService` needs beside what a test looks at. For tests, and for the programs that they start: Vitest is not
 * loaded here.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { NewQrCode } from '../../electron/contract/loyalty.ts'
import { SlipPdfRenderer } from '../../electron/main/slip-pdf/slip-pdf-renderer.ts'
import type { SlipPrintSettings } from '../../electron/main/slips/print-jobs.ts'
import type { SlipServiceDependencies } from '../../electron/main/slips/slip-service.ts'
import { noOpLogger } from './no-op-logger.ts'
import { business } from './sample-business.ts'

export const fontsFolder = fileURLToPath(new URL('../../resources/fonts', import.meta.url))

/** Slips are saved to the folder, one printout each. */
export const folderSettings: SlipPrintSettings = {
  printer: { destination: { kind: 'folder' }, paperSize: '80mm' },
  copies: 1,
  oneJob: false
}

/** Returns a response to `POST /qr`. */
export const qrCode = (code: string, points: number): NewQrCode => ({
  code,
  qrURL: `https://loyalty.example/q/${encodeURIComponent(code)}`,
  qrImageURL: null,
  rewardPoints: points,
  status: 'active',
  usedDate: null,
  createdAt: '2026-11-21T12:05:33.000Z',
  updatedAt: null
})

/** The dependencies of a service whose journal and slips are in `folder`, and which has no printer. */
export const slipDependencies = (folder: string): Omit<SlipServiceDependencies, 'createQr'> => ({
  journalFile: join(folder, 'journal.db'),
  slipsFolder: join(folder, 'slips'),
  pdfRenderer: new SlipPdfRenderer(fontsFolder),
  printOnPrinter: () => Promise.reject(new Error('No printer is set')),
  settings: () => folderSettings,
  now: () => new Date(),
  currentBusiness: () => business,
  onSlip: () => undefined,
  onBatch: () => undefined,
  log: noOpLogger
})
