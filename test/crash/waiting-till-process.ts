/**
 * A till whose points service answers when the parent says so: `fork('waiting-till-process.ts', [FOLDER, INTENT
 * ID])`. It sends `requested`, waits for a message, and sends the result of the issued slip after its printout.
 */
import { once } from 'node:events'
import { ok } from '../../electron/contract/failure.ts'
import { qrCode, openTestSlips } from '../support/slip-service.ts'
import { stderrLog } from './stderr-log.ts'

const [folder = '', intentId = ''] = process.argv.slice(2)
const slips = openTestSlips(folder, {
  now: () => new Date('2026-11-21T12:05:33.000Z'),
  createQr: async (points) => {
    process.send?.('requested')
    await once(process, 'message')
    return ok({ ...qrCode('A', points), createdAt: null })
  },
  log: stderrLog
})
await slips.counter.issue({ intentId, points: 250, customer: null })
const printed = await slips.printouts.print({ intentId })
await slips.close()
process.send?.(printed)
process.disconnect()
