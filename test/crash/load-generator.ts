/**
 * Issues slips and batches under load until it is killed:
 * `node load-generator.ts <folder> <base URL> <seed> <first points>`. It prints `ready` when it is loaded, and
 * starts at the first byte of standard input. Then it prints a byte for each change of a slip or a batch that is on disk.
 * Each slip and each batch carries different points, which identify the requests and the service's codes.
 * `<folder>/pressed` gets a line for each intent before it is issued, `<folder>/issued` one for each code that `onSlip`
 * reported.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import type { IssueRequest } from '../../electron/contract/slips.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { openTestSlips } from '../support/slip-service.ts'
import { appendLine, readLines } from './journal-lines.ts'
import { stderrLog } from './stderr-log.ts'

const [folder = '', baseUrl = '', seed = '', firstPoints = ''] = process.argv.slice(2)
const random = seededRandom(Number(seed))
const happens = (chance: number): boolean => random() < chance
const pressedFile = join(folder, 'pressed')
const issuedFile = join(folder, 'issued')
let points = Number(firstPoints)

// Otherwise loaded with the first request and the first layout: a process that is killed soon would not get to them.
await Promise.all([
  import('../../electron/main/loyalty/http-client.ts'),
  import('../../electron/main/slip-pdf/slip-pdf-renderer.ts')
])
/** Reports a change with one byte. */
const reportChange = (): void => {
  process.stdout.write('.')
}
process.stdout.write('ready\n')
await new Promise((resolve) => process.stdin.once('data', resolve))

const service = new LoyaltyClient({
  baseUrl: `${baseUrl}/`,
  token: 'demo',
  fetch,
  languages: { screen: 'en' }
})
const slips = openTestSlips(folder, {
  createQr: (wanted) => service.createQr(wanted),
  onSlip: ({ intentId, code, state }) => {
    if (state === 'issued') appendLine(issuedFile, { intentId, code })
  },
  log: { ...stderrLog, info: reportChange, warn: reportChange }
})

const newRequest = (): IssueRequest => {
  const press = {
    intentId: randomUUID(),
    points: (points += 1),
    customer: null,
    copies: happens(0.3) ? 2 : 1
  }
  appendLine(pressedFile, press)
  return press
}
/** Requests of earlier processes: after a restart they must have the same outcome. */
const earlier = readLines(pressedFile) as IssueRequest[]

/** One cashier: issues, repeats calls, repeats earlier requests, reprints. */
async function serve(): Promise<void> {
  for (;;) {
    const again = earlier[Math.floor(random() * earlier.length)]
    const press = again !== undefined && happens(0.2) ? again : newRequest()
    const presses = [slips.counter.issue(press), ...(happens(0.3) ? [slips.counter.issue(press)] : [])]
    if (happens(0.2)) presses.push(slips.printouts.print(press))
    await Promise.all(presses)
    if (happens(0.6)) await slips.printouts.reprint(press)
  }
}

/** Resumes an unfinished batch, or starts one. */
async function runBatch(): Promise<void> {
  const unfinished = slips.queries.unfinishedBatches()
  const [batch] = unfinished.ok ? unfinished.value : []
  if (batch !== undefined) {
    await slips.batches.resume({ batchId: batch.batchId, issueUnknownAgain: happens(0.5) })
  } else {
    await slips.batches.start({ batchId: randomUUID(), points: (points += 1), count: 25, oneJob: false })
  }
}

await runBatch()
await Promise.all([serve(), serve()])
