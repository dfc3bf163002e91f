import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { err, ok, type Result } from '../../../../electron/contract/failure.ts'
import type { Account } from '../../../../electron/contract/loyalty.ts'
import type { Mode } from '../../../../electron/contract/till.ts'
import { ProfileReads } from '../../../../electron/main/session/profile-reads.ts'
import { systemClock } from '../../../../electron/main/session/reachability.ts'
import { account } from '../loyalty/samples.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let mode: Mode
let business: Account | null
let answer: () => Result<null>
let reads: number
let newDays: string[]
let profile: ProfileReads

beforeEach(() => {
  // 23:30 in Paris.
  vi.useFakeTimers({ now: new Date('2026-11-21T22:30:00.000Z') })
  mode = 'business'
  business = account
  answer = () => ok(null)
  reads = 0
  newDays = []
  profile = new ProfileReads({
    clock: systemClock,
    session: {
      get mode() {
        return mode
      },
      get business() {
        return business
      },
      refresh: () => {
        reads += 1
        return Promise.resolve(answer())
      }
    },
    images: { refresh: () => Promise.resolve(void newDays.push(new Date().toISOString())) }
  })
  profile.start()
})

afterEach(() => {
  profile.close()
  vi.useRealTimers()
})

test('the profile is read every five minutes, also after a failure', async () => {
  answer = () => err({ kind: 'service-down', status: 503 })
  await vi.advanceTimersByTimeAsync(11 * MINUTE)
  expect(reads).toBe(2)
})

test('a person who turns to the till has it read, unless it is younger than a minute', () => {
  profile.handleFocus()
  expect(reads).toBe(0)
  vi.setSystemTime(Date.now() + 2 * MINUTE)
  profile.handleFocus()
  profile.handleFocus()
  expect(reads).toBe(1)
})

test("each of the shop's days is noticed once, in its own time zone", async () => {
  await vi.advanceTimersByTimeAsync(25 * HOUR)
  expect(newDays).toEqual(['2026-11-21T23:00:00.000Z', '2026-11-22T23:00:00.000Z'])
})

test('a new day is noticed when the service answers again', async () => {
  answer = () => err({ kind: 'service-down', status: 503 })
  await vi.advanceTimersByTimeAsync(HOUR)
  expect(newDays).toEqual([])
  answer = () => ok(null)
  await vi.advanceTimersByTimeAsync(5 * MINUTE)
  expect(newDays).toHaveLength(1)
})

test('a shop that moved to another time zone has its own midnight from then on', async () => {
  answer = () => {
    business = { ...account, timeZone: 'Pacific/Auckland' }
    return ok(null)
  }
  await vi.advanceTimersByTimeAsync(5 * MINUTE)
  expect(newDays).toHaveLength(1)
  // Midnight in Auckland, UTC+13.
  await vi.advanceTimersByTimeAsync(12 * HOUR + 30 * MINUTE)
  expect(newDays.at(-1)).toBe('2026-11-22T11:00:00.000Z')
})

test.each([
  ['an unknown time zone', () => (business = { ...account, timeZone: 'Paris time' })],
  ['no profile yet', () => (business = null)]
])("with %s the system's day counts", async (_name, change) => {
  change()
  profile.start()
  business ??= account
  await vi.advanceTimersByTimeAsync(25 * HOUR)
  expect(newDays.length).toBeGreaterThan(0)
})

test('training mode and a closed till read nothing', async () => {
  mode = 'training'
  await vi.advanceTimersByTimeAsync(HOUR)
  profile.handleFocus()
  mode = 'business'
  profile.close()
  await vi.advanceTimersByTimeAsync(HOUR)
  profile.handleFocus()
  expect(reads).toBe(0)
})
