import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { err, ok, type Result, type Failure } from '../../../../electron/contract/failure.ts'
import type { PrintDestination } from '../../../../electron/contract/printing.ts'
import type { SlipPrintSettings } from '../../../../electron/main/slips/slip-service.ts'
import {
  business,
  folderSettings,
  issueAndPrint,
  openTill,
  press,
  valueOf,
  type Till
} from './slip-service-fixture.ts'

const lost: Failure = { kind: 'unknown-outcome', cause: 'timeout' }
const offline: Failure = { kind: 'not-printed', fault: 'printer-offline', mayStillPrint: false }
const queue: PrintDestination = { kind: 'queue', name: 'Counter' }
const onQueue: SlipPrintSettings = { ...folderSettings, printer: { destination: queue, paper: '80mm' } }

const papers = (till: Till): string[] => readdirSync(join(till.folder, 'slips')).sort()

/** A printer whose jobs end as the test says. */
const printer = () => {
  const jobs: {
    title: string
    to: PrintDestination
    end: (answer: Result<unknown>) => void
    signal: AbortSignal
  }[] = []
  return {
    jobs,
    print: (
      { title }: { title: string },
      to: PrintDestination,
      signal: AbortSignal
    ): Promise<Result<unknown>> => new Promise((resolve) => jobs.push({ title, to, end: resolve, signal }))
  }
}

/** Resolves when `check` holds, after whatever the till does meanwhile. */
const eventually = async (check: () => boolean): Promise<void> => {
  while (!check()) await new Promise(setImmediate)
}

describe('an issue', () => {
  it('is answered while the printer still works, and the next customer is served', async () => {
    const { jobs, print } = printer()
    const till = openTill({ settings: () => onQueue, printOnPrinter: print })
    const first = valueOf(await till.slips.issue(press(1)))
    expect(first.slip).toMatchObject({ state: 'printing', code: 'CODE-1', destination: queue })
    expect(first.qr).not.toBeNull()
    const second = press(2)
    expect(valueOf(await till.slips.issue(second)).slip).toMatchObject({ state: 'issued', code: 'CODE-2' })
    await eventually(() => jobs.length === 1)
    jobs[0]?.end(ok(null))
    await eventually(() => jobs.length === 2)
    expect(jobs.map(({ title }) => title)).toEqual(['CODE-1', 'CODE-2'])
    jobs[1]?.end(err(offline))
    expect(valueOf(await till.slips.print(second)).slip).toMatchObject({
      state: 'print-failed',
      failure: offline
    })
  })

  it('tells each change with a higher revision', async () => {
    const till = openTill()
    await issueAndPrint(till, press())
    expect(till.heard.map(({ revision }) => revision)).toEqual([0, 1, 2, 3])
  })

  it('that does not print asks for attention, and says whether to look for paper first', async () => {
    const failures: Failure[] = [offline, { ...offline, mayStillPrint: true }]
    const till = openTill({
      settings: () => onQueue,
      printOnPrinter: () => Promise.resolve(err(failures.shift() ?? offline))
    })
    await issueAndPrint(till, press(1))
    await issueAndPrint(till, press(2))
    const { slips } = valueOf(till.slips.attentionList({ offset: 0 }))
    expect(slips.map(({ slip, action }) => [slip.points, action])).toEqual([
      [2, 'mark-given'],
      [1, 'print']
    ])
    expect(valueOf(till.slips.attention())).toBe(2)
  })

  it('whose print is under way when the till closes is given up after a while, and says so', async () => {
    const begun = Promise.withResolvers<undefined>()
    const till = openTill({
      settings: () => onQueue,
      closingGrace: 1,
      printOnPrinter: (_job, _to, signal) =>
        new Promise((resolve) => {
          begun.resolve(undefined)
          signal.addEventListener('abort', () =>
            resolve(err({ kind: 'not-printed', fault: 'cancelled-here', mayStillPrint: true }))
          )
        })
    })
    const intent = press()
    await till.slips.issue(intent)
    await begun.promise
    const again = await till.restart()
    expect(valueOf(again.slips.list({ offset: 0 })).slips).toMatchObject([
      { state: 'print-failed', failure: { fault: 'cancelled-here' } }
    ])
  })
})

describe('a reprint', () => {
  it('is the same code, marked and counted, and asks nobody', async () => {
    const till = openTill()
    const intent = press()
    await issueAndPrint(till, intent)
    const { slip } = valueOf(await till.slips.reprint(intent))
    expect(slip).toMatchObject({
      state: 'printed',
      code: 'CODE-1',
      copies: 1,
      lastCopy: { number: 1, state: 'printed' }
    })
    expect(valueOf(await till.slips.reprintLast()).slip.copies).toBe(2)
    expect(papers(till)).toEqual(['CODE-1-COPY-1.pdf', 'CODE-1-COPY-2.pdf', 'CODE-1.pdf'])
    expect(till.asked).toEqual([250])
    expect(valueOf((await till.restart()).slips.list({ offset: 0 })).slips[0]?.copies).toBe(2)
  })

  it('pressed twice at once is one copy', async () => {
    const till = openTill()
    const intent = press()
    await issueAndPrint(till, intent)
    const [one, other] = await Promise.all([till.slips.reprint(intent), till.slips.reprint(intent)])
    expect(one).toEqual(other)
    expect(papers(till)).toHaveLength(2)
  })

  it('that fails says why, and the next one has the next number', async () => {
    const answers: Result<unknown>[] = [ok(null), err(offline), ok(null)]
    const till = openTill({
      settings: () => onQueue,
      printOnPrinter: () => Promise.resolve(answers.shift() ?? err(offline))
    })
    const intent = press()
    await issueAndPrint(till, intent)
    expect(await till.slips.reprint(intent)).toEqual(err(offline))
    expect(till.heard.at(-1)).toMatchObject({
      state: 'printed',
      lastCopy: { number: 1, state: 'print-failed', failure: offline }
    })
    expect(valueOf(till.slips.attention())).toBe(0)
    expect(valueOf(await till.slips.reprint(intent)).slip.lastCopy).toMatchObject({
      number: 2,
      state: 'printed'
    })
  })

  it('of a slip without paper is its first paper, without a mark', async () => {
    const answers: Result<unknown>[] = [err(offline), ok(null)]
    const till = openTill({
      settings: () => onQueue,
      printOnPrinter: () => Promise.resolve(answers.shift() ?? err(offline))
    })
    const intent = press()
    await issueAndPrint(till, intent)
    expect(valueOf(await till.slips.reprint(intent)).slip).toMatchObject({ state: 'printed', copies: 0 })
  })

  it('has nothing to print without a code, for another business, or after a discard', async () => {
    let current = business
    const answers: Result<never>[] = [err(lost)]
    const till = openTill({
      currentBusiness: () => current,
      createQr: () => Promise.resolve(answers[0] ?? err(lost))
    })
    const intent = press()
    await till.slips.issue(intent)
    expect(await till.slips.reprint(intent)).toEqual(err({ kind: 'not-found' }))
    expect(await till.slips.reprintLast()).toEqual(err({ kind: 'not-found' }))
    const other = openTill({ currentBusiness: () => current })
    const printed = press()
    await issueAndPrint(other, printed)
    current = { ...business, id: 'business-2' }
    expect(await other.slips.reprint(printed)).toEqual(err({ kind: 'not-found' }))
    expect(await other.slips.reprintLast()).toEqual(err({ kind: 'not-found' }))
  })
})

describe('copies asked for with the slip', () => {
  it('follow its first paper, one job each', async () => {
    const till = openTill()
    const { slip } = valueOf(await issueAndPrint(till, { ...press(), copies: 3 }))
    expect(slip).toMatchObject({ state: 'printed', copies: 2, lastCopy: { number: 2, state: 'printed' } })
    expect(papers(till)).toHaveLength(3)
    expect(till.asked).toEqual([250])
  })

  it('are as many as the settings say, unless told', async () => {
    const till = openTill({ settings: () => ({ ...folderSettings, copies: 2 }) })
    expect(valueOf(await issueAndPrint(till, press())).slip.copies).toBe(1)
    expect(valueOf(await issueAndPrint(till, { ...press(), copies: 1 })).slip.copies).toBe(0)
  })

  it('wait for a first paper that did not print', async () => {
    const answers: Result<unknown>[] = [err(offline)]
    const till = openTill({
      settings: () => onQueue,
      printOnPrinter: () => Promise.resolve(answers.shift() ?? ok(null))
    })
    const intent = { ...press(), copies: 2 }
    expect(valueOf(await issueAndPrint(till, intent)).slip).toMatchObject({
      state: 'print-failed',
      copies: 0
    })
    expect(valueOf(await till.slips.print(intent)).slip).toMatchObject({ state: 'printed', copies: 1 })
  })
})

describe('an end by hand', () => {
  const failedTill = async () => {
    const till = openTill({ settings: () => onQueue, printOnPrinter: () => Promise.resolve(err(offline)) })
    const intent = press()
    await issueAndPrint(till, intent)
    return { till, intent }
  }

  it('marks a slip as given: it needs no attention, keeps why, and can be copied', async () => {
    const { till, intent } = await failedTill()
    const slip = valueOf(till.slips.markGiven({ ...intent, note: 'Wrote the code down' }))
    expect(slip).toMatchObject({
      state: 'given',
      failure: offline,
      ending: { at: '2026-11-21T12:05:33.000Z', note: 'Wrote the code down' }
    })
    expect(valueOf(till.slips.attention())).toBe(0)
    expect(await till.slips.reprint(intent)).toEqual(err(offline))
    expect(till.heard.at(-1)?.copies).toBe(1)
  })

  it('discards a slip with a reason, and nothing prints it any more', async () => {
    const { till, intent } = await failedTill()
    expect(valueOf(till.slips.discard({ ...intent, reason: 'Typed twice' }))).toMatchObject({
      state: 'discarded',
      ending: { note: 'Typed twice' }
    })
    expect(valueOf(till.slips.attention())).toBe(0)
    expect(valueOf(await till.slips.print(intent)).slip.state).toBe('discarded')
    expect(await till.slips.reprint(intent)).toEqual(err({ kind: 'not-found' }))
  })

  it('discards an unknown outcome, which cannot be given', async () => {
    const till = openTill({ createQr: () => Promise.resolve(err(lost)) })
    const intent = press()
    await till.slips.issue(intent)
    expect(till.slips.markGiven(intent)).toEqual(err({ kind: 'not-found' }))
    expect(valueOf(till.slips.discard({ ...intent, reason: 'Customer left' }))).toMatchObject({
      state: 'discarded',
      failure: lost
    })
    expect(await till.slips.issue(intent)).toEqual(err(lost))
    expect(till.asked).toEqual([250])
  })

  it('is not for a printed slip, an unknown intent or another business', async () => {
    const till = openTill()
    const intent = press()
    await issueAndPrint(till, intent)
    for (const about of [intent, press()]) {
      expect(till.slips.markGiven(about)).toEqual(err({ kind: 'not-found' }))
      expect(till.slips.discard({ ...about, reason: 'x' })).toEqual(err({ kind: 'not-found' }))
    }
  })
})
