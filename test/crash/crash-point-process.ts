/**
 * A process that issues and prints one slip, and kills itself at a crash point:
 * `node crash-point-process.ts <folder> <intent id> <crash point>`. Each call of the service adds a line to
 * `<folder>/requests`.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { ok } from '../../electron/contract/failure.ts'
import { qrCode, openTestSlips } from '../support/slip-service.ts'
import { stderrLog } from './stderr-log.ts'

const [folder = '', intentId = '', crashPoint = ''] = process.argv.slice(2)
const reach = (here: string): void => {
  if (here === crashPoint) process.kill(process.pid, 'SIGKILL')
}
/** The crash points at which the clock is read, in order. */
const clockReadings = [
  'opening',
  'looking for a backup',
  'before the request is on disk',
  'before the code is on disk',
  'before the print is on disk'
]

const slips = openTestSlips(folder, {
  now: () => {
    reach(clockReadings.shift() ?? '')
    return new Date('2026-11-21T12:05:33.000Z')
  },
  createQr: (points) => {
    appendFileSync(join(folder, 'requests'), `${String(points)}\n`)
    reach('service called')
    return Promise.resolve(ok({ ...qrCode('A', points), createdAt: null }))
  },
  onSlip: ({ state }) => {
    reach(state)
  },
  log: stderrLog
})
await slips.counter.issue({ intentId, points: 250, customer: null })
await slips.printouts.print({ intentId })
await slips.close()
