/** Who has a till's codes, or the till itself, gets nothing that was not given. */
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { CODE_ALPHABET } from '../../../../electron/codes/offline-code.ts'
import { verifyLedger } from '../../../../electron/service/store/verify.ts'
import { FULL } from '../../../support/size.ts'
import { OfflineTill, setLimits } from '../../../support/offline-till.ts'
import { openShop } from './shop.ts'

/** Codes that are reported at a time. */
const PART = 500
const FORGED = FULL ? 1_000_000 : 5_000
const REPLAYS = FULL ? 20_000 : 200
/** Milliseconds for the full size. */
const TIME = 30 * 60_000

/** Random numbers that are the same in each run (mulberry32). */
const seeded = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

it(
  'takes no code that was forged or changed, and one that is replayed gives nothing',
  { timeout: TIME },
  async () => {
    const shop = await openShop()
    const till = await OfflineTill.addTo(shop)
    await till.connect()
    const other = await OfflineTill.addTo(shop)
    await other.connect()
    const owner = await shop.register('+306901234567')
    const thief = await shop.register('+306909999999')
    const real = Array.from({ length: 4 }, () => till.make(250))
    const [collected = '', reported = ''] = real
    await till.report([collected, reported])
    await shop.collect(owner, collected)
    const random = seeded(50)
    const characters = (length: number): string =>
      Array.from({ length }, () => CODE_ALPHABET.charAt(random(32))).join('')
    const forgeries = [
      // One character of a real code is another one.
      (code: string): string => {
        const [place, by] = [random(40), 1 + random(31)]
        const changed = CODE_ALPHABET.charAt((CODE_ALPHABET.indexOf(code.charAt(place)) + by) % 32)
        return code.slice(0, place) + changed + code.slice(place + 1)
      },
      // More points, or another day or serial, with the proof of a real code.
      (code: string): string => code.slice(0, 16) + characters(8) + code.slice(24),
      (code: string): string => code.slice(0, 6) + characters(10) + code.slice(16),
      // A guessed proof.
      (code: string): string => code.slice(0, 24) + characters(16),
      // The proof of another key.
      (code: string): string => `${other.held?.key ?? ''}${code.slice(6)}`,
      (): string => characters(40)
    ]
    for (let made = 0; made < FORGED; made += PART) {
      const part = Array.from({ length: PART }, () => {
        const code = real[random(real.length)] ?? ''
        const forged = forgeries[random(forgeries.length)]?.(code) ?? ''
        return real.includes(forged) ? characters(40) : forged
      })
      expect(new Set(await till.report(part))).toEqual(new Set(['key-unknown']))
    }
    for (let times = 0; times < REPLAYS; times += 1) {
      if (times % 2 === 0) expect(await till.report([collected])).toEqual(['taken'])
      else await expect(shop.collect(thief, collected)).rejects.toMatchObject({ reason: 'code-used' })
    }
    expect(await shop.database.read('SELECT code FROM codes ORDER BY code')).toEqual(
      [collected, reported].toSorted().map((code) => ({ code }))
    )
    expect([await shop.balance(owner), await shop.balance(thief)]).toEqual([250, 0])
    expect(await verifyLedger(shop.database)).toEqual([])
  }
)

it('gives away by a stolen till what it may give on a day, and nothing after it was revoked', async () => {
  const shop = await openShop()
  await setLimits(shop, { pointsOfCode: 500, pointsOfDay: 2000, days: 3 })
  const till = await OfflineTill.addTo(shop)
  await till.connect()
  const thief = await shop.register('+306909999999')
  const steal = async (day: string): Promise<void> => {
    for (const points of [9_999_999, 501, 500, 499, 500, 500, 3, 1, 500, 250]) {
      const code = till.make(points, day)
      const opened = await till.codes.open(code)
      if (opened === null) throw new Error('not proved')
      const request = { business: shop.business, customer: thief, by: 'test', code, stored: opened.stored }
      // Refused ones are tried, too.
      await shop.collects.collect({ ...request, unadmitted: opened }).catch((error: unknown) => {
        expect(error).toMatchObject({ reason: 'offline-code-refused' })
      })
    }
  }
  const days = [
    '2026-11-19',
    '2026-11-20',
    '2026-11-21',
    '2026-11-22',
    '2026-11-23',
    '2026-11-24',
    '2026-11-25'
  ]
  for (const day of days) await steal(day)
  expect(await shop.balance(thief)).toBe(2000)
  // Without the service it can go on until its days end.
  shop.now = new Date('2026-11-30T10:00:00.000Z')
  for (const day of days) await steal(day)
  expect(await shop.balance(thief)).toBe(4 * 2000)
  await till.connect()
  await till.keys.stop(shop.business, till.id)
  for (const day of [...days, '2026-11-30']) await steal(day)
  expect(await shop.balance(thief)).toBe(4 * 2000)
  expect(await verifyLedger(shop.database)).toEqual([])
})

it('gives away by a stolen backup what its tills may give on a day, for a month, and nothing once they were stopped', async () => {
  const shop = await openShop()
  await setLimits(shop, { pointsOfCode: 500, pointsOfDay: 1000, days: 3 })
  const till = await OfflineTill.addTo(shop)
  await till.connect()
  const [row] = await shop.database.read('SELECT key, secret, ticket_hash AS ticket FROM offline_keys')
  const backup = v.parse(v.object({ key: v.string(), secret: v.string(), ticket: v.string() }), row)
  // A backup has the hash of the ticket.
  const thief = till.copy()
  thief.held = { ...backup, secret: Buffer.from(backup.secret, 'base64url') }
  const stolen = [thief.make(500), thief.make(501), thief.make(500), thief.make(1)]
  expect(await till.report(stolen)).toEqual(['taken', 'above-code-limit', 'taken', 'above-day-limit'])
  // The owner sees it by what the till itself may not give any more.
  expect(await till.report([till.make(5)])).toEqual(['above-day-limit'])
  await till.keys.stop(shop.business, till.id)
  await till.keys.resume(shop.business, till.id)
  shop.now = new Date('2026-11-22T10:00:00.000Z')
  await till.connect()
  const day = '2026-11-22'
  expect(await till.report([thief.make(5, day), till.make(5, day)])).toEqual(['key-revoked', 'taken'])
  // Without being stopped a key is replaced after a month.
  const later = await OfflineTill.addTo(shop)
  await later.connect()
  const copied = later.copy()
  for (let days = 0; days < 36; days += 1) {
    shop.now = new Date(shop.now.getTime() + 24 * 60 * 60_000)
    await later.connect()
  }
  const today = shop.now.toISOString().slice(0, 10)
  expect(await later.report([copied.make(5, today), later.make(5, today)])).toEqual([
    'day-not-allowed',
    'taken'
  ])
})
