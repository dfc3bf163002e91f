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
  },
  // In no order.
  ...{ 'level-1-name': 'Χρυσή', 'level-1-points': '٥٠٠', 'level-1-factor': '2' },
  ...{ 'level-2-name': 'Silver', 'level-2-points': '100', 'level-2-factor': '1.25' },
  ...{ welcome: '50', birthday: '', months: '12', since: 'visit', onSlips: '1' }
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
  ],
  levels: [
    { name: 'Silver', from: 100, factor: '1.25' },
    { name: 'Χρυσή', from: 500, factor: '2' }
  ],
  welcomePoints: 50,
  expiry: { months: 12, since: 'visit', onSlips: true }
}
/** The rows of the levels, the lowest first. */
const SORTED_LEVELS = {
  ...{ 'level-1-name': 'Silver', 'level-1-points': '100', 'level-1-factor': '1.25' },
  ...{ 'level-2-name': 'Χρυσή', 'level-2-points': '500', 'level-2-factor': '2' }
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
  for (const [name, value] of Object.entries({
    ...FIELDS,
    ...SORTED_LEVELS,
    ...{ rate: '1.5', 'group-1-factor': '0.5' }
  })) {
    if (name === 'rounding' || name === 'since') continue
    const field = new RegExp(`<(?:input|select)[^>]*name="${name}"[^>]*>`).exec(html)?.[0] ?? ''
    expect(name === 'currency' ? html : field).toContain(`value="${value.trim()}"`)
  }
  expect(html.match(/type="checkbox"[^>]*checked/g)).toHaveLength(3)
  expect(html).toMatch(/<option value="visit" selected>/)
  // An empty row of each kind.
  expect(await textOf(await owner.get(page))).toMatch(
    /Group 1 .*Group 2 .*Bonus time 1 .*Bonus time 2 .*Level 1 .*Level 2 .*Level 3 /
  )
  // What was shown comes back as it is: nothing changes.
  await owner.submit(page, { ...FIELDS, request: 'another' })
  expect(await current()).toMatchObject({ version: 1 })
  const off = await textOf(await owner.submit(`${page}/off`, { request: 'third' }))
  expect(off).toMatch(
    /Versions Version 2 21 Nov 2026, 12:00 · Ana Switched off Version 1 .* groups: 1 · bonus times: 1 · levels: 2 · Welcome points: 50 · Points end 12 months after the customer’s last visit\. /
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
  [
    'bonus-1-firstDay',
    '2026-12-25',
    'Bonus time 1: The last day is before the first one.',
    'bonus-1-lastDay'
  ],
  ['level-1-name', '', 'Level 1: Type a name'],
  ['level-2-name', 'Χρυσή', 'Level 2: Another level has this name.'],
  ['level-1-points', '', 'Level 1: Type a whole number of at most seven digits, 1 or more.'],
  ['level-1-points', '0', 'Level 1: Type a whole number of at most seven digits, 1 or more.'],
  ['level-2-points', '0500', 'Level 2: Another level begins with as many points.'],
  ['level-2-factor', '0', 'Level 2: Type a number above 0'],
  ['level-2-factor', '', 'Level 2: Type a number above 0'],
  ['welcome', '1.5', 'Type a whole number of at most seven digits, or nothing.'],
  ['birthday', '-1', 'Type a whole number of at most seven digits, or nothing.'],
  ['months', '121', 'Type a whole number from 1 to 120, or nothing.'],
  ['months', '0', 'Type a whole number from 1 to 120, or nothing.']
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
        expect(html.match(/type="checkbox"[^>]*checked/g)).toHaveLength(3)
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
  expect(html).not.toMatch(/name="bonus-[^>]*checked/)
  expect(await current()).toMatchObject({ version: 0 })
})

it('says in plain words what a bill earns', async () => {
  const { owner: before, signedIn, page, shop } = await openRules()
  const text = await textOf(await before.submit(page, { ...FIELDS, rate: '1', rounding: 'down' }))
  expect(text).toMatch(
    /€45\.20 earns 45 points now\. Happy hour Tuesday and Thursday · 17:00 to 19:00 · until 24 Dec 2026 90 points Βιβλία a bill of these goods alone 22 points Silver from 100 points in twelve months 56 points Χρυσή from 500 points in twelve months 90 points Welcome points with the first purchase 50 points Points end 12 months after the customer’s last visit\./
  )
  // A Tuesday.
  shop.now = new Date('2026-11-24T15:30:00.000Z')
  const owner = await signedIn('owner')
  expect(await textOf(await owner.get(page))).toContain('€45.20 earns 90 points now.')
  const yen = {
    ...{ rate: '0.01', currency: 'JPY', minimum: '', rounding: 'down', maximum: '' },
    ...{
      'level-1-name': 'Gold',
      'level-1-points': '10',
      'level-1-factor': '1.5',
      birthday: '30',
      months: '1'
    }
  }
  expect(await textOf(await owner.submit(page, yen))).toMatch(
    /¥4,520 earns 45 points now\. Gold from 10 points in twelve months 67 points Birthday points once a year 30 points Points end 1 month after they were earned\. /
  )
  const dinar = { ...yen, rate: '10', currency: 'KWD', minimum: '100.500', months: '' }
  expect(await textOf(await owner.submit(page, dinar))).toMatch(
    /KWD.100\.500 earns 1,005 points now\. Gold .* 1,507 points .* Points do not end\. /
  )
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

/** The button that agrees to what is asked: its text and its field. */
const agreementOf = async (response: Response) => {
  const html = await response.text()
  const [, agreed, button = ''] =
    /name="agreed" value="(\w+)"[^>]*>\s*(?:<button[^>]*>)?([^<]*)</.exec(html) ?? []
  return { html, button: button.trim(), agreed: agreed ?? '' }
}

const LEVELS = [
  { name: 'Silver', from: 100, factor: '1.25' },
  { name: 'Gold', from: 500, factor: '2' },
  { name: 'Platinum', from: 1000, factor: '3' }
]

/** A shop with three levels and customers in each, among them one by a merged customer and by the last day that counts. */
const openLevels = async () => {
  const opened = await openRules()
  const { shop } = opened
  const add = async (phone: string, points: number): Promise<string> => {
    const customer = await shop.register(phone)
    if (points > 0) await shop.credit(customer, points)
    return customer
  }
  shop.now = new Date('2025-11-21T10:00:00.000Z')
  const early = await add('+306900000001', 900)
  shop.now = new Date('2025-11-21T10:00:00.001Z')
  await add('+306900000002', 1000)
  shop.now = new Date('2026-11-21T10:00:00.000Z')
  await shop.credit(early, 99)
  const kept = await add('+306900000003', 300)
  await shop.identities.merge(shop.business, kept, await add('+306900000004', 200))
  await add('+306900000005', 499)
  await add('+306900000006', 100)
  await add('+306900000007', 0)
  const rules = { ...FIRST_RULES, levels: LEVELS }
  const change = { request: 'first', at: shop.now.toISOString(), by: 'test' }
  await new RulesStore(shop.database).save(shop.business, { ...change, rules })
  const other = await opened.addShop()
  await other.credit(await other.register('+306900000001'), 2000)
  const fields = (levels: readonly (typeof LEVELS)[number][]) => ({
    ...{ rate: '1', currency: 'EUR', request: 'second' },
    ...Object.fromEntries(
      levels.flatMap(({ name, from, factor }, index) => [
        [`level-${String(index + 1)}-name`, name],
        [`level-${String(index + 1)}-points`, String(from)],
        [`level-${String(index + 1)}-factor`, factor]
      ])
    )
  })
  return { ...opened, fields }
}
const [SILVER, GOLD, PLATINUM] = LEVELS as [(typeof LEVELS)[0], (typeof LEVELS)[0], (typeof LEVELS)[0]]

it.each([
  ['a level that is gone', [SILVER, PLATINUM], 'Gold then Silver 1'],
  ['all levels', [], 'Platinum then no level 1 Gold then no level 1 Silver then no level 2'],
  ['a level that begins later', [{ ...SILVER, from: 101 }, GOLD, PLATINUM], 'Silver then no level 1'],
  ['a level that earns less', [SILVER, GOLD, { ...PLATINUM, factor: '2.5' }], 'Platinum then Platinum 1'],
  ['a level with another name', [{ ...SILVER, name: 'Bronze' }, GOLD, PLATINUM], 'Silver then Bronze 2']
])('says whom %s touches before it is saved, and saves it once', async (_, levels, says) => {
  const { owner, page, current, fields } = await openLevels()
  const sent = fields(levels)
  const asked = await agreementOf(await owner.submit(page, sent))
  expect(asked.button).toBe('Save and lower levels')
  expect(await textOf(new Response(asked.html))).toContain(
    `Whom this change touches Customers who get a lower level: ${says} Save and lower levels Cancel`
  )
  expect(asked.html).toContain('name="request" value="second"')
  for (const { name } of levels) expect(asked.html).toContain(`value="${name}"`)
  expect(await current()).toMatchObject({ version: 1 })
  // What was agreed to is this change: another one is asked about.
  const agreed = { ...sent, agreed: asked.agreed }
  expect((await agreementOf(await owner.submit(page, { ...agreed, maximum: '7' }))).button).toBe(
    'Save and lower levels'
  )
  expect(await current()).toMatchObject({ version: 1 })
  const answers = await Promise.all([owner.submit(page, agreed), owner.submit(page, agreed)])
  for (const answer of answers) expect(await textOf(answer)).toContain('Saved. Version 2 is in use.')
  expect((await current()).rules?.levels).toEqual(levels)
})

it.each([
  ['as they were', LEVELS],
  ['that earn more', LEVELS.map((level) => ({ ...level, factor: '5' }))],
  ['that begin earlier', [SILVER, GOLD, { ...PLATINUM, from: 501 }]],
  ['and one more', [{ ...SILVER, name: 'Bronze', from: 10 }, { ...SILVER, factor: '1.3' }, GOLD, PLATINUM]]
])('asks about no levels %s', async (_, levels) => {
  const { owner, page, fields } = await openLevels()
  const text = await textOf(await owner.submit(page, { ...fields(levels), maximum: '900' }))
  expect(text).toContain('Saved. Version 2 is in use.')
  expect(text).not.toContain('Whom this change touches')
})

it('says how many have points before these end otherwise, and that they stay as they were', async () => {
  const { owner, page, current, fields } = await openLevels()
  const sent = { ...fields(LEVELS), months: '6' }
  const asked = await agreementOf(await owner.submit(page, sent))
  expect(asked.button).toBe('Save for points from now on')
  expect(await textOf(new Response(asked.html))).toContain(
    'Customers with points: 5. The points that they have end as before; the new rule is for points earned from now on. Save for'
  )
  const saved = await owner.submit(page, { ...sent, agreed: asked.agreed })
  expect(await textOf(saved)).toContain('Saved. Version 2')
  // Slips say it or not: nothing ends otherwise.
  await owner.submit(page, { ...sent, onSlips: '1', request: 'third' })
  expect(await current()).toMatchObject({ version: 3 })
  expect(
    (await agreementOf(await owner.submit(page, { ...sent, since: 'visit', request: '4' }))).agreed
  ).not.toBe('')
  expect(await current()).toMatchObject({ version: 3 })
})

it('says whom it touches before the rules are switched off', async () => {
  const { owner, page, current } = await openLevels()
  const asked = await agreementOf(await owner.submit(`${page}/off`, { request: 'second' }))
  expect(asked.button).toBe('Switch the rules off')
  expect(await textOf(new Response(asked.html))).toContain(
    'Platinum then no level 1 Gold then no level 1 Silver then no level 2 Customers with points: 5. They keep their points'
  )
  expect(asked.html).toContain('name="request" value="second"')
  expect(await current()).toMatchObject({ version: 1 })
  const agreed = { request: 'second', agreed: asked.agreed }
  for (let sent = 0; sent < 2; sent += 1) await owner.submit(`${page}/off`, agreed)
  expect(await current()).toMatchObject({ version: 2, rules: null })
})

it('replaces no rules that another owner has saved meanwhile unless this one agrees', async () => {
  const { owner, page, current, signedIn } = await openRules()
  const other = await signedIn('owner')
  const sent = {
    ...FIELDS,
    version: /name="version" value="(\d+)"/.exec(await (await owner.get(page)).text())?.[1] ?? ''
  }
  await other.submit(page, { ...FIELDS, rate: '2', version: '0', request: 'other' })
  const mine = { ...sent, maximum: '7', months: '6', request: 'mine' }
  const asked = await agreementOf(await owner.submit(page, mine))
  expect(asked.button).toBe('Replace version 1')
  expect(await textOf(new Response(asked.html))).toContain(
    'The rules were changed meanwhile Version 1 is in use now. What you save replaces all of it. Replace version 1 Cancel'
  )
  expect(await current()).toMatchObject({ version: 1, rules: { pointsPerUnit: '2' } })
  // The same form twice is not such a change, nor are rules that are in use.
  const agreed = { ...mine, agreed: asked.agreed }
  for (let times = 0; times < 2; times += 1)
    expect(await textOf(await owner.submit(page, agreed))).toContain('Saved. Version 2 is in use.')
  expect(await current()).toMatchObject({ version: 2, rules: { pointsPerUnit: '1.5', maximum: 7 } })
  // A page to which the browser goes back, whose form was saved before.
  const late = await agreementOf(
    await other.submit(page, { ...FIELDS, rate: '2', version: '0', request: 'other' })
  )
  const request = /name="request" value="([\w.-]+)"/.exec(late.html)?.[1] ?? ''
  const again = { ...FIELDS, rate: '2', version: '0', request, agreed: late.agreed }
  expect(await textOf(await other.submit(page, again))).toContain('Saved. Version 3 is in use.')
  expect(await current()).toMatchObject({ version: 3, rules: { pointsPerUnit: '2', maximum: 1000 } })
})

it('says before it is saved for which points the end of points holds', async () => {
  const { owner, page } = await openRules()
  expect(await textOf(await owner.get(page))).toMatch(
    /When points end This is for points that are earned after it is saved\. Points that customers have already end as they would have, or never\./
  )
})

it('shows what bills would earn by the level that they name', async () => {
  const { owner, page, shop } = await openRules()
  await issue(shop, 45, { amount: '45.20' })
  await issue(shop, 10, { amount: '10', level: 'Silver' })
  await issue(shop, 10, { amount: '10', level: 'Gone' })
  const levels = { 'level-1-name': 'Silver', 'level-1-points': '100', 'level-1-factor': '1.5' }
  const text = await textOf(await owner.submit(`${page}/preview`, { rate: '1', currency: 'EUR', ...levels }))
  expect(text).toMatch(/Points they earned 65 Points under these rules 70 Difference \+5 /)
})

it('is for owners alone', async () => {
  const { page, signedIn, current } = await openRules()
  const staff = await signedIn('staff')
  for (const path of [page, `${page}/preview`, `${page}/off`])
    expect((await staff.post(path, FIELDS)).status).toBe(403)
  expect((await staff.get(page)).status).toBe(403)
  expect(await current()).toMatchObject({ version: 0 })
})
