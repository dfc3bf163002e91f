/**
 * Two cashiers under load, as a child process: `node --expose-gc load-generator.ts PLAN`. They look customers up, issue,
 * repeat calls, reprint, search, resolve slips that need attention, and run batches. After each part of the work, with
 * nothing pending, the process sends a sample of its resources to its parent.
 */
import { randomUUID } from 'node:crypto'
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import { FileLogger } from '../../electron/main/log/log.ts'
import { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import { findCustomers } from '../../electron/main/loyalty/customers.ts'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { Printing } from '../../electron/main/printing/index.ts'
import type { IssueRequest } from '../../electron/contract/slips.ts'
import { SlipPdfRenderer } from '../../electron/main/slip-pdf/slip-pdf-renderer.ts'
import { business } from '../support/sample-business.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { planSchema, SEGMENTS, SIMULATED_MS, type Sample } from './plan.ts'
import { networkPrinter } from '../support/network-printer.ts'
import { openTestSlips } from '../support/slip-service.ts'

const plan = v.parse(planSchema, JSON.parse(process.argv[2] ?? ''))
const random = seededRandom(plan.seed)
const happens = (chance: number): boolean => random() < chance
function oneOf<Item>(items: readonly Item[]): Item {
  const found = items[Math.floor(random() * items.length)]
  if (found === undefined) throw new Error('There is nothing to choose from')
  return found
}

const started = Date.parse('2026-11-21T09:00:00.000Z')
const done = { lookups: 0, slips: 0 }
const progress = (): number => (done.lookups + done.slips) / (plan.lookups + plan.slips)
const now = (): Date => new Date(started + SIMULATED_MS * Math.min(1, progress()))

const log = new FileLogger({ folder: join(plan.folder, 'logs'), echo: () => undefined })
const service = new LoyaltyClient({
  baseUrl: `${plan.baseUrl}/`,
  token: 'demo',
  fetch,
  languages: { screen: 'en' },
  timeoutMs: 400,
  retryDelay: () => 5
})
const pdfRenderer = new SlipPdfRenderer(plan.fontsFolder)
const printing = new Printing({
  platform: process.platform,
  environment: {},
  log,
  timeouts: { job: 2_000, furtherPage: 200, hindrance: 100, response: 300 }
})
const slipsFolder = join(plan.folder, 'slips')
const printer = networkPrinter({ host: plan.printerHost, port: plan.printerPort })
const slips = openTestSlips(plan.folder, {
  pdfRenderer,
  createQr: (points) => service.createQr(points),
  async printOnPrinter(job, to, control) {
    const answer = await printing.print(job, to, control)
    // A printed job is stored like a saved one, so that the invariants count it.
    if (answer.ok) writeFileSync(join(slipsFolder, `${job.fileName}.pdf`), job.pdf)
    return answer
  },
  settings: () => ({
    printer: { destination: happens(0.1) ? printer : { kind: 'folder' }, paperSize: '80mm' },
    copies: 1,
    oneJob: false
  }),
  now,
  currentBusiness: () => business,
  onSlip: ({ intentId, code, state }) => {
    if (state === 'issued') appendFileSync(join(plan.folder, 'issued'), `${intentId} ${String(code)}\n`)
  },
  log
})
slips.backups.start()

/** Memory that is leaked on purpose. */
const leaked: unknown[] = []

/** Each request carries different points, which identify the requests and the service's codes. */
let points = 0
/** Recent requests, which are repeated and reprinted. */
const recent: IssueRequest[] = []

async function lookUp(): Promise<void> {
  done.lookups += 1
  const known = oneOf(KNOWN_CUSTOMERS)
  const text = oneOf([
    known.phone,
    known.phone.replaceAll(/(\d{3})/g, '$1 '),
    known.name,
    known.name.slice(0, 4),
    'zz'
  ])
  await findCustomers(service, { text, page: 1, country: 'GR' })
}

async function issue(): Promise<void> {
  done.slips += 1
  const again = recent[Math.floor(random() * recent.length)]
  const press =
    again !== undefined && happens(0.1)
      ? again
      : { intentId: randomUUID(), points: (points += 1), customer: null, copies: happens(0.1) ? 2 : 1 }
  recent.push(press)
  if (recent.length > 50) recent.shift()
  await Promise.all(
    happens(0.2) ? [slips.counter.issue(press), slips.counter.issue(press)] : [slips.counter.issue(press)]
  )
  await slips.printouts.print(press)
  if (happens(0.2)) await slips.printouts.reprint(press)
  if (plan.leak) {
    leaked.push(Buffer.alloc(20_000).toString('latin1').split(''))
    setInterval(() => undefined, 1_000_000)
  }
}

/** Resolves slips that need attention. */
async function resolveAttention(): Promise<void> {
  const attention = slips.queries.attentionList({ offset: 0 })
  if (!attention.ok) return
  for (const { slip } of attention.value.slips.slice(0, 5)) {
    if (slip.code === null || happens(0.2))
      await slips.printouts.discard({ intentId: slip.intentId, reason: 'Soak' })
    else if (happens(0.3)) await slips.printouts.markGiven({ intentId: slip.intentId })
    else await slips.printouts.print({ intentId: slip.intentId })
  }
  slips.queries.list({ offset: 0, search: { text: 'CODE' } })
}

/** Runs a batch, and resumes it whenever it stops, up to 200 times. */
async function runBatch(): Promise<void> {
  const batchId = randomUUID()
  const count = 10
  done.slips += count
  await slips.batches.start({ batchId, points: (points += 1), count, oneJob: false })
  for (let attempt = 0; attempt < 200; attempt++) {
    await wait(20)
    const unfinished = slips.queries.unfinishedBatches()
    const batch = unfinished.ok ? unfinished.value.find((one) => one.batchId === batchId) : undefined
    if (batch === undefined) return
    if (batch.state === 'stopped' || batch.state === 'paused') {
      await slips.batches.resume({ batchId, issueUnknownAgain: happens(0.5) })
    }
  }
  await slips.batches.cancel({ batchId, unprinted: 'discard' })
}

/** Runs one part of the work; resolves when all of it is done. */
async function work(segment: number): Promise<void> {
  const share = (whole: number): number => (whole * segment) / SEGMENTS
  const serve = async (): Promise<void> => {
    while (done.slips < share(plan.slips) || done.lookups < share(plan.lookups)) {
      const wantsSlip = done.slips / plan.slips <= done.lookups / plan.lookups
      if (wantsSlip) await issue()
      else await lookUp()
      if (happens(0.02)) await resolveAttention()
    }
  }
  await Promise.all([serve(), serve(), ...(segment % 4 === 0 ? [runBatch()] : [])])
}

function descriptors(): number | null {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return null
  }
}

/** Samples the resources, with nothing pending. */
async function sample(): Promise<Sample> {
  // Idle connections are closed meanwhile.
  await wait(20)
  for (let turn = 0; turn < 2; turn++) {
    globalThis.gc?.()
    await wait(5)
  }
  return {
    kind: 'sample',
    ...done,
    heap: process.memoryUsage().heapUsed,
    handles: process.getActiveResourcesInfo().length,
    descriptors: descriptors()
  }
}

for (let segment = 1; segment <= SEGMENTS; segment++) {
  await work(segment)
  process.send?.(await sample())
}
await slips.close()
process.disconnect()
process.exit(0)
