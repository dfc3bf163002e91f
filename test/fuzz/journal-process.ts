/**
 * A till that opens a damaged journal, in a process of its own because it may crash or hang. Receives a folder from its
 * parent, and replies with the results of two starts.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { ok, type Result } from '../../electron/contract/failure.ts'
import type { NewQrCode } from '../../electron/contract/loyalty.ts'
import { openSlips } from '../../electron/main/slips/slip-service.ts'
import { qrCode, slipDependencies } from '../support/slip-service.ts'

/** The message of the parent. */
export interface StartRequest {
  readonly folder: string
}

/** The result of one start. */
export interface StartResult {
  /** kinds of the notices */
  readonly notices: readonly string[]
  /** name of the quarantined journal, if any */
  readonly quarantineFile: string | null
  /** codes of the slips in the list; null when the journal could not be read */
  readonly codes: readonly (string | null)[] | null
  /** the state of a slip that is issued after the start, or the kind of the failure */
  readonly issued: string
}

const newCode = (points: number): Promise<Result<NewQrCode>> =>
  Promise.resolve(ok({ ...qrCode(`NEW-${randomUUID()}`, points), createdAt: null }))

async function start({ folder }: StartRequest): Promise<StartResult> {
  const { slips: opened, notices } = openSlips(
    slipDependencies(folder, {
      journalFile: join(folder, 'journal.sqlite'),
      createQr: newCode,
      now: () => new Date('2026-11-21T12:05:33.123Z')
    })
  )
  const kinds = notices.map(({ kind }) => kind)
  if (!opened.ok) return { notices: kinds, quarantineFile: null, codes: [], issued: opened.failure.kind }
  const slips = opened.value
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
  await slips.printouts.reprintLast()
  const press = { intentId: randomUUID(), points: 5, customer: { id: 'c-1', name: 'Ada Lovelace' } }
  const issued = await slips.counter.issue(press)
  const printed = issued.ok ? await slips.printouts.print(press) : issued
  await slips.close()
  const quarantined = notices.find((notice) => notice.kind === 'journal-quarantined')
  return {
    notices: kinds,
    quarantineFile: quarantined?.file ?? null,
    codes: readable ? codes : null,
    issued: printed.ok ? printed.value.slip.state : printed.failure.kind
  }
}

process.on('message', (request: StartRequest) => {
  void (async () => {
    const first = await start(request)
    const second = await start(request)
    process.send?.({ first, second, peakMemory: process.resourceUsage().maxRSS * 1024 })
  })()
})
process.on('disconnect', () => process.exit(0))
