/** *Offline slips*: the tills, what was not taken, and the limits. */
import { expect, it } from 'vitest'
import { groupedCode } from '../../../../electron/contract/code-groups.ts'
import { CodeStore } from '../../../../electron/service/store/codes.ts'
import { TillStore } from '../../../../electron/service/store/tills.ts'
import { verifyLedger } from '../../../../electron/service/store/verify.ts'
import { OfflineTill, setLimits } from '../../../support/offline-till.ts'
import { textOf } from '../pages/visitor.ts'
import { locationOf, openOffice } from './shop-office.ts'

const openTills = async () => {
  const office = await openOffice()
  const { shop, path, signedIn } = office
  const till = await OfflineTill.addTo(shop)
  await till.connect()
  const owner = await signedIn('owner')
  const at = path('/offline')
  const read = async (query = ''): Promise<string> => textOf(await owner.get(at + query))
  const allow = async (code: string): Promise<string> =>
    textOf(await owner.submit(`${at}/codes/${code}/allow`))
  return { ...office, till, owner, at, read, allow }
}

it('say whether a till prints them and how many points it gave today, and stop it until it is allowed again', async () => {
  const { shop, till, owner, at, read, signedIn } = await openTills()
  const other = await OfflineTill.addTo(shop)
  await till.report([till.make(1200), till.make(50)])
  expect(await read()).toContain(`${till.id} On · Points today: 1,250 of 20,000 Stop offline slips`)
  expect(await textOf(await owner.get(`${at}/tills/${till.id}/stop`))).toContain('printed already')
  const stopped = await textOf(await owner.submit(`${at}/tills/${till.id}/stop`))
  expect(stopped).toContain('The offline slips of the till are stopped.')
  expect(stopped).toContain(
    `${till.id} Stopped on 21 Nov 2026, 12:00 · Points today: 1,250 of 20,000 Allow again`
  )
  expect(stopped).toContain(`${other.id} On · Points today: 0 of 20,000`)
  expect(await till.report([till.make(5)])).toEqual(['key-revoked'])
  await expect(till.connect()).rejects.toMatchObject({ reason: 'offline-codes-off' })
  expect(await textOf(await owner.submit(`${at}/tills/${till.id}/resume`))).toContain(`${till.id} On`)
  await till.connect()
  expect(await till.report([till.make(5)])).toEqual(['taken'])
  shop.now = new Date('2026-11-21T22:00:00.000Z')
  const later = await signedIn('owner')
  const readLater = async (): Promise<string> => textOf(await later.get(at))
  expect(await readLater()).toContain(`${till.id} On · Points today: 0 of`)
  await setLimits(shop, { days: 0 })
  expect(await readLater()).toContain(`${other.id} Off for all tills`)
  await new TillStore(shop.database).revoke(other.id, shop.now.toISOString())
  expect(await readLater()).not.toContain(other.id)
  expect(await textOf(await later.submit(`${at}/tills/till_x/stop`))).toContain('There is no such till.')
  expect((await later.get(`${at}/tills/till_x/stop`)).status).toBe(404)
})

it('list what was not taken with its reason, and an allowed one counts once and is collected once', async () => {
  const { shop, till, owner, at, read, allow, visitor, faults } = await openTills()
  expect(await read()).toContain('Every slip was taken.')
  await setLimits(shop, { pointsOfCode: 100, pointsOfDay: 150 })
  const [above, day, old, ahead] = [
    till.make(101),
    till.make(100),
    till.make(7, '2024-01-01'),
    till.make(8, '2031-05-01')
  ]
  const reasons = ['taken', 'above-code-limit', 'above-day-limit', 'day-not-allowed', 'day-not-allowed']
  expect(await till.report([till.make(100), above, day, old, ahead])).toEqual(reasons)
  const shown = await read()
  for (const text of [
    `${groupedCode(above)} More points than a slip may have by ${till.id} · Reported by the till on 21 Nov 2026, 12:00 101 points Allow`,
    `${groupedCode(day)} More points than the till may give in a day`,
    `${groupedCode(old)} The date was wrong`
  ])
    expect(shown).toContain(text)
  expect(await textOf(await owner.get(at.replace('offline', 'today')))).toContain('Slips not taken 4')
  await Promise.all([allow(above), allow(above)])
  expect(await allow(above)).toContain('The slip is allowed.')
  for (const code of [old, ahead]) await allow(code)
  expect(await read()).toMatch(
    new RegExp(
      `${groupedCode(above)} More points than a slip may have .* Allowed on 21 Nov 2026, 12:00 · Ana 101 points`
    )
  )
  expect(await textOf(await owner.get(at.replace('offline', 'today')))).toContain('Slips not taken 1')
  expect(await shop.database.read("SELECT points FROM offline_days WHERE day = '2026-11-21'")).toEqual([
    { points: 201 }
  ])
  for (const code of [above, old, ahead]) {
    expect(await new CodeStore(shop.database).find(shop.business, code)).toMatchObject({
      expiresAt: '2027-02-19T10:00:00.000Z'
    })
    const collected = await textOf(await visitor().submit(`/q/${code}`, { phone: '690 123 4567' }))
    expect(collected).toContain('+')
    expect((await visitor().get(`/q/${code}`)).status).toBe(410)
  }
  // A higher limit takes what was refused.
  await setLimits(shop, { pointsOfDay: 1000 })
  expect(await till.report([above, day])).toEqual(['taken', 'taken'])
  expect(await read()).toMatch(new RegExp(`${groupedCode(day)} More points .* Taken since 100 points`))
  expect(await shop.database.read('SELECT sum(points) AS points FROM entries')).toEqual([{ points: 116 }])
  expect(await verifyLedger(shop.database)).toEqual([])
  expect(faults).toEqual([])
})

it('allow nothing that no till of the shop has made', async () => {
  const { shop, till, allow, addShop } = await openTills()
  const elsewhere = await OfflineTill.addTo(await addShop())
  await elsewhere.connect()
  const code = till.make(5)
  const forged = code.slice(0, -1) + (code.endsWith('0') ? '1' : '0')
  for (const unknown of [forged, elsewhere.make(5), 'ABC', till.make(0)])
    expect(await allow(unknown)).toContain('There is no such code.')
  expect(await shop.database.read('SELECT code FROM codes')).toEqual([])
})

it('list 30 at a time, the newest first', async () => {
  const { shop, till, owner, read, at } = await openTills()
  const codes = []
  for (let index = 0; index < 31; index += 1) {
    shop.now = new Date(shop.now.getTime() + 1000)
    const code = till.make(5001 + index)
    await till.report([code])
    codes.push(code)
  }
  const first = await (await owner.get(at)).text()
  expect(first).not.toContain(groupedCode(codes[0] ?? ''))
  const older = /href="[^"]+(\?after=[^"]+)"/.exec(first)?.[1] ?? ''
  expect(await read(older)).toContain(`${groupedCode(codes[0] ?? '')} More points`)
  expect(await read(older)).not.toContain(groupedCode(codes[1] ?? ''))
})

it('keep a thousand of a till in a month', async () => {
  const { shop, till } = await openTills()
  const count = () => shop.database.read('SELECT count(*) AS count FROM offline_refusals')
  // Each says another day.
  const days = Array.from({ length: 1100 }, (_, index) =>
    new Date(Date.parse('2027-01-01') + index * 86_400_000).toISOString().slice(0, 10)
  )
  for (let part = 0; part < 3; part += 1)
    await till.report(days.slice(part * 400, part * 400 + 400).map((day) => till.make(5, day)))
  expect(await count()).toEqual([{ count: 1000 }])
  shop.now = new Date(shop.now.getTime() + 31 * 86_400_000)
  await till.report([till.make(5, '2035-01-01')])
  expect(await count()).toEqual([{ count: 1001 }])
})

it('have limits that the owner sets, within what there is', async () => {
  const { till, owner, at, shop } = await openTills()
  const made = till.make(400)
  const form = { pointsOfCode: '300', pointsOfDay: '4000', days: '2' }
  expect(locationOf(await owner.post(at, form))).toBe(`${at}?done=saved`)
  const limits = () =>
    shop.database.read(
      'SELECT offline_points_of_code AS code, offline_points_of_day AS day, offline_days AS days FROM businesses'
    )
  expect(await limits()).toEqual([{ code: 300, day: 4000, days: 2 }])
  expect(await till.report([made])).toEqual(['above-code-limit'])
  await owner.post(at, { pointsOfCode: '0', pointsOfDay: '', days: '99' })
  expect(await limits()).toEqual([{ code: 1, day: 1, days: 30 }])
  await owner.post(at, { ...form, days: '0' })
  await expect(till.connect()).rejects.toMatchObject({ reason: 'offline-codes-off' })
})

it('are marked among the codes, and only the owner has their page', async () => {
  const { till, shop, path, signedIn, at } = await openTills()
  const code = till.make(5)
  await till.report([code])
  const issued = await shop.issueAt(till.id, 6, null)
  const staff = await signedIn('staff')
  const list = await textOf(await staff.get(path('/codes')))
  expect(list).toMatch(
    new RegExp(`${groupedCode(code)} Can be collected until [^·]* · printed offline · by ${till.id}`)
  )
  expect(list).toMatch(new RegExp(`${groupedCode(issued)} Can be collected until [^·]* · by ${till.id}`))
  expect(await textOf(await staff.get(path(`/codes/${code}`)))).toContain('· printed offline ·')
  expect((await staff.get(at)).status).toBe(403)
})
