/**
 * A till that makes slips without a connection, and tells its service of them, until it is killed:
 * `node offline-process.ts <folder> <base URL> <seed>`, as `operating-process.ts`. It cuts its line by itself.
 */
import { randomUUID } from 'node:crypto'
import { seededRandom } from '../support/seeded-random.ts'
import { openOfflineTill } from './offline-till.ts'
import { stderrLog } from './stderr-log.ts'

const [folder = '', baseUrl = '', seed = ''] = process.argv.slice(2)
const random = seededRandom(Number(seed))

// Otherwise loaded with the first request: a process that is killed soon would not get to it.
await import('../../electron/main/loyalty/http-client.ts')
process.stdout.write('ready\n')
await new Promise((resolve) => process.stdin.once('data', resolve))

const { slips, line } = openOfflineTill(folder, baseUrl, {
  onSlip: () => process.stdout.write('.'),
  log: stderrLog
})
slips.lostAnswers.start()
slips.offlineReports.start()
for (;;) {
  line.isCut = random() < 0.7
  for (let count = Math.floor(random() * 5); count >= 0; count--) {
    const intentId = randomUUID()
    await slips.counter.issue({ intentId, points: 1 + Math.floor(random() * 9), customer: null })
    await slips.printouts.print({ intentId })
  }
  if (!line.isCut) slips.offlineReports.start()
}
