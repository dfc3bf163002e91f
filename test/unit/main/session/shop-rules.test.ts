/** The shop's rules at the till: read each minute, kept for the business that they are of, and used without a connection. */
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  FIRST_RULES,
  rulesAnswerSchema,
  type EarningRules as Rules,
  type RulesAnswer
} from '../../../../electron/contract/earning-rules.ts'
import { err, ok, type Result } from '../../../../electron/contract/failure.ts'
import type { Account } from '../../../../electron/contract/loyalty.ts'
import { ownRule } from '../../../../electron/contract/points-calculation.ts'
import { parseSettings } from '../../../../electron/main/settings/settings-schema.ts'
import { ShopRules } from '../../../../electron/main/session/shop-rules.ts'
import { systemClock } from '../../../../electron/main/session/reachability.ts'
import { MemorySettings } from '../../../support/session.ts'
import { account } from '../loyalty/samples.ts'

const MINUTE = 60_000
const OWN = { pointsPerUnit: '3', rounding: 'down', minimum: '0', currency: 'EUR' } as const
const HAPPY_HOUR: Rules['bonusTimes'][number] = {
  ...{ name: 'Happy hour', factor: '2', weekdays: [1, 2, 3, 4, 5, 6, 7] },
  ...{ from: '17:00', to: '18:00', firstDay: null, lastDay: null }
}

let session: { business: Account | null; businessKey: string; offlineSince: string | null }
let answer: Result<RulesAnswer>
let asked: number
let aheadMs: number
let changes: number
let settings: MemorySettings
let rules: ShopRules

const answered = (version: number, change: Partial<Rules> = {}): Result<RulesAnswer> =>
  ok({ version, timeZone: 'Europe/Athens', rules: { ...FIRST_RULES, ...change } })

const open = (): ShopRules =>
  new ShopRules({
    session: {
      get business() {
        return session.business
      },
      get businessKey() {
        return session.businessKey
      },
      get offlineSince() {
        return session.offlineSince
      },
      askExtension: async <Value>() => {
        asked += 1
        return Promise.resolve(answer as Result<Value>)
      }
    },
    settings,
    serviceClock: {
      get aheadMs() {
        return aheadMs
      }
    },
    clock: systemClock,
    onChange: () => (changes += 1)
  })

/** Lets the till read the rules of the business that it serves now. */
const served = async (): Promise<void> => {
  rules.handleStateChange()
  await vi.advanceTimersByTimeAsync(0)
}

beforeEach(() => {
  // 16:59:20 in Athens.
  vi.useFakeTimers({ now: new Date('2026-11-24T14:59:20.000Z') })
  session = { business: { ...account, extensions: ['rules/1'] }, businessKey: 'a', offlineSince: null }
  answer = answered(4, { pointsPerUnit: '0.5', bonusTimes: [HAPPY_HOUR] })
  asked = 0
  aheadMs = 0
  changes = 0
  settings = new MemorySettings()
  settings.update({ pointsRule: OWN })
  rules = open()
  rules.start()
})

afterEach(() => {
  rules.close()
  vi.useRealTimers()
})

test('are those of the till until the shop has some', async () => {
  expect(rules.current).toEqual(ownRule(OWN))
  answer = ok({ version: 0, timeZone: 'Europe/Athens', rules: null })
  await served()
  expect([rules.ofShop, rules.current]).toEqual([null, ownRule(OWN)])
})

test('are read for a business that is served from now on, and told once', async () => {
  await served()
  expect(rules.current).toMatchObject({ version: 4, pointsPerUnit: '0.5', factors: [] })
  rules.handleStateChange()
  expect([asked, changes]).toEqual([1, 1])
})

test('are read at the begin of each minute: a change of the owner’s is here within one', async () => {
  await served()
  answer = answered(5, { pointsPerUnit: '7' })
  await vi.advanceTimersByTimeAsync(40_000)
  expect([asked, changes, rules.current?.version]).toEqual([2, 3, 5])
  await vi.advanceTimersByTimeAsync(2 * MINUTE)
  expect([asked, changes]).toEqual([4, 3])
})

test('have the factor of a bonus time from its first minute to its end, by the clock of the service', async () => {
  aheadMs = 10 * MINUTE
  await served()
  await vi.advanceTimersByTimeAsync(40_000)
  expect(rules.current?.factors).toEqual([])
  await vi.advanceTimersByTimeAsync(10 * MINUTE)
  expect(rules.current?.factors).toEqual([{ name: 'Happy hour', factor: '2' }])
  await vi.advanceTimersByTimeAsync(60 * MINUTE)
  expect(rules.current?.factors).toEqual([])
  expect(changes).toBe(3)
})

test('are kept: a till that starts without a connection calculates with the last ones', async () => {
  await served()
  rules.close()
  session.offlineSince = '2026-11-24T15:00:00.000Z'
  rules = open()
  rules.start()
  expect(rules.current?.version).toBe(4)
  await vi.advanceTimersByTimeAsync(MINUTE)
  expect(asked).toBe(1)
})

test('stay as they were when the service does not tell them', async () => {
  await served()
  answer = err({ kind: 'service-down', status: 503 })
  await vi.advanceTimersByTimeAsync(MINUTE)
  expect(rules.current?.version).toBe(4)
})

test('are never those of another business, nor of a service that does not name the extension any more', async () => {
  await served()
  session.businessKey = 'b'
  expect(rules.ofShop).toBeNull()
  session.businessKey = 'a'
  session.business = { ...account, extensions: [] }
  expect(rules.ofShop).toBeNull()
  await served()
  expect(asked).toBe(1)
})

test('of an answer that comes after another business was connected are not kept', async () => {
  const late = Promise.withResolvers<undefined>()
  const first = answer
  rules.close()
  rules = new ShopRules({
    session: {
      business: session.business,
      get businessKey() {
        return session.businessKey
      },
      offlineSince: null,
      askExtension: async <Value>() => {
        await late.promise
        return first as Result<Value>
      }
    },
    settings,
    serviceClock: { aheadMs: 0 },
    clock: systemClock,
    onChange: () => (changes += 1)
  })
  rules.start()
  rules.handleStateChange()
  session.businessKey = 'b'
  late.resolve(undefined)
  await vi.advanceTimersByTimeAsync(0)
  expect([settings.values.shopRules, changes]).toEqual([null, 0])
})

test('of a time zone that this runtime does not know are no answer, nor kept settings', () => {
  const unknown = { version: 4, timeZone: 'Mars/Base', rules: FIRST_RULES }
  expect(v.safeParse(rulesAnswerSchema, unknown).success).toBe(false)
  const stored = parseSettings({ shopRules: { owner: 'a', answer: unknown } })
  expect(stored).toMatchObject({ isWhole: false, values: { shopRules: null } })
})

test('say when points end, of the business that is served alone', async () => {
  expect(rules.expiry).toBeNull()
  const expiry = { months: 12, since: 'visit', onSlips: true } as const
  answer = answered(5, { expiry })
  await served()
  expect(rules.expiry).toEqual(expiry)
  session.businessKey = 'b'
  expect(rules.expiry).toBeNull()
})
