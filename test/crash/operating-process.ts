/**
 * A till that redeems, credits, undoes and takes points back until it is killed: `node operating-process.ts <folder> <base URL>
 * <seed>`. It prints `ready` when it is loaded, and starts at the first byte of standard input. Then it asks for the answers
 * that earlier processes lost, and prints a byte for each change that is on disk. `<folder>/offers` has the customers and
 * rewards. `<folder>/pressed`, `credits` and `returns` get a line for each press before it, `<folder>/shown` and
 * `shown-credits` one for each outcome that a person is told.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import * as v from 'valibot'
import { creditRequestSchema, type CreditRequest } from '../../electron/contract/credits.ts'
import { redeemRequestSchema, type RedeemRequest } from '../../electron/contract/redemptions.ts'
import {
  returnRequestSchema,
  THE_REST,
  type PartTakenBack,
  type TakeBackRequest
} from '../../electron/contract/returns.ts'
import { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { openTestSlips } from '../support/slip-service.ts'
import { appendLine, readLines } from './journal-lines.ts'
import { stderrLog } from './stderr-log.ts'

const [folder = '', baseUrl = '', seed = ''] = process.argv.slice(2)
const random = seededRandom(Number(seed))
const happens = (chance: number): boolean => random() < chance
const inFolder = (name: string): string => join(folder, name)

// Otherwise loaded with the first request: a process that is killed soon would not get to it.
await import('../../electron/main/loyalty/http-client.ts')
process.stdout.write('ready\n')
await new Promise((resolve) => process.stdin.once('data', resolve))

const client = new LoyaltyClient({ baseUrl, token: 'demo', fetch, languages: { screen: 'en' } })
const reportChange = (): unknown => process.stdout.write('.')
const slips = openTestSlips(folder, {
  redeem: (key, asked) => client.redeem(key, asked),
  reverseRedemption: (key, asked) => client.reverseRedemption(key, asked),
  credit: (key, asked) => client.credit(key, asked),
  reverseCredit: (key, asked) => client.reverseCredit(key, asked),
  takeBack: (key, asked) => client.takeBack(key, asked),
  onRedemption: reportChange,
  onCredit: reportChange,
  onReturn: reportChange,
  showRedeemed: ({ intentId }) => {
    appendLine(inFolder('shown'), { intentId, shown: 'redeemed' })
  },
  showCredited: ({ intentId }) => {
    appendLine(inFolder('shown-credits'), { intentId, shown: 'credited' })
  },
  retryDelaysMs: [5, 20, 50],
  log: { ...stderrLog, info: () => undefined, warn: () => undefined }
})
const { redemptions, credits, returns } = slips

/** What can be redeemed. */
const offersSchema = v.object({
  customers: v.array(v.object({ id: v.string(), name: v.string() })),
  rewards: v.array(v.object({ id: v.string(), name: v.string(), cost: v.number() }))
})
const offers = v.parse(offersSchema, readLines(inFolder('offers'))[0])

const pick = <Item>(items: readonly Item[]): Item => {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('Nothing to pick')
  return item
}

/** Requests of earlier processes: after a restart they have the same outcome. */
const earlier = {
  redemptions: v.parse(v.array(redeemRequestSchema), readLines(inFolder('pressed'))),
  credits: v.parse(v.array(creditRequestSchema), readLines(inFolder('credits'))),
  returns: v.parse(v.array(returnRequestSchema), readLines(inFolder('returns')))
}

/** Returns one of the earlier requests now and then, otherwise a new one, which is on disk. */
const press = <Request extends object>(
  file: string,
  before: readonly Request[],
  request: Request
): Request => {
  if (before.length > 0 && happens(0.2)) return pick(before)
  appendLine(inFolder(file), request)
  return request
}

/** Runs a press, now and then twice at once. */
const once = (run: () => Promise<void>): Promise<unknown> =>
  Promise.all(Array.from({ length: happens(0.2) ? 2 : 1 }, run))

const show = (file: string, intentId: string, shown: string, isDone: boolean): void => {
  if (isDone) appendLine(inFolder(file), { intentId, shown })
}

async function redeem(): Promise<void> {
  const { id, name, cost } = pick(offers.rewards)
  const asked = press<RedeemRequest>('pressed', earlier.redemptions, {
    ...{ intentId: randomUUID(), customer: pick(offers.customers), reward: { id, name }, cost },
    balanceBefore: null
  })
  const { intentId } = asked
  await once(async () => {
    const redeemed = await redemptions.redeem(asked)
    show('shown', intentId, 'redeemed', redeemed.ok && redeemed.value.state === 'redeemed')
  })
  if (!happens(0.4)) return
  const undone = await redemptions.undo({ intentId, reason: 'Wrong reward' })
  show('shown', intentId, 'undone', undone.ok && undone.value.state === 'undone')
}

/** What goes back of a credit. */
const part = (): PartTakenBack =>
  pick([
    { points: 1 + Math.floor(random() * 40) },
    { amount: { returned: String(1 + Math.floor(random() * 5)), total: '10' } },
    THE_REST
  ])

async function takeBack({ intentId: credit, reference, customer }: CreditRequest): Promise<void> {
  const asked = press<TakeBackRequest>('returns', earlier.returns, {
    ...{ intentId: randomUUID(), customer, part: part(), atMost: null, reason: 'Damaged' },
    purchase:
      reference === null || happens(0.5) ? { by: 'credit', intentId: credit } : { by: 'reference', reference }
  })
  await once(async () => {
    const returned = await returns.take(asked)
    show('shown-credits', asked.intentId, 'returned', returned.ok && returned.value.state === 'returned')
  })
}

async function credit(): Promise<void> {
  const intentId = randomUUID()
  const asked = press<CreditRequest>('credits', earlier.credits, {
    ...{ intentId, customer: pick(offers.customers), points: 1 + Math.floor(random() * 60) },
    ...{
      reference: happens(0.7) ? `R-${intentId.slice(0, 8)}` : null,
      balanceBefore: null,
      isApproved: false
    }
  })
  await once(async () => {
    const credited = await credits.credit(asked)
    show('shown-credits', asked.intentId, 'credited', credited.ok && credited.value.state === 'credited')
  })
  // At once, too: only one of the two can be done.
  await Promise.all([
    ...(happens(0.3) ? [takeBack(asked)] : []),
    ...(happens(0.4)
      ? [
          credits.undo({ intentId: asked.intentId, reason: 'Wrong customer' }).then((undone) => {
            show('shown-credits', asked.intentId, 'undone', undone.ok && undone.value.state === 'undone')
          })
        ]
      : [])
  ])
  if (happens(0.4)) await takeBack(asked)
}

/** One cashier, who also presses twice, and what an earlier process asked for. */
async function serve(): Promise<never> {
  for (;;) await (happens(0.5) ? redeem() : credit())
}

slips.lostAnswers.start()
await Promise.all([serve(), serve()])
