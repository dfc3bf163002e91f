/** What a customer has by the shop's rules on the own page and on the shop's, and the birthday. */
import { expect, it } from 'vitest'
import { FIRST_RULES, type EarningRules } from '../../../../electron/contract/earning-rules.ts'
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { DeviceStore } from '../../../../electron/service/store/devices.ts'
import { RulesStore } from '../../../../electron/service/store/rules.ts'
import { locationOf, openOffice } from '../manage/shop-office.ts'
import { textOf } from './visitor.ts'

const LEVELS: EarningRules['levels'] = [
  { name: 'Silver', from: 100, factor: '1.25' },
  { name: 'Gold', from: 500, factor: '2' }
]

const openLinked = async (rules: Partial<EarningRules>) => {
  const office = await openOffice()
  const { shop, business, visitor } = office
  const customer = await shop.register('+306901234567', 'Maria')
  const devices = new DeviceStore({ database: shop.database, now: () => shop.now, random: systemRandomBytes })
  const device = devices.create(shop.business)
  await devices.add(device)
  await devices.link(shop.business, customer, await devices.offerLink({ ...device, customer: null }))
  const browser = visitor()
  browser.setCookie(`device-${business}`, device.cookie)
  let saved = 0
  const setRules = (changes: Partial<EarningRules> | null) =>
    new RulesStore(shop.database).save(shop.business, {
      rules: changes && { ...FIRST_RULES, ...changes },
      ...{ request: String((saved += 1)), at: shop.now.toISOString(), by: 'test' }
    })
  await setRules(rules)
  const birthday = async (): Promise<unknown> =>
    (await shop.database.read('SELECT birthday FROM customers WHERE id = $1', [customer]))[0]
  return { ...office, customer, browser, setRules, birthday, me: `/me/${business}` }
}

it.each([
  [0, 'Maria 100 more points to Silver', ''],
  [99, 'Maria 1 more point to Silver', ''],
  [100, 'Maria Your level: Silver. Purchases earn × 1.25. 400 more points to Gold', 'Level: Silver, × 1.25'],
  [500, 'Maria Your level: Gold. Purchases earn × 2.', 'Level: Gold, × 2']
])('names the level of a customer who has earned %d, and the next one', async (points, says, shop) => {
  const opened = await openLinked({ levels: LEVELS })
  if (points > 0) await opened.shop.credit(opened.customer, points)
  const page = await textOf(await opened.browser.get(opened.me))
  expect(page).toContain(says)
  if (points === 500) expect(page).not.toContain('more point')
  const owner = await opened.signedIn('staff')
  const customer = await textOf(await owner.get(opened.path(`/customers/${opened.customer}`)))
  if (shop === '') expect(customer).not.toContain('Level:')
  else expect(customer).toContain(`Points in all ${String(points)} ${shop}`)
})

it('says which points end next and their last day, to the customer and to the shop', async () => {
  const opened = await openLinked({ expiry: { months: 6, since: 'earned', onSlips: false } })
  const { shop, customer, browser, me, setRules } = opened
  await shop.credit(customer, 120)
  shop.now = new Date('2026-11-22T10:00:00.000Z')
  await shop.credit(customer, 30)
  await shop.redeem(customer, await shop.offer(20, 1))
  await setRules(null)
  expect(await textOf(await browser.get(me))).toContain(
    'You can use 100 points until 21 May 2027; then they end.'
  )
  const staff = await opened.signedIn('staff')
  expect(await textOf(await staff.get(opened.path(`/customers/${customer}`)))).toContain(
    'Points that end after 21 May 2027: 100'
  )
})

it('says nothing of levels and birthdays without rules', async () => {
  const { shop, customer, browser, me, setRules } = await openLinked({ levels: LEVELS, birthdayPoints: 5 })
  await shop.credit(customer, 200)
  await setRules(null)
  expect(await textOf(await browser.get(me))).not.toMatch(/level|more point|Birthday/)
})

it('asks for the birthday while the shop gives points for it, changes and removes it', async () => {
  const { browser, me, birthday, setRules } = await openLinked({ birthdayPoints: 30 })
  expect(await textOf(await browser.get(me))).toContain(
    'Birthday On this day you get 30 points from the shop.'
  )
  const saved = await browser.submit(`${me}/birthday`, { day: '29', month: '2' })
  expect(await textOf(saved)).toContain('Your birthday is saved.')
  expect(await birthday()).toEqual({ birthday: '02-29' })
  const page = await (await browser.get(me)).text()
  for (const chosen of ['<option value="29" selected>29<', '<option value="2" selected>February<'])
    expect(page).toContain(chosen)
  await browser.submit(`${me}/birthday`, { day: '1', month: '12' })
  expect(await birthday()).toEqual({ birthday: '12-01' })
  const german = await (
    await browser.submit(`${me}/birthday`, { day: '7', month: '3', language: 'de' })
  ).text()
  for (const chosen of ['<option value="7" selected>7<', '<option value="3" selected>März<'])
    expect(german).toContain(chosen)
  expect(german.match(/<button\s+form="typed"\s+name="language"/g)).toHaveLength(6)
  expect(await birthday()).toEqual({ birthday: '12-01' })
  // One that is kept can be removed when the shop gives none any more.
  await setRules({})
  expect(await textOf(await browser.get(me))).toContain('Birthday The shop gives no points for it now.')
  const removed = await textOf(
    await browser.submit(`${me}/birthday`, { day: '1', month: '12', remove: 'yes' })
  )
  expect(await birthday()).toEqual({ birthday: null })
  expect(removed).toContain('Birthday Your birthday is removed. My data')
  expect(await textOf(await browser.get(me))).not.toContain('Birthday')
})

it.each([
  ['en', 'January'],
  ['de', 'Januar'],
  ['fr', 'janvier'],
  ['es', 'enero'],
  ['el', 'Ιανουάριος'],
  ['ar', 'يناير']
])('names the months in %s as they are named alone', async (language, january) => {
  const { browser, me } = await openLinked({ birthdayPoints: 30 })
  const html = await (await browser.get(`${me}?lang=${language}`)).text()
  expect(html).toContain(`>${january}</`)
})

it.each([
  ['31', '4'],
  ['30', '2'],
  ['32', '1'],
  ['0', '1'],
  ['1', '13'],
  ['1', ''],
  ['', '1'],
  ['', ''],
  ['x', '1'],
  ['1.5', '1']
])('says that %j and %j are no day, and keeps what was chosen', async (day, month) => {
  const { browser, me, birthday } = await openLinked({ birthdayPoints: 30 })
  await browser.submit(`${me}/birthday`, { day: '3', month: '5' })
  const html = await (await browser.submit(`${me}/birthday`, { day, month })).text()
  expect(html).toMatch(/<p class="fault" id="day-fault">Choose a day and a month that go together\.</)
  expect(html).toMatch(/<select id="day"[^>]*aria-invalid="true" autofocus/)
  if (day === '31') expect(html).toContain('<option value="31" selected>')
  expect(await birthday()).toEqual({ birthday: '05-03' })
})

it('gives the birthday out with the data, keeps it when customers are merged, and erases it with the account', async () => {
  const { shop, customer, browser, me, birthday, addShop } = await openLinked({ birthdayPoints: 30 })
  const merged = await shop.register('+306900000002')
  await shop.database.write("UPDATE customers SET birthday = '05-03' WHERE id = $1", [merged])
  await shop.identities.merge(shop.business, customer, merged)
  expect(await birthday()).toEqual({ birthday: '05-03' })
  expect(await shop.database.read('SELECT birthday FROM customers WHERE id = $1', [merged])).toEqual([
    { birthday: null }
  ])
  const other = await shop.register('+306900000003')
  await shop.database.write("UPDATE customers SET birthday = '07-07' WHERE id = $1", [other])
  await shop.identities.merge(shop.business, customer, other)
  expect(await birthday()).toEqual({ birthday: '05-03' })
  expect(await (await browser.get(`${me}/data.json`)).json()).toMatchObject({ birthday: '05-03' })
  const second = await addShop()
  const theirs = await second.register('+306901234567')
  await second.database.write("UPDATE customers SET birthday = '08-08' WHERE id = $1", [theirs])
  await browser.submit(`${me}/delete`, { customer })
  expect(await shop.database.read('SELECT id FROM customers WHERE birthday IS NOT NULL')).toEqual([
    { id: theirs }
  ])
})

it('keeps no birthday for a device that is not linked', async () => {
  const { visitor, me, shop } = await openLinked({ birthdayPoints: 30 })
  const answer = await visitor().post(`${me}/birthday`, { day: '3', month: '5' })
  expect([answer.status, locationOf(answer)]).toEqual([303, me])
  expect(await shop.database.read('SELECT id FROM customers WHERE birthday IS NOT NULL')).toEqual([])
})

it('answers the first purchase of a phone that joins as that of one that is known, with welcome points', async () => {
  const { shop, visitor } = await openLinked({ welcomePoints: 50 })
  const pages: string[] = []
  for (const phone of ['690 123 4567', '690 123 4568']) {
    const code = await shop.issue(5)
    const text = await textOf(await visitor().submit(`/q/${code}`, { phone }))
    pages.push(text.replaceAll('4568', '4567'))
  }
  expect(pages[0]).toContain('+5 points')
  expect(pages[1]).toBe(pages[0])
  const rows = await shop.database.read("SELECT points FROM entries WHERE kind = 'welcomed'")
  expect(rows).toHaveLength(2)
})
