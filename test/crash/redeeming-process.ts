/**
 * A till that redeems and undoes until it is killed: `node redeeming-process.ts <folder> <base URL> <seed>`. It prints `ready`
 * when it is loaded, and starts at the first byte of standard input. Then it asks for the answers that earlier processes lost,
 * and prints a byte for each change that is on disk. `<folder>/offers` has the customers and rewards;
 * `<folder>/pressed` gets a line for each press before it, `<folder>/shown` one for each outcome that a person is told.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import * as v from 'valibot'
import { redeemRequestSchema, type RedeemRequest } from '../../electron/contract/redemptions.ts'
import { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { openTestSlips } from '../support/slip-service.ts'
import { appendLine, readLines } from './journal-lines.ts'
import { stderrLog } from './stderr-log.ts'

const [folder = '', baseUrl = '', seed = ''] = process.argv.slice(2)
const random = seededRandom(Number(seed))
const happens = (chance: number): boolean => random() < chance
const pressedFile = join(folder, 'pressed')
const shownFile = join(folder, 'shown')

// Otherwise loaded with the first request: a process that is killed soon would not get to it.
await import('../../electron/main/loyalty/http-client.ts')
process.stdout.write('ready\n')
await new Promise((resolve) => process.stdin.once('data', resolve))

const client = new LoyaltyClient({ baseUrl, token: 'demo', fetch, languages: { screen: 'en' } })
const slips = openTestSlips(folder, {
  redeem: (key, asked) => client.redeem(key, asked),
  reverseRedemption: (key, asked) => client.reverseRedemption(key, asked),
  onRedemption: () => process.stdout.write('.'),
  showRedeemed: ({ intentId }) => {
    appendLine(shownFile, { intentId, shown: 'redeemed' })
  },
  retryDelaysMs: [5, 20, 50],
  log: { ...stderrLog, info: () => undefined, warn: () => undefined }
})
const { redemptions } = slips

/** What can be redeemed. */
const offersSchema = v.object({
  customers: v.array(v.object({ id: v.string(), name: v.string() })),
  rewards: v.array(v.object({ id: v.string(), name: v.string(), cost: v.number() }))
})
const offers = v.parse(offersSchema, readLines(join(folder, 'offers'))[0])

const pick = <Item>(items: readonly Item[]): Item => {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('Nothing to pick')
  return item
}

/** Requests of earlier processes: after a restart they have the same outcome. */
const earlier = v.parse(v.array(redeemRequestSchema), readLines(pressedFile))

const newRequest = (): RedeemRequest => {
  const { id, name, cost } = pick(offers.rewards)
  const request = {
    intentId: randomUUID(),
    customer: pick(offers.customers),
    reward: { id, name },
    cost,
    balanceBefore: null
  }
  appendLine(pressedFile, request)
  return request
}

const show = (intentId: string, shown: 'redeemed' | 'undone', isDone: boolean): void => {
  if (isDone) appendLine(shownFile, { intentId, shown })
}

/** One cashier: redeems, presses twice, presses what an earlier process asked for, and has a redemption undone. */
async function serve(): Promise<never> {
  for (;;) {
    const request = earlier.length > 0 && happens(0.2) ? pick(earlier) : newRequest()
    const { intentId } = request
    const presses = Array.from({ length: happens(0.2) ? 2 : 1 }, async () => {
      const redeemed = await redemptions.redeem(request)
      show(intentId, 'redeemed', redeemed.ok && redeemed.value.state === 'redeemed')
    })
    await Promise.all(presses)
    if (!happens(0.4)) continue
    const undone = await redemptions.undo({ intentId, reason: 'Wrong reward' })
    show(intentId, 'undone', undone.ok && undone.value.state === 'undone')
  }
}

slips.lostAnswers.start()
await Promise.all([serve(), serve()])
