/**
 * A process that issues and prints one slip, and kills itself at a crash point:
 * `node crash-point-process.ts <folder> <intent id> <crash point> [keyed]`. Each call of the service adds a line to
 * `<folder>/requests`: the points, or the key if codes are asked for with one.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { ok, type Result } from '../../electron/contract/failure.ts'
import type { NewQrCode } from '../../electron/contract/loyalty.ts'
import { business } from '../support/sample-business.ts'
import { qrCode, openTestSlips } from '../support/slip-service.ts'
import { stderrLog } from './stderr-log.ts'

const [folder = '', intentId = '', crashPoint = '', kind = ''] = process.argv.slice(2)
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

const issue = (asked: string, points: number): Promise<Result<NewQrCode>> => {
  appendFileSync(join(folder, 'requests'), `${asked}\n`)
  reach('service called')
  return Promise.resolve(ok({ ...qrCode('A', points), createdAt: null }))
}

const slips = openTestSlips(folder, {
  currentBusiness: () => (kind === 'keyed' ? { ...business, extensions: ['codes/1'] } : business),
  now: () => {
    reach(clockReadings.shift() ?? '')
    return new Date('2026-11-21T12:05:33.000Z')
  },
  createQr: (points) => issue(String(points), points),
  issueCode: (key, { points }) => issue(key, points),
  onSlip: ({ state }) => {
    reach(state)
  },
  log: stderrLog
})
await slips.counter.issue({ intentId, points: 250, customer: null })
await slips.printouts.print({ intentId })
await slips.close()
