/** Codes that are asked for with a key: a lost answer is asked for again, and gives the first code. */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { err, ok, type Failure, type Result } from '../../../../electron/contract/failure.ts'
import type { NewQrCode } from '../../../../electron/contract/loyalty.ts'
import { business } from '../../../support/sample-business.ts'
import { qrCode, type SlipDoubles } from '../../../support/slip-service.ts'
import { openSlipService, press, valueOf, type SlipServiceFixture } from './slip-service-fixture.ts'

const LOST: Failure = { kind: 'unknown-outcome', cause: 'connection-lost' }
const keyedBusiness = { ...business, extensions: [...business.extensions, 'codes/1'] as const }
const NOW = new Date('2026-11-21T12:05:33.000Z')

/** Gives each key one code; the next answers are lost as `faults` say. */
class CodeLedger {
  readonly codes = new Map<string, NewQrCode>()
  readonly asked: { readonly key: string }[] = []
  faults: ('lost-before' | 'lost-after' | Failure)[] = []
  /** resolves when the next answers are given */
  gate: Promise<unknown> = Promise.resolve()

  readonly issueCode = async (
    key: string,
    asked: { readonly points: number }
  ): Promise<Result<NewQrCode>> => {
    this.asked.push({ key, ...asked })
    const fault = this.faults.shift()
    if (typeof fault === 'object') return err(fault)
    if (fault === 'lost-before') return err(LOST)
    const code = this.codes.get(key) ?? qrCode(`CODE-${String(this.codes.size + 1)}`, asked.points)
    this.codes.set(key, code)
    await this.gate
    return fault === 'lost-after' ? err(LOST) : ok(code)
  }
}

const doublesOf = (ledger: CodeLedger): Partial<SlipDoubles> => ({
  currentBusiness: () => keyedBusiness,
  currentCashier: () => ({ id: 'r', name: 'Rosa', number: 3 }),
  retryDelaysMs: [],
  issueCode: ledger.issueCode
})

const openTill = (ledger: CodeLedger, changes: Partial<SlipDoubles> = {}): SlipServiceFixture =>
  openSlipService({ ...doublesOf(ledger), ...changes })

const states = ({ slips }: SlipServiceFixture) =>
  valueOf(slips.queries.list({ offset: 0 })).slips.map(({ state, code }) => [state, code])

it('names cashier and reference, and its intent is the key', async () => {
  const ledger = new CodeLedger()
  const till = openTill(ledger)
  const pressed = { ...press(250), reference: 'R-1' }
  expect(valueOf(await till.slips.counter.issue(pressed)).slip).toMatchObject({ code: 'CODE-1' })
  expect(ledger.asked).toEqual([
    { key: pressed.intentId, points: 250, reference: 'R-1', cashier: { number: 3, name: 'Rosa' } }
  ])
  expect(till.requestedPoints).toEqual([])
})

it('has no key at a service that does not offer it, and stays unknown', async () => {
  const ledger = new CodeLedger()
  const till = openTill(ledger, {
    currentBusiness: () => business,
    createQr: () => Promise.resolve(err(LOST))
  })
  const pressed = press(250)
  expect(await till.slips.counter.issue(pressed)).toEqual(err(LOST))
  await till.slips.lostAnswers.askAll()
  expect(await till.slips.counter.issue(pressed)).toEqual(err(LOST))
  expect([till.requestedPoints, ledger.asked]).toEqual([[250], []])
  expect(valueOf(till.slips.queries.attentionList({ offset: 0 })).slips).toMatchObject([
    { action: 'discard' }
  ])
})

it.each(['lost-before', 'lost-after'] as const)(
  'is unknown while its answers are %s, and then has its first code, also after a start',
  async (fault) => {
    const ledger = new CodeLedger()
    ledger.faults = [fault, fault, fault]
    const till = openTill(ledger)
    const calculation = { bill: { amount: '125.00' }, rules: 4 }
    const pressed = { ...press(250), reference: 'R-1', calculation }
    expect(await till.slips.counter.issue(pressed)).toEqual(err(LOST))
    expect(await till.slips.counter.issue(pressed)).toEqual(err(LOST))
    const again = await till.restart({ ...doublesOf(ledger), currentCashier: () => null })
    await again.slips.lostAnswers.askAll()
    expect(valueOf(again.slips.queries.attentionList({ offset: 0 })).slips).toMatchObject([
      { action: 'ask', slip: { state: 'unknown', failure: LOST } }
    ])
    await again.slips.lostAnswers.askAll()
    expect(states(again)).toEqual([['issued', 'CODE-1']])
    expect(valueOf(await again.slips.counter.issue(pressed)).slip).toMatchObject({ code: 'CODE-1' })
    expect([...ledger.codes.keys()]).toEqual([pressed.intentId])
    // The same request each time, with the cashier and the calculation of the first press.
    expect(ledger.asked[0]).toMatchObject(calculation)
    expect(new Set(ledger.asked.map((asked) => JSON.stringify(asked))).size).toBe(1)
  }
)

it('is asked for by itself after a lost answer', async () => {
  const ledger = new CodeLedger()
  ledger.faults = ['lost-after', 'lost-before']
  const till = openTill(ledger, { retryDelaysMs: [1, 1] })
  expect((await till.slips.counter.issue(press(250))).ok).toBe(false)
  await expect.poll(() => states(till)).toEqual([['issued', 'CODE-1']])
  expect(ledger.codes.size).toBe(1)
})

it('stays unknown when asking again is refused, and the next slip is asked for', async () => {
  const ledger = new CodeLedger()
  ledger.faults = ['lost-before', 'lost-before', { kind: 'busy', retryAfterSeconds: null }]
  const till = openTill(ledger)
  for (const points of [1, 2]) await till.slips.counter.issue(press(points))
  await till.slips.lostAnswers.askAll()
  expect(states(till)).toEqual([
    ['issued', 'CODE-1'],
    ['unknown', null]
  ])
})

it('waits for the network: of several slips one is asked for while nothing is sent', async () => {
  const ledger = new CodeLedger()
  ledger.faults = ['lost-before', 'lost-before', { kind: 'offline' }]
  const till = openTill(ledger)
  for (const points of [1, 2]) await till.slips.counter.issue(press(points))
  await till.slips.lostAnswers.askAll()
  expect(ledger.asked).toHaveLength(3)
})

it('keeps the first refusal as today', async () => {
  const ledger = new CodeLedger()
  ledger.faults = [{ kind: 'offline' }]
  const till = openTill(ledger)
  expect(await till.slips.counter.issue(press(250))).toEqual(err({ kind: 'offline' }))
  await till.slips.lostAnswers.askAll()
  expect(states(till)).toEqual([['refused', null]])
  expect(ledger.asked).toHaveLength(1)
})

it('belongs to its business: another one is not asked', async () => {
  const ledger = new CodeLedger()
  ledger.faults = ['lost-after']
  let id = 'business-1'
  const till = openTill(ledger, { currentBusiness: () => ({ ...keyedBusiness, id }) })
  const pressed = press(250)
  await till.slips.counter.issue(pressed)
  id = 'business-2'
  await till.slips.lostAnswers.askAll()
  expect(await till.slips.counter.issue(pressed)).toEqual(err(LOST))
  expect(ledger.asked).toHaveLength(1)
})

it('is not asked for once the service may have forgotten its key', async () => {
  const ledger = new CodeLedger()
  ledger.faults = ['lost-after']
  let now = NOW
  const till = openTill(ledger, { now: () => now })
  const pressed = press(250)
  await till.slips.counter.issue(pressed)
  now = new Date(NOW.getTime() + 366 * 24 * 60 * 60_000)
  await till.slips.lostAnswers.askAll()
  expect(await till.slips.counter.issue(pressed)).toEqual(err(LOST))
  expect(ledger.asked).toHaveLength(1)
  expect(valueOf(till.slips.queries.attentionList({ offset: 0 })).slips).toMatchObject([
    { action: 'discard' }
  ])
})

it('stays discarded when its answer comes afterwards', async () => {
  const ledger = new CodeLedger()
  ledger.faults = ['lost-before']
  const till = openTill(ledger)
  const pressed = press(250)
  await till.slips.counter.issue(pressed)
  const { promise, resolve } = Promise.withResolvers<undefined>()
  ledger.gate = promise
  const asked = till.slips.lostAnswers.askAll()
  await expect.poll(() => ledger.asked.length).toBe(2)
  valueOf(await till.slips.printouts.discard({ intentId: pressed.intentId, reason: 'Left' }))
  resolve(undefined)
  await asked
  expect(states(till)).toEqual([['discarded', null]])
})

it('of a batch is asked for again when the batch is resumed, and each slip has one code', async () => {
  const ledger = new CodeLedger()
  ledger.faults = ['lost-after', 'lost-before']
  const till = openTill(ledger)
  const batch = { batchId: randomUUID(), points: 5, count: 3, oneJob: false }
  valueOf(await till.slips.batches.start(batch))
  const stopped = await till.until(({ state }) => state === 'stopped')
  expect(stopped).toMatchObject({ unknown: 0, waiting: 2, issued: 1 })
  valueOf(await till.slips.batches.resume({ batchId: batch.batchId, issueUnknownAgain: true }))
  expect(await till.finished()).toMatchObject({ issued: 3, unknown: 0 })
  expect(ledger.codes.size).toBe(3)
  expect(new Set(ledger.asked.map(({ key }) => key)).size).toBe(3)
  expect(new Set(states(till).map(([, code]) => code)).size).toBe(3)
})

it('of a program is answered when the program asks again', async () => {
  const ledger = new CodeLedger()
  ledger.faults = ['lost-after']
  const till = openTill(ledger)
  const asked = {
    caller: { id: 'p', name: 'Shop POS' },
    contentHash: 'hash',
    reference: 'R-1',
    points: 25,
    customer: null,
    delivery: 'return'
  } as const
  expect(valueOf(await till.slips.programs.issue(asked)).row.slip.state).toBe('unknown')
  expect(valueOf(await till.slips.programs.issue(asked)).row.slip).toMatchObject({
    state: 'given',
    code: 'CODE-1'
  })
  expect(ledger.codes.size).toBe(1)
})
