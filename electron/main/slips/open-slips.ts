/** The life of a slip where there is a journal: each call of the bridge, put together from its parts. */
import { err, ok, type Result } from '../../contract/failure.ts'
import type { HandingOver, IssuedSlip, Slip } from '../../contract/till.ts'
import { createBatches } from './batches/batches.ts'
import { scopeOf } from './business.ts'
import { createDeliver } from './delivery/destination.ts'
import { createFolder } from './delivery/folder.ts'
import { createHandOver } from './handing-over.ts'
import { createIssuing, type Issuing } from './issuing.ts'
import type { Journal } from './journal/journal.ts'
import type { JournalRow } from './journal/row.ts'
import { canCopy, nextState, type SlipEvent } from './journal/states.ts'
import { drawQr } from '../slip-pdf/qr.ts'
import type { Slips, SlipsOptions } from './options.ts'
import type { LayingOut } from './print-jobs/lay-out.ts'
import { createPapers } from './print-jobs/papers.ts'
import { sampleOf } from './print-jobs/samples.ts'
import { createPrintQueue } from './print-jobs/print-queue.ts'
import { createSheets } from './print-jobs/sheets.ts'
import { createReading } from './reading.ts'
import { createPrintReport } from './report/print.ts'
import { createSharing, journalFailed } from './work.ts'

/** A print that is still under way then is given up; the slip says that it may come out. */
const CLOSING_GRACE = 5000

/** The time on a slip that nobody sees. */
const REHEARSED_AT = new Date('2026-01-01T12:00:00Z')

const issued = ({ slip }: JournalRow): IssuedSlip => ({
  slip,
  qr: slip.url === null ? null : drawQr(slip.url)
})

/** Makes the slips of an open journal. */
export function createOpenSlips(
  options: SlipsOptions,
  journal: Journal,
  layOut: LayingOut
): Omit<Slips, 'notices' | 'samples' | 'backups'> {
  const { createQr, now, currentBusiness, currentCashier = () => null, settings, log } = options
  const giveUp = new AbortController()
  const queue = createPrintQueue()
  const printing = {
    journal,
    deliver: createDeliver(createFolder(options.slipsFolder, log), options.printOnPrinter),
    expect: options.expectJob,
    printer: () => settings().printer,
    now,
    signal: giveUp.signal,
    log
  }
  const papers = createPapers({
    journal,
    queue,
    oneJob: () => settings().oneJob,
    print: createSheets({ ...printing, layOut: layOut.slips })
  })
  const printReport = createPrintReport({ ...printing, queue, layOut: layOut.report })
  const issuing = createIssuing({ journal, createQr, now, log })
  const failed = (error: unknown): Result<never> => journalFailed(journal, log, error)

  const safely =
    <Input, Value>(call: (input: Input) => Result<Value> | Promise<Result<Value>>) =>
    async (input: Input): Promise<Result<Value>> => {
      try {
        return await call(input)
      } catch (error) {
        return failed(error)
      }
    }

  const handOver = createHandOver({
    journal,
    papers,
    display: options.onHandedOver ?? (() => false),
    now,
    paperFailed: failed
  })

  const issues = createSharing<Result<JournalRow>>()
  const issueOnce: Issuing['issue'] = (intent, business, onCode) =>
    issues.share(intent.intentId, () => issuing.issue(intent, business, onCode).catch(failed))

  const row = (intentId: string): JournalRow | null => {
    const business = currentBusiness()
    const found = journal.byIntent(intentId)
    const isTheirs =
      business !== null && found?.businessId === business.id && found.slip.training === business.training
    return isTheirs ? found : null
  }

  const print = async (intentId: string): Promise<Result<IssuedSlip>> => {
    // A slip whose code is on its way has one in a moment.
    await issues.running(intentId)
    const before = row(intentId)
    if (!before?.slip.code) return err({ kind: 'not-found' })
    await papers.first(intentId, 'counter')
    return ok(issued(row(intentId) ?? before))
  }

  const reprint = async (intentId: string): Promise<Result<IssuedSlip>> => {
    const before = row(intentId)
    if (!before?.slip.code || before.slip.state === 'discarded') return err({ kind: 'not-found' })
    if (!canCopy(before.slip.state)) return print(intentId)
    const copied = await papers.copy(intentId)
    const failure = copied?.slip.lastCopy?.failure
    return failure ? err(failure) : ok(issued(copied ?? before))
  }

  const end = (intentId: string, event: SlipEvent, note: string): Result<Slip> => {
    try {
      const before = row(intentId)
      if (before === null || nextState(before.slip.state, event) === null) return err({ kind: 'not-found' })
      return ok(journal.step(intentId, event, { endedAt: now().toISOString(), note }).slip)
    } catch (error) {
      return failed(error)
    }
  }

  const batches = createBatches({
    journal,
    issue: issueOnce,
    papers,
    currentBusiness,
    currentCashier,
    now,
    onBatch: options.onBatch,
    log
  })

  const makeReady = (): void => {
    const business = currentBusiness()
    if (business === null || options.handingOver?.() === 'show') return
    const sample = sampleOf(business, business.slip, REHEARSED_AT)
    // What keeps it from being laid out, the slip itself will say.
    layOut.rehearse(sample, settings().printer.paper).catch(() => undefined)
  }

  return {
    ...createReading(options, journal),
    makeReady,
    async issue({ intentId, points, customer, copies = settings().copies }) {
      const business = currentBusiness()
      if (business === null) return err({ kind: 'not-connected' })
      const cashier = currentCashier()
      const way: HandingOver = options.handingOver?.() ?? 'print'
      // A slip that is shown gets paper when somebody asks for it, and then one.
      const count = way === 'show' ? 1 : copies
      const asked = issueOnce({ intentId, points, customer, cashier, papers: count, batch: null }, business)
      // While the service makes the code there is time.
      makeReady()
      const answer = await asked
      if (!answer.ok) return answer
      try {
        return ok(issued(handOver(answer.value, way)))
      } catch (error) {
        return failed(error)
      }
    },
    print: safely(({ intentId }) => print(intentId)),
    reprint: safely(({ intentId }) => reprint(intentId)),
    async reprintLast() {
      try {
        const business = currentBusiness()
        const last = business && journal.last(scopeOf(business))
        return last === null ? err({ kind: 'not-found' }) : await reprint(last.slip.intentId)
      } catch (error) {
        return failed(error)
      }
    },
    printReport: safely(async (range) => {
      const business = currentBusiness()
      return business === null ? err({ kind: 'not-connected' }) : printReport(business, range)
    }),
    markGiven: ({ intentId, note = '' }) => end(intentId, 'given', note),
    discard: ({ intentId, reason }) => end(intentId, 'discarded', reason),
    batches: {
      start: safely((input) => batches.start(input)),
      pause: safely((input) => batches.pause(input)),
      resume: safely((input) => batches.resume(input)),
      cancel: safely((input) => batches.cancel(input)),
      printRest: safely((input) => batches.printRest(input))
    },
    underWay: () => (batches.isBusy() ? 'batch' : issues.isBusy() || queue.isBusy() ? 'slip' : null),
    async close() {
      await batches.close()
      await issues.idle()
      const impatience = setTimeout(() => giveUp.abort(), options.closingGrace ?? CLOSING_GRACE)
      await queue.close()
      clearTimeout(impatience)
      try {
        issuing.writeRest()
        journal.close()
      } catch (error) {
        failed(error)
      }
    }
  }
}
