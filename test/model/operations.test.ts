/**
 * Random sequences of redeeming, crediting, undoing and returns at two tills that break: after each step the customer's
 * balance is one that the journals of the tills allow, and at the end the one that they say.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { OperationKind } from '../../electron/contract/operations.ts'
import { THE_REST, type PartTakenBack, type ReturnedPurchase } from '../../electron/contract/returns.ts'
import { openJournal } from '../../electron/main/journal/open-journal.ts'
import type { OperationRow } from '../../electron/main/journal/operation-row.ts'
import {
  answeredIdOf,
  creditRequestOf,
  redeemRequestOf,
  returnAnswerOf,
  returnRequestOf
} from '../../electron/main/operations/operation-kinds.ts'
import type { SlipService } from '../../electron/main/slips/slip-service.ts'
import {
  BreakingLine,
  openRedeemingTill,
  RedemptionService,
  type LineFault
} from '../support/redemption-service.ts'
import { business } from '../support/sample-business.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { FULL } from '../support/size.ts'

const SEQUENCES = Number(process.env['TILLPOINTS_SEQUENCES'] ?? (FULL ? 200 : 20))
/** Of the first sequence; `FUZZ_SEED=…` begins elsewhere. */
const FIRST_SEED = Number(process.env['FUZZ_SEED'] ?? 1)
const STEPS = 15
/** For a run that hangs. */
const TIMEOUT_MS = 60 * 60_000

const FAULTS: readonly LineFault[] = [
  'none',
  'none',
  'none',
  'lost-before',
  'lost-after',
  'not-sent',
  () => new Response('<html>', { status: 500 }),
  () => Response.json({}, { status: 200 })
]

/** An operation of a journal, with the last one that undoes it. */
interface Kept {
  readonly row: OperationRow
  readonly undo: OperationRow | null
}

/** A till that is killed while a request runs: nothing of the answer reaches it. */
class KilledTill {
  readonly folder = mkdtempSync(join(tmpdir(), 'operations-'))
  readonly line: BreakingLine
  /** what can be pressed again or undone */
  readonly intents: { readonly intentId: string; readonly kind: 'redeem' | 'credit' }[] = []
  slips: SlipService

  constructor(service: RedemptionService) {
    this.line = new BreakingLine(service)
    this.slips = openRedeemingTill(this.folder, this.line)
  }

  /** @param isKilled whether the till is killed before the request has an answer, with the service's work done or not */
  async during(work: Promise<unknown>, isKilled: boolean): Promise<void> {
    if (!isKilled) {
      await work
      return
    }
    this.slips.closeJournal()
    // What the killed process would do with the answer has no effect: its journal is closed.
    await work
    this.slips = openRedeemingTill(this.folder, this.line)
  }

  operations(customer: string): readonly Kept[] {
    this.slips.closeJournal()
    const { journal } = openJournal(join(this.folder, 'journal.db'), new Date())
    if (journal === null) throw new Error('The journal cannot be opened')
    const { operations } = journal
    const scope = { training: false, businessId: business.id }
    const kept = (['redeem', 'credit', 'return'] as const satisfies readonly OperationKind[])
      .flatMap((kind) => operations.ofCustomer(scope, customer, kind, 1000))
      .map((row) => ({ row, undo: operations.lastUndo(row.key) }))
    journal.close()
    this.slips = openRedeemingTill(this.folder, this.line)
    return kept
  }

  close(): void {
    this.slips.closeJournal()
    rmSync(this.folder, { recursive: true })
  }
}

const waits = ({ state }: OperationRow): boolean => state === 'requested' || state === 'unknown'

/** What an operation changes of the balance when it is done. */
function pointsOf(row: OperationRow): number {
  if (row.kind === 'redeem') return -redeemRequestOf(row).cost
  if (row.kind === 'credit') return creditRequestOf(row).points
  return -(returnAnswerOf(row)?.points ?? returnRequestOf(row).atMost ?? 0)
}

/** The least and the most that an operation may have changed of the balance, as far as its till knows. */
function range({ row, undo }: Kept): readonly [number, number] {
  const points = pointsOf(row)
  if (waits(row) || (row.state === 'done' && undo !== null && waits(undo)))
    return [Math.min(0, points), Math.max(0, points)]
  return row.state === 'done' && undo?.state !== 'done' ? [points, points] : [0, 0]
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** No purchase gives back more than it gave, and nothing of one that was undone; each return is known by what the answer names. */
function expectReturnsWithin(operations: readonly Kept[]): void {
  const done = operations.filter(({ row }) => row.state === 'done')
  const returns = done.flatMap(({ row }) => (row.kind === 'return' ? [row] : []))
  for (const { row, undo } of done.filter(({ row }) => row.kind === 'credit')) {
    const ofIt = returns.filter((each) => {
      const { credit, reference } = returnRequestOf(each)
      return credit === undefined ? reference === row.reference : credit === answeredIdOf(row)
    })
    const given = undo?.state === 'done' ? 0 : pointsOf(row)
    for (const each of ofIt)
      expect(returnAnswerOf(each)).toMatchObject({ purchase: answeredIdOf(row), given: pointsOf(row) })
    expect(-sum(ofIt.map(pointsOf))).toBeLessThanOrEqual(given)
  }
}

test(
  `${String(SEQUENCES)} sequences with kills: nothing is done twice, and nothing shown that is not so`,
  async () => {
    let kills = 0
    const done = { redeem: 0, credit: 0, return: 0 }
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEQUENCES; seed++) {
      const random = seededRandom(seed)
      const number = (below: number): number => Math.floor(random() * below)
      const pick = <Item>(items: readonly Item[]): Item => {
        const item = items[number(items.length)]
        if (item === undefined) throw new Error('Nothing to pick')
        return item
      }
      const service = await RedemptionService.open()
      const { customer } = await service.customerAndReward()
      const reward = await service.cheapestReward()
      const tills = [new KilledTill(service), new KilledTill(service)]
      const uuid = (): string => `00000000-0000-4000-8000-${String(number(1e12)).padStart(12, '0')}`
      const purchases: {
        readonly till: KilledTill
        readonly intentId: string
        readonly points: number
        readonly reference: string
      }[] = []
      const asked = { customer: { id: customer.id, name: customer.name }, balanceBefore: null }

      const redeem = (till: KilledTill, intentId: string): Promise<unknown> => {
        const { id, name, cost } = reward
        return till.slips.redemptions.redeem({ intentId, ...asked, reward: { id, name }, cost })
      }
      const credit = (till: KilledTill, intentId: string): Promise<unknown> => {
        const isSame = (each: { readonly intentId: string }): boolean => each.intentId === intentId
        if (!purchases.some(isSame))
          purchases.push({
            till,
            intentId,
            points: 1 + number(60),
            reference: `R-${String(purchases.length)}`
          })
        const { points, reference } = pick(purchases.filter(isSame))
        return till.slips.credits.credit({ intentId, ...asked, points, reference })
      }
      const takeBack = (till: KilledTill): Promise<unknown> => {
        const bought = pick(purchases)
        const purchase: ReturnedPurchase =
          bought.till === till && random() < 0.5
            ? { by: 'credit', intentId: bought.intentId }
            : { by: 'reference', reference: bought.reference }
        const part = pick<PartTakenBack>([
          { points: 1 + number(40) },
          { amount: { returned: String(1 + number(10)), total: '10' } },
          THE_REST
        ])
        const intentId = uuid()
        return till.slips.returns.take({
          ...{ intentId, customer: asked.customer, purchase, part },
          ...{ atMost: 60, reason: 'damaged' }
        })
      }
      const command = (till: KilledTill): Promise<unknown> => {
        const chosen = random()
        const { slips, intents } = till
        if (chosen < 0.5 || intents.length === 0) {
          const kind = random() < 0.5 ? 'redeem' : 'credit'
          // Now and then the same press again.
          const again = intents.filter((each) => each.kind === kind)
          const intentId = again.length > 0 && random() < 0.2 ? pick(again).intentId : uuid()
          intents.push({ intentId, kind })
          return kind === 'redeem' ? redeem(till, intentId) : credit(till, intentId)
        }
        if (chosen < 0.65) {
          const { intentId, kind } = pick(intents)
          const undone = kind === 'redeem' ? slips.redemptions : slips.credits
          return undone.undo({ intentId, reason: 'test' })
        }
        return chosen < 0.85 && purchases.length > 0 ? takeBack(till) : slips.lostAnswers.askAgain()
      }

      const operations = (): readonly Kept[] => tills.flatMap((till) => till.operations(customer.id))
      const change = async (): Promise<number> => (await service.balanceOf(customer.id)) - customer.balance
      for (let step = 0; step < STEPS; step++) {
        const till = pick(tills)
        till.line.fault = pick(FAULTS)
        const isKilled = random() < 0.3
        kills += Number(isKilled)
        await till.during(command(till), isKilled)
        const ranges = operations().map(range)
        const changed = await change()
        expect(changed, `seed ${String(seed)}`).toBeGreaterThanOrEqual(sum(ranges.map(([least]) => least)))
        expect(changed, `seed ${String(seed)}`).toBeLessThanOrEqual(sum(ranges.map(([, most]) => most)))
      }
      for (const till of tills) {
        till.line.fault = 'none'
        expect(await till.slips.lostAnswers.askAgain()).toEqual({ ok: true, value: [] })
      }
      const settled = operations()
      expect(await change(), `seed ${String(seed)}`).toBe(sum(settled.map((each) => range(each)[0])))
      expectReturnsWithin(settled)
      for (const { row } of settled)
        if (row.state === 'done' && row.kind !== 'reverse' && row.kind !== 'reverse-credit')
          done[row.kind] += 1
      for (const till of tills) till.close()
      await service.close()
    }
    expect(kills).toBeGreaterThan(SEQUENCES)
    for (const count of Object.values(done)) expect(count).toBeGreaterThan(SEQUENCES / 10)
    process.stdout.write(`${String(kills)} kills, done: ${JSON.stringify(done)}\n`)
  },
  TIMEOUT_MS
)
