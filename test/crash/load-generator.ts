/**
 * A till under load until somebody kills it; run as a program of its own:
 * `node load-generator.ts <folder> <fonts> <base address> <seed> <first points>`. It is loaded when it says `ready`, and
 * begins at the first byte it is sent. From then on it says a byte for each change of a slip or a batch that is on
 * the disk. Each slip and each batch carries points of its own, by which the wire and the service tell them apart.
 * `<folder>/pressed` gets a note of each intent before it is pressed, `<folder>/issued` one of each code that the
 * page heard of.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createLoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import { createSlips, type IssueRequest } from '../../electron/main/slips/slip-service.ts'
import { SlipPdfRenderer } from '../../electron/main/slip-pdf/slip-pdf-renderer.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { business } from '../support/sample-business.ts'
import { addNote, notesIn } from './journal-lines.ts'
import { stderrLog } from './stderr-log.ts'

const [folder = '', fontsFolder = '', baseUrl = '', seed = '', firstPoints = ''] = process.argv.slice(2)
const random = seededRandom(Number(seed))
const happens = (chance: number): boolean => random() < chance
const pressedFile = join(folder, 'pressed')
const issuedFile = join(folder, 'issued')
let points = Number(firstPoints)

// Loaded for the first request and the first paper otherwise: a till that lives for moments would never get to them.
await Promise.all([
  import('../../electron/main/loyalty/http-client.ts'),
  import('../../electron/main/slip-pdf/slip-pdf-renderer.ts')
])
/** Tells that something was written, with a byte for each time. */
const tellChange = (): void => {
  process.stdout.write('.')
}
process.stdout.write('ready\n')
await new Promise((resolve) => process.stdin.once('data', resolve))

const service = createLoyaltyClient({
  baseUrl: `${baseUrl}/`,
  token: 'demo',
  fetch,
  language: () => 'en',
  qrImageParameter: () => null
})
const slips = createSlips({
  journalFile: join(folder, 'journal.db'),
  slipsFolder: join(folder, 'slips'),
  pdfRenderer: new SlipPdfRenderer(fontsFolder),
  createQr: (wanted) => service.createQr(wanted),
  printOnPrinter: () => Promise.reject(new Error('No printer is set')),
  settings: () => ({ printer: { destination: { kind: 'folder' }, paper: '80mm' }, copies: 1, oneJob: false }),
  now: () => new Date(),
  currentBusiness: () => business,
  onSlip: ({ intentId, code, state }) => {
    if (state === 'issued') addNote(issuedFile, { intentId, code })
  },
  onBatch: () => undefined,
  log: { ...stderrLog, info: tellChange, warn: tellChange }
})
if (slips.notices.length > 0) process.stderr.write(`${JSON.stringify(slips.notices)}\n`)

const newPress = (): IssueRequest => {
  const press = {
    intentId: randomUUID(),
    points: (points += 1),
    customer: null,
    copies: happens(0.3) ? 2 : 1
  }
  addNote(pressedFile, press)
  return press
}
/** A press of some till before: after a restart it must come to the same. */
const earlier = notesIn(pressedFile) as IssueRequest[]

/** One cashier: issues, presses twice, presses what was pressed before, reprints. */
async function serve(): Promise<void> {
  for (;;) {
    const again = earlier[Math.floor(random() * earlier.length)]
    const press = again !== undefined && happens(0.2) ? again : newPress()
    const presses = [slips.issue(press), ...(happens(0.3) ? [slips.issue(press)] : [])]
    if (happens(0.2)) presses.push(slips.print(press))
    await Promise.all(presses)
    if (happens(0.6)) await slips.reprint(press)
  }
}

/** Goes on with a batch that is there, or starts one. */
async function promote(): Promise<void> {
  const unfinished = slips.unfinishedBatches()
  const [batch] = unfinished.ok ? unfinished.value : []
  if (batch !== undefined) {
    await slips.batches?.resume({ batchId: batch.batchId, issueUnknownAgain: happens(0.5) })
  } else {
    await slips.batches?.start({ batchId: randomUUID(), points: (points += 1), count: 25, oneJob: false })
  }
}

await promote()
await Promise.all([serve(), serve()])
