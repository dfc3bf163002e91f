import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { err, ok, type Result } from '../../../../electron/contract/failure.ts'
import type { Account } from '../../../../electron/contract/loyalty.ts'
import type { Mode } from '../../../../electron/contract/till.ts'
import { DailyProfileRead } from '../../../../electron/main/session/daily-profile-read.ts'
import { systemClock } from '../../../../electron/main/session/reachability.ts'
import { account } from '../loyalty/samples.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let mode: Mode
let business: Account | null
let answer: () => Result<null>
/** when the profile was read */
let reads: string[]
let onRead: number
let daily: DailyProfileRead

beforeEach(() => {
  // 23:30 in Paris.
  vi.useFakeTimers({ now: new Date('2026-11-21T22:30:00.000Z') })
  mode = 'business'
  business = account
  answer = () => ok(null)
  reads = []
  onRead = 0
  daily = new DailyProfileRead({
    clock: systemClock,
    session: {
      get mode() {
        return mode
      },
      get business() {
        return business
      },
      refresh: () => {
        reads.push(new Date().toISOString())
        return Promise.resolve(answer())
      }
    },
    onRead: () => {
      onRead += 1
    }
  })
  daily.start()
})

afterEach(() => {
  daily.close()
  vi.useRealTimers()
})

test("the profile is read once at the turn of the shop's day, in its own time zone", async () => {
  await vi.advanceTimersByTimeAsync(29 * MINUTE)
  expect(reads).toEqual([])
  await vi.advanceTimersByTimeAsync(6 * MINUTE)
  expect(reads).toEqual(['2026-11-21T23:00:00.000Z'])
  await vi.advanceTimersByTimeAsync(20 * HOUR)
  expect(reads).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(4 * HOUR)
  expect(reads).toHaveLength(2)
  expect(onRead).toBe(2)
})

test('a failed read is tried again after some minutes', async () => {
  answer = () => err({ kind: 'service-down', status: 503 })
  await vi.advanceTimersByTimeAsync(35 * MINUTE)
  expect(reads).toHaveLength(2)
  expect(onRead).toBe(0)
  answer = () => ok(null)
  await vi.advanceTimersByTimeAsync(HOUR)
  expect(reads).toHaveLength(3)
})

test('a shop that moved to another time zone has its own midnight from then on', async () => {
  answer = () => {
    business = { ...account, timeZone: 'Pacific/Auckland' }
    return ok(null)
  }
  await vi.advanceTimersByTimeAsync(35 * MINUTE)
  expect(reads).toHaveLength(1)
  // Midnight in Auckland, UTC+13.
  await vi.advanceTimersByTimeAsync(11 * HOUR + 55 * MINUTE)
  expect(reads).toEqual(['2026-11-21T23:00:00.000Z', '2026-11-22T11:00:00.000Z'])
})

test.each([
  ['an unknown time zone', () => (business = { ...account, timeZone: 'Paris time' })],
  ['no profile yet', () => (business = null)]
])("with %s the system's day counts", async (_name, change) => {
  change()
  daily.start()
  await vi.advanceTimersByTimeAsync(25 * HOUR)
  expect(reads.length).toBeGreaterThan(0)
})

test('training mode and a closed till read nothing', async () => {
  mode = 'training'
  await vi.advanceTimersByTimeAsync(25 * HOUR)
  mode = 'business'
  daily.close()
  await vi.advanceTimersByTimeAsync(25 * HOUR)
  expect(reads).toEqual([])
})
