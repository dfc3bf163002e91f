/**
 * A till that opens a journal which may be damaged, in a process that may crash or hang. Its parent sends a folder; it
 * answers with what the till made of it, and once more after a restart.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { ok, type Result } from '../../electron/contract/failure.ts'
import type { NewQrCode } from '../../electron/contract/loyalty.ts'
import { SlipService } from '../../electron/main/slips/slip-service.ts'
import { SlipPdfRenderer } from '../../electron/main/slip-pdf/slip-pdf-renderer.ts'
import { business } from '../support/sample-business.ts'
import { noOpLogger } from '../support/no-op-logger.ts'

/** What the parent sends. */
export interface Order {
  readonly folder: string
  readonly fontsFolder: string
}

/** What one start of the till came to. */
export interface Start {
  /** kinds of the notices, and the file that was set aside */
  readonly notices: readonly string[]
  readonly quarantineFile: string | null
  /** codes of the slips in the list; null when the journal could not be read */
  readonly codes: readonly (string | null)[] | null
  /** the state of a slip that is issued now, or why there is none */
  readonly issued: string
}

const newCode = (points: number): Promise<Result<NewQrCode>> => {
  const code = `NEW-${randomUUID()}`
  return Promise.resolve(
    ok({
      code,
      qrURL: `https://loyalty.example/q/${code}`,
      qrImageURL: null,
      rewardPoints: points,
      status: 'active',
      usedDate: null,
      createdAt: null,
      updatedAt: null
    })
  )
}

async function start({ folder, fontsFolder }: Order): Promise<Start> {
  const slips = new SlipService({
    journalFile: join(folder, 'journal.sqlite'),
    slipsFolder: join(folder, 'slips'),
    pdfRenderer: new SlipPdfRenderer(fontsFolder),
    createQr: newCode,
    printOnPrinter: () => Promise.reject(new Error('No printer is set')),
    settings: () => ({
      printer: { destination: { kind: 'folder' }, paperSize: '80mm' },
      copies: 1,
      oneJob: false
    }),
    now: () => new Date('2026-11-21T12:05:33.123Z'),
    currentBusiness: () => business,
    onSlip: () => undefined,
    onBatch: () => undefined,
    log: noOpLogger
  })
  const codes: (string | null)[] = []
  let readable = true
  for (let more = true; more && readable;) {
    const page = slips.queries.list({ offset: codes.length })
    readable = page.ok
    more = page.ok && page.value.hasMore && page.value.slips.length > 0
    if (page.ok) codes.push(...page.value.slips.map(({ code }) => code))
  }
  slips.queries.attention()
  slips.queries.attentionList({ offset: 0 })
  slips.queries.unfinishedBatches()
  slips.queries.list({ offset: 0, search: { text: 'Ada' } })
  slips.queries.byCode('CODE-1')
  await slips.reprintLast()
  const press = { intentId: randomUUID(), points: 5, customer: { id: 'c-1', name: 'Ada Lovelace' } }
  const issued = await slips.issue(press)
  const printed = issued.ok ? await slips.print(press) : issued
  const { notices } = slips
  await slips.close()
  const aside = notices.find((notice) => notice.kind === 'journal-quarantined')
  return {
    notices: notices.map(({ kind }) => kind),
    quarantineFile: aside?.file ?? null,
    codes: readable ? codes : null,
    issued: printed.ok ? printed.value.slip.state : printed.failure.kind
  }
}

process.on('message', (order: Order) => {
  void (async () => {
    const first = await start(order)
    const second = await start(order)
    process.send?.({ first, second, peakMemory: process.resourceUsage().maxRSS * 1024 })
  })()
})
process.on('disconnect', () => process.exit(0))
