import { expect, it } from 'vitest'
import { AttemptStore } from '../../../../electron/service/store/attempts.ts'
import { openShop } from './shop.ts'

const MINUTE_MS = 60_000

it('counts attempts up to the first that is over its limit, each for its own time', async () => {
  const { database } = await openShop()
  let now = new Date('2026-11-21T12:00:00.000Z')
  const attempts = new AttemptStore(database, () => now)
  const address = { subject: ['address', '192.0.2.1'], limit: { count: 2, minutes: 10 } }
  const phone = { subject: ['phone', '+306940000001'], limit: { count: 3, minutes: 60 } }
  const both = () => attempts.firstExceeded([address, phone])

  expect(await both()).toBeNull()
  expect(await both()).toBeNull()
  // The address is over its limit: the phone is not counted, and stays free for others.
  for (let tried = 0; tried < 5; tried += 1) expect(await both()).toBe(10)
  expect(await attempts.isAllowed(phone.subject, phone.limit)).toBe(true)
  expect(await attempts.isAllowed(phone.subject, phone.limit)).toBe(false)

  now = new Date(now.getTime() + 10 * MINUTE_MS)
  // The time that is left.
  expect(await both()).toBe(50)
  now = new Date(now.getTime() + 50 * MINUTE_MS)
  expect(await both()).toBeNull()
})

it('begins anew after the clock was ahead, and forgets such counts', async () => {
  const { database } = await openShop()
  let now = new Date('2027-11-21T12:00:00.000Z')
  const attempts = new AttemptStore(database, () => now)
  const [subject, limit] = [['address', '192.0.2.1'], { count: 1, minutes: 10 }] as const
  const other = { subject: ['phone', '+306940000001'], limit }
  for (const counted of [subject, subject, other.subject, other.subject])
    await attempts.isAllowed(counted, limit)
  // Another process of the service may be a little ahead.
  now = new Date(now.getTime() - MINUTE_MS)
  expect(await attempts.isAllowed(subject, limit)).toBe(false)

  now = new Date('2026-11-21T12:00:00.000Z')
  expect(await attempts.firstExceeded([{ subject, limit }, other])).toBeNull()
  expect(await attempts.isAllowed(subject, limit)).toBe(false)

  now = new Date(now.getTime() - 60 * MINUTE_MS)
  await attempts.clean(60)
  expect(await database.read('SELECT key FROM attempts')).toEqual([])
})
