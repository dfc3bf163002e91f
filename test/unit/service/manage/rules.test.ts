/** *Earning rules*: what is saved of the form, what is wrong with it, in words, and the preview of other rules. */
import { expect, it } from 'vitest'
import { FIRST_RULES, type EarningRules } from '../../../../electron/contract/earning-rules.ts'
import { newCode, systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { CodeStore } from '../../../../electron/service/store/codes.ts'
import { RulesStore } from '../../../../electron/service/store/rules.ts'
import { textOf } from '../pages/visitor.ts'
import type { Shop } from '../store/shop.ts'
import { locationOf, openOffice, requestOf } from './shop-office.ts'

/** Fields of a form with a row of each kind. */
const FIELDS = {
  ...{ rate: '1,5', currency: 'EUR', minimum: '5', rounding: 'nearest', maximum: '1000' },
  ...{ 'group-1-name': ' Βιβλία ', 'group-1-factor': '٠٫٥', 'group-2-name': '', 'group-2-factor': '' },
  ...{ 'bonus-1-name': 'Happy hour', 'bonus-1-factor': '2', 'bonus-1-day2': '1', 'bonus-1-day4': '1' },
  ...{
    'bonus-1-from': '17:00',
    'bonus-1-to': '19:00',
    'bonus-1-firstDay': '',
    'bonus-1-lastDay': '2026-12-24'
  }
}
const RULES: EarningRules = {
  ...FIRST_RULES,
  ...{ pointsPerUnit: '1.5', rounding: 'nearest', minimum: '5', currency: 'EUR', maximum: 1000 },
  groups: [{ name: 'Βιβλία', factor: '0.5' }],
  bonusTimes: [
    {
      ...{ name: 'Happy hour', factor: '2', weekdays: [2, 4], from: '17:00', to: '19:00' },
      ...{ firstDay: null, lastDay: '2026-12-24' }
    }
  ]
}

const openRules = async () => {
  const office = await openOffice()
  const owner = await office.signedIn('owner')
  const page = office.path('/rules')
  const current = () => new RulesStore(office.shop.database).current(office.shop.business)
  return { ...office, owner, page, current }
}

it('saves what is typed in any keyboard, shows it again, and what was saved before', async () => {
  const { owner, page, current } = await openRules()
  const first = await textOf(await owner.get(page))
  expect(first).toContain('Each till calculates with the rule in its own settings.')
  expect(first).not.toContain('Versions')
  const saved = await owner.submit(page, { request: await requestOf(owner, page), ...FIELDS })
  expect(await textOf(saved)).toContain('Saved. Version 1 is in use.')
  expect(await current()).toEqual({ version: 1, timeZone: 'Europe/Athens', rules: RULES })
  const html = await (await owner.get(page)).text()
  for (const [name, value] of Object.entries({ ...FIELDS, rate: '1.5', 'group-1-factor': '0.5' })) {
    if (name === 'rounding') continue
    const field = new RegExp(`<(?:input|select)[^>]*name="${name}"[^>]*>`).exec(html)?.[0] ?? ''
    expect(name === 'currency' ? html : field).toContain(`value="${value.trim()}"`)
  }
  expect(html.match(/type="checkbox"[^>]*checked/g)).toHaveLength(2)
  // An empty row of each kind.
  expect(await textOf(await owner.get(page))).toMatch(/Group 1 .*Group 2 .*Bonus time 1 .*Bonus time 2 /)
  // What was shown comes back as it is: nothing changes.
  await owner.submit(page, { ...FIELDS, request: 'another' })
  expect(await current()).toMatchObject({ version: 1 })
  const off = await textOf(await owner.submit(`${page}/off`, { request: 'third' }))
  expect(off).toMatch(
    /Versions Version 2 21 Nov 2026, 12:00 · Ana Switched off Version 1 .* groups: 1 · bonus times: 1/
  )
  expect(await current()).toEqual({ version: 2, timeZone: 'Europe/Athens', rules: null })
  // The last rules are there to be switched on again.
  expect(off).toContain('Group 2')
})

it('leaves a row out whose name and factor are emptied', async () => {
  const { owner, page, current } = await openRules()
  const rows = { 'group-3-name': 'Tobacco', 'group-3-factor': '0' }
  const emptied = { 'group-1-name': ' ', 'group-1-factor': '', 'bonus-1-name': '', 'bonus-1-factor': '' }
  await owner.submit(page, { ...FIELDS, ...rows, ...emptied })
  const { rules } = await current()
  expect([rules?.groups, rules?.bonusTimes]).toEqual([[{ name: 'Tobacco', factor: '0' }], []])
})

it('takes a bonus time without hours as the whole day', async () => {
  const { owner, page, current } = await openRules()
  const hours = { 'bonus-1-from': '', 'bonus-1-to': '' }
  const text = await textOf(await owner.submit(page, { ...FIELDS, ...hours }))
  expect((await current()).rules?.bonusTimes[0]).toMatchObject({ from: '00:00', to: '00:00' })
  expect(text).toContain('Tuesday and Thursday · all day · until 24 Dec 2026')
})

it.each([
  ['rate', '0', 'Type a number above 0'],
  ['rate', '', 'Type a number above 0'],
  ['rate', '1.500,5', 'Type a number above 0'],
  ['minimum', '1.250', 'with no more decimals than the currency has'],
  ['currency', 'EURO', 'Choose a currency.'],
  ['maximum', '0', 'Type a whole number'],
  ['maximum', '10000000', 'Type a whole number'],
  ['group-1-name', '', 'Group 1: Type a name'],
  ['group-1-name', 'x'.repeat(31), 'Group 1: Type a name'],
  ['group-1-factor', '101', 'Group 1: Type a number from 0 to 100'],
  ['group-2-name', 'Βιβλία', 'Group 2: Another group has this name.'],
  ['bonus-1-factor', '0', 'Bonus time 1: Type a number above 0'],
  ['bonus-1-factor', '', 'Bonus time 1: Type a number above 0'],
  ['bonus-1-from', '25:00', 'Bonus time 1: Type a time'],
  ['bonus-1-lastDay', '2026-02-31', 'Bonus time 1: Type a day'],
  ['bonus-1-firstDay', '2026-12-25', 'Bonus time 1: The last day is before the first one.', 'bonus-1-lastDay']
])(
  'says what is wrong with %s of %j in its row, and loses nothing',
  async (field, text, says, at = field) => {
    const { owner, page, current } = await openRules()
    const typed = { ...FIELDS, 'group-2-factor': '3', 'group-2-name': 'Tobacco', [field]: text }
    for (const path of [page, `${page}/preview`]) {
      const answer = await owner.post(path, typed)
      for (const query of ['&lang=en', '&lang=de']) {
        const html = await (await owner.get((locationOf(answer) ?? '') + query)).text()
        if (query === '&lang=en') expect(html).toContain(says)
        expect(html).toMatch(new RegExp(`<p class="fault" id="${at}-fault"`))
        expect(html).toMatch(new RegExp(`id="${at}"[^>]*aria-invalid="true" autofocus`))
        expect(html.match(/type="checkbox"[^>]*checked/g)).toHaveLength(2)
        for (const value of Object.values(typed)) expect(html).toContain(`value="${value}"`)
      }
    }
    expect(await current()).toMatchObject({ version: 0 })
  }
)

it('says that a bonus time has no day, at its days', async () => {
  const { owner, page, current } = await openRules()
  const without = Object.fromEntries(Object.entries(FIELDS).filter(([name]) => !name.includes('-day')))
  const html = await (await owner.submit(page, without)).text()
  expect(html).toContain('Bonus time 1: Choose at least one day.')
  expect(html).toMatch(/name="bonus-1-day1"[^>]*aria-invalid="true" autofocus/)
  expect(html).not.toMatch(/type="checkbox"[^>]*checked/)
  expect(await current()).toMatchObject({ version: 0 })
})

it('says in plain words what a bill earns', async () => {
  const { owner: before, signedIn, page, shop } = await openRules()
  const text = await textOf(await before.submit(page, { ...FIELDS, rate: '1', rounding: 'down' }))
  expect(text).toMatch(
    /€45\.20 earns 45 points now\. Happy hour Tuesday and Thursday · 17:00 to 19:00 · until 24 Dec 2026 90 points Βιβλία a bill of these goods alone 22 points/
  )
  // A Tuesday.
  shop.now = new Date('2026-11-24T15:30:00.000Z')
  const owner = await signedIn('owner')
  expect(await textOf(await owner.get(page))).toContain('€45.20 earns 90 points now.')
  const yen = { rate: '0.01', currency: 'JPY', minimum: '', rounding: 'down', maximum: '' }
  expect(await textOf(await owner.submit(page, yen))).toContain('¥4,520 earns 45 points now.')
  const dinar = { ...yen, rate: '10', currency: 'KWD', minimum: '100.500' }
  expect(await textOf(await owner.submit(page, dinar))).toMatch(/KWD.100\.500 earns 1,005 points now\./)
})

/** Issues a slip as a till does that sends its bill. */
const issue = async (shop: Shop, points: number, bill: object | null, rules: number | null = null) => {
  const at = shop.now.toISOString()
  const dates = { createdAt: at, updatedAt: at, expiresAt: '2027-12-31T00:00:00.000Z' }
  const code = newCode(systemRandomBytes)
  const calculated = { rules, bill: bill === null ? null : JSON.stringify(bill) }
  await new CodeStore(shop.database).add(shop.business, {
    code,
    points,
    image: false,
    ...dates,
    ...calculated
  })
  return code
}

it('shows what other rules would do to the bills and what open points cost, and saves nothing', async () => {
  const { owner, page, shop, current } = await openRules()
  const at = (time: string): void => {
    shop.now = new Date(time)
  }
  await shop.offer(20, 1)
  await shop.offer(7, 2)
  await shop.offer(1, 3, false)
  const customer = await shop.register('+306901234567')
  await new RulesStore(shop.database).save(shop.business, {
    ...{ rules: { ...FIRST_RULES, currency: 'BGN' }, request: 'one', at: shop.now.toISOString(), by: 'test' }
  })
  at('2026-11-17T15:30:00.000Z') // a Tuesday, 17:30 in Athens
  await shop.collect(customer, await issue(shop, 45, { amount: '45.20' }))
  at('2026-11-18T15:30:00.000Z')
  await issue(shop, 10, { amount: '10', groups: [{ name: 'Βιβλία', amount: '4' }] })
  await issue(shop, 3, { amount: '3' })
  // Not calculated: without a bill, in another currency, and with more goods of a group than goods.
  await issue(shop, 500, null)
  await issue(shop, 60, { amount: '60' }, 1)
  await issue(shop, 60, { amount: '1', groups: [{ name: 'Βιβλία', amount: '2' }] })
  // As if it had not been: cancelled, and too long ago.
  await new CodeStore(shop.database).cancel(
    shop.business,
    await issue(shop, 9, { amount: '9' }),
    '2026-11-18'
  )
  at('2026-10-22T09:59:59.999Z')
  await issue(shop, 9, { amount: '9' })
  at('2026-11-21T10:00:00.000Z')
  const text = await textOf(await owner.submit(`${page}/preview`, { ...FIELDS, request: 'two' }))
  // 45.20 × 1.5 × 2 = 135.6; 6 × 1.5 + 4 × 0.5 × 1.5 = 12; 3 is below the smallest bill.
  expect(text).toMatch(
    /Nothing is saved yet\. .* Bills of the last 30 days 3 Points they earned 58 Points under these rules 148 Difference \+90 /
  )
  expect(text).toContain('Purchases that are not in these numbers: 3.')
  expect(text).toMatch(
    /not redeemed: 45\. They are enough .*: Reward 2 7 points 6 × Reward 1 20 points 2 × Rules now Version 1 is in use/
  )
  expect(text).not.toContain('Reward 3')
  expect(text).not.toContain('There were more')
  expect(await current()).toMatchObject({ version: 1 })
  // The form of the preview is the one that is saved.
  expect(await (await owner.submit(`${page}/preview`, { ...FIELDS, request: 'two' })).text()).toContain(
    'name="request" value="two"'
  )
})

it('is for owners alone', async () => {
  const { page, signedIn, current } = await openRules()
  const staff = await signedIn('staff')
  for (const path of [page, `${page}/preview`, `${page}/off`])
    expect((await staff.post(path, FIELDS)).status).toBe(403)
  expect((await staff.get(page)).status).toBe(403)
  expect(await current()).toMatchObject({ version: 0 })
})
