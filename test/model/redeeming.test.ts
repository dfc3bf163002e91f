/**
 * Random sequences of redeeming and undoing at two tills that break: after each one the ledger of the service and the
 * journals of the tills agree, and no till shows what is not so.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Redemption } from '../../electron/contract/redemptions.ts'
import { redemptionOf } from '../../electron/main/operations/redemptions.ts'
import { openJournal } from '../../electron/main/journal/open-journal.ts'
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

const SEQUENCES = FULL ? 100 : 30
const STEPS = 12
const TIMEOUT_MS = 10 * 60_000

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

/** A till that is killed while a request runs: nothing of the answer reaches it. */
class KilledTill {
  readonly folder = mkdtempSync(join(tmpdir(), 'redeeming-'))
  readonly line: BreakingLine
  readonly intents: string[] = []
  slips: SlipService

  constructor(service: RedemptionService) {
    this.line = new BreakingLine(service)
    this.slips = openRedeemingTill(this.folder, this.line)
  }

  /** @param kill whether the till is killed before the request has an answer, with the service's work done or not */
  async during(work: Promise<unknown>, kill: boolean): Promise<void> {
    if (!kill) {
      await work
      return
    }
    this.slips.closeJournal()
    // What the killed process would do with the answer has no effect: its journal is closed.
    await work
    this.slips = openRedeemingTill(this.folder, this.line)
  }

  redemptions(customerId: string): readonly Redemption[] {
    this.slips.closeJournal()
    const { journal } = openJournal(join(this.folder, 'journal.db'), new Date())
    if (journal === null) throw new Error('The journal cannot be opened')
    const { operations } = journal
    const redemptions = operations
      .ofCustomer({ training: false, businessId: business.id }, customerId, 'redeem', 1000)
      .map((row) => redemptionOf(row, operations.lastUndo(row.key)))
    journal.close()
    this.slips = openRedeemingTill(this.folder, this.line)
    return redemptions
  }

  close(): void {
    this.slips.closeJournal()
    rmSync(this.folder, { recursive: true })
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const holds = ({ state }: Redemption): boolean =>
  state === 'redeemed' || state === 'undo-requested' || state === 'undo-unknown'

test(
  `${String(SEQUENCES)} sequences with kills: nothing is redeemed twice, and nothing shown that is not so`,
  async () => {
    let kills = 0
    let redeemed = 0
    for (let seed = 1; seed <= SEQUENCES; seed++) {
      const random = seededRandom(seed)
      const pick = <Item>(items: readonly Item[]): Item => {
        const item = items[Math.floor(random() * items.length)]
        if (item === undefined) throw new Error('Nothing to pick')
        return item
      }
      const service = await RedemptionService.open()
      const { customer } = await service.customerAndReward()
      const reward = await service.cheapestReward()
      const tills = [new KilledTill(service), new KilledTill(service)]
      const uuid = (): string =>
        '00000000-0000-4000-8000-'.concat(
          Math.floor(random() * 1e12)
            .toString()
            .padStart(12, '0')
        )
      for (let step = 0; step < STEPS; step++) {
        const till = pick(tills)
        till.line.fault = pick(FAULTS)
        const isKilled = random() < 0.3
        kills += Number(isKilled)
        const { redemptions } = till.slips
        const command = random()
        if (command < 0.6 || till.intents.length === 0) {
          // Now and then the same press again.
          const intentId = random() < 0.2 && till.intents.length > 0 ? pick(till.intents) : uuid()
          till.intents.push(intentId)
          await till.during(
            redemptions.redeem({
              intentId,
              customer: { id: customer.id, name: customer.name },
              reward: { id: reward.id, name: reward.name },
              cost: reward.cost,
              balanceBefore: null
            }),
            isKilled
          )
        } else if (command < 0.8) {
          await till.during(redemptions.undo({ intentId: pick(till.intents), reason: 'test' }), isKilled)
        } else await till.during(till.slips.lostAnswers.askAgain(), isKilled)
      }
      const points = async (): Promise<number> => customer.balance - (await service.balanceOf(customer.id))
      // What a till shows as redeemed is in the ledger, unless an undo is under way.
      const shown = tills.flatMap((till) => till.redemptions(customer.id))
      const certain = shown.filter(({ state }) => state === 'redeemed')
      expect(await points(), `seed ${String(seed)}`).toBeGreaterThanOrEqual(
        sum(certain.map(({ cost }) => cost))
      )
      for (const till of tills) {
        till.line.fault = 'none'
        expect(await till.slips.lostAnswers.askAgain()).toEqual({ ok: true, value: [] })
      }
      const settled = tills.flatMap((till) => till.redemptions(customer.id)).filter(holds)
      redeemed += settled.length
      expect(await points(), `seed ${String(seed)}`).toBe(sum(settled.map(({ cost }) => cost)))
      for (const till of tills) till.close()
      await service.close()
    }
    expect(kills).toBeGreaterThan(SEQUENCES)
    expect(redeemed).toBeGreaterThan(SEQUENCES)
  },
  TIMEOUT_MS
)
