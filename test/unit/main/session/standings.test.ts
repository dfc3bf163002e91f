/** What a customer has by the shop's rules: asked of the service, and as it was last while that does not answer. */
import { beforeEach, expect, test } from 'vitest'
import { FIRST_RULES, earningRuleAt, type Standing } from '../../../../electron/contract/earning-rules.ts'
import { err, ok, type Result } from '../../../../electron/contract/failure.ts'
import { RecentCustomers } from '../../../../electron/main/session/recent-customers.ts'
import { Standings } from '../../../../electron/main/session/standings.ts'
import { customer } from '../loyalty/samples.ts'

const GOLD: Standing = { level: { name: 'Gold', factor: '1.5' }, next: null, ending: null }
const SILVER: Standing = { ...GOLD, level: { name: 'Silver', factor: '1.2' } }
const rule = earningRuleAt({ version: 1, timeZone: 'UTC', rules: FIRST_RULES }, new Date())

let session: { owner: { number: number }; offlineSince: string | null }
let shopRules: { ofShop: typeof rule }
let answer: Result<Standing>
let asked: number
/** runs while the answer is awaited */
let meanwhile: () => void
let recent: RecentCustomers
let standings: Standings

beforeEach(() => {
  session = { owner: { number: 1 }, offlineSince: null }
  shopRules = { ofShop: rule }
  answer = ok(GOLD)
  asked = 0
  meanwhile = () => undefined
  recent = new RecentCustomers(session)
  recent.see([{ ...customer, id: 'a' }])
  const client = {
    get owner() {
      return session.owner
    },
    get offlineSince() {
      return session.offlineSince
    },
    askExtension: <Value>() => {
      asked += 1
      meanwhile()
      return Promise.resolve(answer as Result<Value>)
    }
  }
  standings = new Standings({ session: client, shopRules, recent })
})

test('is asked for each time', async () => {
  expect(await standings.read('a')).toEqual(GOLD)
  answer = ok(SILVER)
  expect(await standings.read('a')).toEqual(SILVER)
  expect(asked).toBe(2)
})

test('is as it was last without a connection, for which nothing is sent', async () => {
  await standings.read('a')
  session.offlineSince = '2026-11-24T12:00:00.000Z'
  answer = ok(SILVER)
  expect([await standings.read('a'), await standings.read('b')]).toEqual([GOLD, null])
  expect(asked).toBe(1)
})

test.each([{ kind: 'timeout' }, { kind: 'bad-response', path: 'level' }, { kind: 'not-found' }] as const)(
  'is as it was last after $kind',
  async (failure) => {
    answer = err(failure)
    expect(await standings.read('a')).toBeNull()
    answer = ok(GOLD)
    await standings.read('a')
    answer = err(failure)
    expect(await standings.read('a')).toEqual(GOLD)
  }
)

test('is nothing in a shop without rules, of which nothing is asked', async () => {
  shopRules.ofShop = null
  expect([await standings.read('a'), asked]).toEqual([null, 0])
})

test('is not that of another business whose answer comes late', async () => {
  meanwhile = () => {
    session.owner = { number: 2 }
    recent.see([{ ...customer, id: 'a' }])
  }
  expect(await standings.read('a')).toBeNull()
  expect(recent.standingOf('a')).toBeNull()
})
