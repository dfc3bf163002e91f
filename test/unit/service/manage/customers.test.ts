import { expect, it } from 'vitest'
import * as v from 'valibot'
import { messagesByLanguage as manageMessages } from '../../../../generated/messages/manage/all.js'
import { messagesByLanguage as pageMessages } from '../../../../generated/messages/pages/all.js'
import { LANGUAGES } from '../../../../electron/contract/language.ts'
import { BusinessStore } from '../../../../electron/service/store/businesses.ts'
import { DeviceStore } from '../../../../electron/service/store/devices.ts'
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { languagesOf, textOf } from '../pages/visitor.ts'
import { locationOf, openOffice, requestOf } from './shop-office.ts'

/** As an Arabic keyboard types digits. */
const inArabic = (text: string): string =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))

/** What staff change. */
const TABLES = ['entries', 'codes', 'rewards', 'customers', 'tokens', 'devices', 'staff_members'] as const

const openCustomer = async (points = 100) => {
  const office = await openOffice()
  const { shop, path, signedIn } = office
  const customer = await shop.register('+306901234567', 'Μαρία')
  if (points > 0) await shop.collect(customer, await shop.issue(points))
  return { ...office, customer, at: path(`/customers/${customer}`), browser: await signedIn('staff') }
}

it('finds customers as a till does, page by page', async () => {
  const { shop, path, signedIn } = await openOffice()
  const staff = await signedIn('staff')
  expect(await textOf(await staff.get(path('/customers')))).toContain('No customers yet.')
  for (let index = 10; index < 45; index += 1)
    await shop.register(`+3069012345${String(index)}`, `Customer ${String(index)}`)
  const first = await textOf(await staff.get(path('/customers')))
  expect(first).toContain('35 customers')
  expect([first.includes('Customer 39'), first.includes('Customer 40')]).toEqual([true, false])
  const second = await textOf(await staff.get(path('/customers?page=2')))
  expect([second.includes('Customer 39'), second.includes('Customer 44')]).toEqual([false, true])
  expect(await textOf(await staff.get(path('/customers?name=234521')))).toContain('+30 690 123 4521')
  expect(await textOf(await staff.get(path('/customers?name=%3Cb%3E')))).toContain('&lt;b&gt;')
})

it.each([
  ['GB', '+447400123456', ['07400 123456', '447400123456', '0044 7400 123456', '07400 12']],
  ['FR', '+33612345678', ['0612345678', '06.12.34.56.78', '+33 (0)6 12 34 56 78']],
  ['GR', '+306901234567', ['0030 690 123 4567', '690 123 4567', 'tel:6901234567']],
  ['MX', '+525512345678', ['+52 1 55 1234 5678', '55 1234 5678']]
])('finds a phone in %s as people write it', async (country, phone, spellings) => {
  const { shop, path, signedIn } = await openOffice()
  const businesses = new BusinessStore(shop.database)
  const business = await businesses.get(shop.business)
  await businesses.update({ ...business, address: { ...business.address, country } })
  await shop.register(phone, 'Maria')
  await shop.register('+4915123456789', 'Other')
  const staff = await signedIn('staff')
  for (const name of spellings) {
    const list = await textOf(
      await staff.get(`${path('/customers')}?${new URLSearchParams({ name }).toString()}`)
    )
    expect({ name, isFound: list.includes('Maria'), isAlone: !list.includes('Other') }).toEqual({
      name,
      isFound: true,
      isAlone: true
    })
  }
})

it('shows every entry of a customer, page by page', async () => {
  const { shop, at, browser, customer } = await openCustomer(0)
  for (let points = 1; points <= 120; points += 1)
    await shop.adjust(customer, points, `No. ${String(points)}.`)
  const shown = async (below: string): Promise<readonly number[]> =>
    [...(await (await browser.get(at + below)).text()).matchAll(/No\. (\d+)\./g)].map(([, number]) =>
      Number(number)
    )
  const all: number[] = []
  let next: string | undefined = ''
  while (next !== undefined) {
    all.push(...(await shown(next)))
    next = /href="[^"]*(\?page=\d+)#entries"\s*>Older entries/.exec(
      await (await browser.get(at + next)).text()
    )?.[1]
  }
  expect(all).toEqual(Array.from({ length: 120 }, (_, index) => 120 - index))
  const last = await (await browser.get(`${at}?page=999`)).text()
  expect([last.includes('No. 1.'), last.includes('Newer entries')]).toEqual([true, true])
})

it('says that there is no one to merge with, where the customer is the only one', async () => {
  const { path, customer, browser } = await openCustomer(0)
  for (const name of ['', 'Μαρία']) {
    const list = await browser.get(
      `${path('/customers')}?${new URLSearchParams({ into: customer, name }).toString()}`
    )
    expect(await textOf(list)).toContain('No other customer found.')
  }
})

it('names the button of the customer’s page as it is named there', () => {
  for (const language of LANGUAGES) {
    const { linkPhoneText } = manageMessages[language]
    expect(linkPhoneText()).toContain(pageMessages[language].link())
  }
})

it('adjusts points once for a form that is sent twice, and again for another amount', async () => {
  const { shop, customer, at, browser, members } = await openCustomer()
  const form = { request: await requestOf(browser, at), points: '-30', reason: 'Twice the same bill' }
  for (let sent = 0; sent < 2; sent += 1)
    expect(locationOf(await browser.post(`${at}/adjust`, form))).toBe(`${at}?done=points-changed`)
  expect(await shop.balance(customer)).toBe(70)
  await browser.post(`${at}/adjust`, { ...form, points: inArabic('\u221220') })
  expect(await shop.balance(customer)).toBe(50)
  const [entry] = await shop.database.read("SELECT made_by FROM entries WHERE kind = 'adjusted'")
  expect(entry).toEqual({ made_by: `staff:${members.staff.id}` })
  expect(await textOf(await browser.get(at))).toContain('Ben · Twice the same bill')
})

it.each([
  [{ points: '', reason: 'x' }, 'a whole number'],
  [{ points: '1.5', reason: 'x' }, 'a whole number'],
  [{ points: '0', reason: 'x' }, 'a whole number'],
  [{ points: '5', reason: ' ' }, 'Write a reason.'],
  [{ points: '-101', reason: 'Too many' }, 'too few points']
])('keeps what was typed when %j is refused', async (typed, sentence) => {
  const { shop, customer, at, browser } = await openCustomer()
  const refused = await browser.submit(`${at}/adjust`, { request: await requestOf(browser, at), ...typed })
  const page = await refused.text()
  expect(page).toContain(sentence)
  expect(page).toContain(`value="${typed.points}"`)
  expect(await shop.balance(customer)).toBe(100)
})

it('redeems what the customer can afford, once for a form', async () => {
  const { shop, customer, at, browser } = await openCustomer()
  const cheap = await shop.offer(60, 1)
  const dear = await shop.offer(500, 2)
  const page = await textOf(await browser.get(at))
  expect([page.includes('Reward 1'), page.includes('Reward 2')]).toEqual([true, false])
  const form = { request: await requestOf(browser, at), reward: cheap, cost: '60' }
  for (let sent = 0; sent < 2; sent += 1) await browser.post(`${at}/redeem`, form)
  expect(await shop.balance(customer)).toBe(40)
  expect(
    await textOf(await browser.submit(`${at}/redeem`, { ...form, reward: dear, cost: '500' }))
  ).toContain('too few points')
  expect(await textOf(await browser.get(at))).toContain('not enough points for a reward')
})

it.each(['50', ''])('does not take another price than the page showed: %j', async (cost) => {
  const { shop, customer, at, browser } = await openCustomer()
  const form = { request: await requestOf(browser, at), reward: await shop.offer(60, 1), cost }
  expect(await textOf(await browser.submit(`${at}/redeem`, form))).toContain('Look at the new price')
  expect(await shop.balance(customer)).toBe(100)
})

it('takes an entry back once', async () => {
  const { shop, customer, at, browser } = await openCustomer()
  const entry = /reverse\?entry=(ent_\w+)/.exec(await (await browser.get(at)).text())?.[1] ?? ''
  const asked = `${at}/reverse?entry=${entry}`
  expect(await textOf(await browser.get(asked))).toContain('Take this entry back?')
  const form = { request: await requestOf(browser, asked), entry, reason: '' }
  for (let sent = 0; sent < 2; sent += 1)
    expect(locationOf(await browser.post(`${at}/reverse`, form))).toBe(`${at}?done=entry-reversed`)
  expect(await shop.balance(customer)).toBe(0)
  expect(await textOf(await browser.submit(`${at}/reverse`, { ...form, request: 'another' }))).toContain(
    'already'
  )
  expect((await browser.get(`${at}/reverse?entry=ent_unknown`)).status).toBe(404)
})

it('shows the same page in each language', async () => {
  const { shop, customer, at, path, signedIn } = await openCustomer()
  const reward = await shop.offer(20, 1)
  await shop.redeem(customer, reward)
  const browser = await signedIn('owner')
  const entry = /reverse\?entry=(ent_\w+)/.exec(await (await browser.get(at)).text())?.[1] ?? ''
  for (const [asked, content] of [
    [`${at}/reverse?entry=${entry}`, 'Take this entry back?'],
    [path('/customers?name=%CE%9C%CE%B1&page=1'), '+30 690 123 4567'],
    [path('/entries?kind=redeemed'), 'Redeemed: Reward 1']
  ] as const) {
    const shown = (await textOf(await browser.get(`${asked}&lang=en`))).replace(/ Language .*/, '')
    expect(shown).toContain(content)
    const page = await (await browser.get(`${asked}&done=saved&lang=de`)).text()
    if (page.includes('form="typed"')) continue
    const links = languagesOf(page)
    expect(links).toEqual(LANGUAGES.map((language) => `${asked}&lang=${language}`))
    for (const link of links) expect([link, (await browser.get(link)).status]).toEqual([link, 200])
  }
})

it.each([
  ['a refused form', 'same-origin', 'a whole number'],
  ['the form of another site', 'cross-site', 'Nothing was changed.']
])('leads from %s to its page', async (_form, site, sentence) => {
  const { at, browser } = await openCustomer()
  const answer = await browser.post(`${at}/adjust`, { points: '' }, { 'sec-fetch-site': site })
  expect([answer.status, locationOf(answer)?.split('?')[0]]).toEqual([303, at])
  expect(await (await browser.follow(answer)).text()).toContain(sentence)
})

it('merges the customer that was chosen, and not one with itself', async () => {
  const { shop, customer, path, at, browser } = await openCustomer()
  const other = await shop.register('+306907654321', 'Maria')
  await shop.adjust(other, 20)
  const list = await (await browser.get(path(`/customers?into=${customer}`))).text()
  expect(list).toContain(`${at}/merge?with=${other}`)
  expect(list).not.toContain(`with=${customer}`)
  expect(await textOf(await browser.get(`${at}/merge?with=${other}`))).toContain('Maria is no longer listed')
  expect(locationOf(await browser.post(`${at}/merge`, { with: other }))).toBe(`${at}?done=customers-merged`)
  expect(await shop.balance(customer)).toBe(120)
  expect(await textOf(await browser.get(at))).toContain('Also: Maria +30 690 765 4321')
  expect(await textOf(await browser.submit(`${at}/merge`, { with: customer }))).toContain('the same customer')
})

it('corrects name, phone and e-mail, keeps what was typed wrong, and says who corrected what', async () => {
  const { shop, customer, at, browser, path } = await openCustomer()
  await shop.register('+306907654321', 'Eva')
  const form = { name: 'Μαρία Παπά', phone: '690 123 4568', email: 'maria@example.org' }
  const refused = async (typed: Partial<typeof form>) => {
    const answer = await browser.submit(`${at}/correct`, { ...form, ...typed })
    return [await textOf(answer), await (await browser.get(`${at}/correct`)).text()].join(' ')
  }
  expect(await refused({ phone: '690' })).toMatch(/no phone number.*\+30 690 123 4567/s)
  expect(await refused({ phone: '690 765 4321' })).toMatch(/Another customer/s)
  expect(await refused({ email: 'maria' })).toMatch(/no e-mail/s)
  expect(await refused({ name: 'x'.repeat(201) })).toMatch(/too long/s)
  const again = await (await browser.submit(`${at}/correct`, { ...form, phone: '690' })).text()
  expect(again).toContain('value="690"')
  expect(again).toContain('value="Μαρία Παπά"')
  expect(locationOf(await browser.post(`${at}/correct`, form))).toBe(`${at}?done=customer-corrected`)
  expect(await shop.customer(customer)).toMatchObject({ ...form, phone: '+306901234568' })
  const shown = await textOf(await browser.get(at))
  expect(shown).toMatch(/Corrected: Name, Phone number, E-mail .* Ben/)
  expect(await textOf(await browser.get(`${path('/customers')}?name=6901234568`))).toContain('Παπά')
  await browser.post(`${at}/correct`, { name: '', phone: '690 123 4568', email: '' })
  expect(await shop.customer(customer)).toMatchObject({ name: '', email: null })
})

it('takes no text with a NUL character, which a database may not hold', async () => {
  const { at, browser, path, faults, customer } = await openCustomer()
  const sent = [
    await browser.post(`${at}/adjust`, { points: '5', reason: 'a\0b', request: 'x' }),
    await browser.post(`${at}/unlink`, { device: 'dev_\0' }),
    await browser.post(`${at}/merge`, { with: 'cus_\0' }),
    await browser.post(`${at}/link`, { digits: '12\0' }),
    await browser.post(`${path('/customers/cus_%00')}/adjust`, { points: '5', reason: 'a', request: 'y' }),
    await browser.get(path('/customers/cus_%00')),
    await browser.get(`${path('/customers')}?name=%00a`)
  ]
  expect(sent.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
  expect(await (await browser.get(at)).text()).toContain('ab')
  expect([faults, customer.length]).toEqual([[], 20])
})

it('links the phone that shows six digits, and unlinks it', async () => {
  const { shop, at, browser } = await openCustomer()
  const devices = new DeviceStore({ database: shop.database, now: () => shop.now, random: systemRandomBytes })
  const device = devices.create(shop.business)
  await devices.add(device)
  const digits = await devices.offerLink({ ...device, customer: null })
  expect(await textOf(await browser.submit(`${at}/link`, { digits: '000 000' }))).toContain(
    'No phone shows these digits.'
  )
  const written = inArabic(`${digits.slice(0, 3)} ${digits.slice(3)}`)
  expect(locationOf(await browser.post(`${at}/link`, { digits: written }))).toBe(`${at}?done=device-linked`)
  expect(await textOf(await browser.get(at))).toContain('A phone of the customer')
  expect(locationOf(await browser.post(`${at}/unlink`, { device: device.id }))).toBe(
    `${at}?done=device-unlinked`
  )
  expect(await textOf(await browser.get(at))).not.toContain('A phone of the customer')
  expect(await textOf(await browser.submit(`${at}/unlink`, { device: 'dev_x' }))).toContain(
    'not linked any more'
  )
})

it('exports and erases a customer', async () => {
  const { customer, at, browser, path } = await openCustomer()
  const file = await browser.get(`${at}/data.json`)
  expect(file.headers.get('content-disposition')).toBe(`attachment; filename="customer-${customer}.json"`)
  expect(v.parse(v.looseObject({ customer: v.unknown() }), await file.json()).customer).toMatchObject({
    id: customer,
    name: 'Μαρία',
    balance: 100
  })
  expect(await textOf(await browser.get(`${at}/erase`))).toContain('of Μαρία are removed for good')
  // Also for a second press.
  for (let press = 0; press < 2; press += 1)
    expect(locationOf(await browser.post(`${at}/erase`))).toBe(`${path('/customers')}?done=customer-erased`)
  expect((await browser.get(at)).status).toBe(404)
})

it('shows names as they are, whatever they contain', async () => {
  const { shop, path, signedIn } = await openOffice()
  const name = `<script>alert(1)</script> "O'Neil" & \u202eOba`
  const customer = await shop.register('+306901234567', name)
  await shop.collect(customer, await shop.issue(5))
  const owner = await signedIn('owner')
  await shop.adjust(customer, 1, '\u202eesuoh eht no')
  expect(await (await owner.get(path(`/customers/${customer}`))).text()).toContain(
    '<bdi>\u202eesuoh eht no</bdi>'
  )
  expect(await (await owner.get(path(`/customers/${customer}/erase`))).text()).toContain('\u202eOba\u2069')
  for (const below of [`/customers/${customer}`, '/customers', '/codes', '/entries?kind=collected']) {
    const page = await (await owner.get(path(below))).text()
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &quot;O&#39;Neil&quot; &amp; \u202eOba')
    expect(page).not.toContain('<script')
  }
})

it('shows a customer without a name by the phone, and an erased one as such', async () => {
  const { shop, path, signedIn } = await openOffice()
  const phone = '+30 690 123 4567'
  const customer = await shop.register('+306901234567', '')
  const other = await shop.register('+306907654321', '')
  const erased = await shop.register('+306900000001', 'Eva')
  const code = await shop.issue(70)
  await shop.collect(customer, code)
  await shop.redeem(customer, await shop.offer(20, 1))
  const erasedCode = await shop.issue(80)
  await shop.collect(erased, erasedCode)
  await shop.identities.erase(shop.business, erased)
  const owner = await signedIn('owner')
  const shown = async (below: string): Promise<string> => textOf(await owner.get(path(below)))
  expect(await shown(`/codes/${code}`)).toContain(phone)
  expect(await shown(`/codes/${erasedCode}`)).toContain('an erased customer')
  expect(await shown('/codes')).toContain(`${phone} 1 slip`)
  const collected = await shown('/entries?kind=collected')
  expect(collected).toContain(`${phone} Collected`)
  expect(collected).toContain('an erased customer Collected')
  expect(await shown('/entries?kind=redeemed')).toContain(`${phone} Redeemed`)
  const at = `/customers/${customer}`
  const otherPhone = '+30 690 765 4321'
  expect(await shown('/customers')).toContain(`${phone} 50 points`)
  expect(await (await owner.get(path(at))).text()).toContain(`<h1>\u2068${phone}\u2069</h1>`)
  expect(await shown(`${at}/erase`)).toContain(`Erase ${phone}?`)
  const asked = await shown(`${at}/merge?with=${other}`)
  expect(asked).toContain(`${phone} 50 points ${otherPhone} 0 points`)
  expect(asked).toContain(`${phone} keeps the name`)
  expect(asked).toContain(`${otherPhone} is no longer listed`)
  await owner.post(path(`${at}/merge`), { with: other })
  expect(await shown(at)).toContain(`Also: ${otherPhone}`)
})

it('finds and changes nothing of another shop', async () => {
  const { shop, addShop, path, signedIn, faults, staff } = await openOffice()
  const other = await addShop()
  const customer = await other.register('+306901234567')
  const { entry } = await other.collect(customer, await other.issue(50))
  const [code, reward] = [await other.issue(10), await other.offer(10, 1)]
  const [till] = await other.database.read('SELECT id FROM tokens WHERE business = $1', [other.business])
  const own = await shop.register('+306907654321')
  await shop.collect(own, await shop.issue(500))
  const devices = new DeviceStore({
    database: other.database,
    now: () => other.now,
    random: systemRandomBytes
  })
  const [linked, waiting] = [devices.create(other.business), devices.create(other.business)]
  await devices.add(linked)
  await devices.link(other.business, customer, await devices.offerLink({ ...linked, customer: null }))
  await devices.add(waiting)
  const digits = await devices.offerLink({ ...waiting, customer: null })
  const member = await staff.add(other.business, { name: 'Eva', role: 'staff' })
  const owner = await signedIn('owner')
  const before = await Promise.all(
    TABLES.map((table) => shop.database.read(`SELECT * FROM ${table} ORDER BY 1, 2`))
  )
  for (const below of [
    `/customers/${customer}`,
    `/codes/${code}`,
    `/rewards/${reward}`,
    `/customers/${customer}/data.json`
  ])
    expect([below, (await owner.get(path(below))).status]).toEqual([below, 404])
  const forms: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    [`/customers/${customer}/adjust`, { request: 'x', points: '5', reason: 'x' }],
    [`/customers/${customer}/redeem`, { request: 'x', reward }],
    [`/customers/${customer}/reverse`, { request: 'x', entry: entry.id }],
    [`/customers/${customer}/erase`, {}],
    [`/customers/${customer}/merge`, { with: own }],
    [`/customers/${own}/merge`, { with: customer }],
    [`/customers/${own}/reverse`, { request: 'x', entry: entry.id }],
    [`/customers/${own}/redeem`, { request: 'x', reward }],
    [`/customers/${own}/link`, { digits }],
    [`/customers/${own}/unlink`, { device: linked.id }],
    [`/staff/${member.id}/link`, {}],
    [`/staff/${member.id}/sign-out`, {}],
    [`/staff/${member.id}/remove`, {}],
    [`/codes/${code}/cancel`, {}],
    [`/rewards/${reward}`, { name: 'Mine', cost: '1' }],
    [`/rewards/${reward}/disable`, {}],
    [`/rewards/${reward}/down`, {}],
    [`/tills/${v.is(v.object({ id: v.string() }), till) ? till.id : 'x'}/revoke`, {}]
  ]
  for (const [below, form] of forms) {
    const page = await (await owner.submit(path(below), form)).text()
    expect([below, page]).toEqual([below, expect.stringMatching(/There is no such page|class="fault"/)])
  }
  const after = await Promise.all(
    TABLES.map((table) => shop.database.read(`SELECT * FROM ${table} ORDER BY 1, 2`))
  )
  expect(after).toEqual(before)
  expect(faults).toEqual([])
})
