import { groupedCode } from '../../../../electron/contract/code-groups.ts'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import * as v from 'valibot'
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { PairingStore } from '../../../../electron/service/store/pairings.ts'
import { TillStore } from '../../../../electron/service/store/tills.ts'
import { BusinessStore } from '../../../../electron/service/store/businesses.ts'
import { textOf } from '../pages/visitor.ts'
import { locationOf, openOffice, requestOf } from './shop-office.ts'

const openOwner = async () => {
  const office = await openOffice()
  return { ...office, browser: await office.signedIn('owner') }
}

it('adds, orders, changes and disables rewards', async () => {
  const { browser, path } = await openOwner()
  const list = path('/rewards')
  for (const [name, cost] of [
    ['Coffee', '50'],
    ['Cake', '120'],
    ['Breakfast', '400']
  ] as const)
    expect(locationOf(await browser.post(list, { name, cost }))).toBe(`${list}?done=reward-added`)
  const ids = async () =>
    [...(await (await browser.get(list)).text()).matchAll(/href="[^"]+\/(rew_\w{16})"/g)].map(([, id]) => id)
  const [coffee, cake, breakfast] = await ids()
  await browser.post(`${list}/${String(breakfast)}/up`, { past: String(cake) })
  await browser.post(`${list}/${String(coffee)}/down`, { past: String(breakfast) })
  expect(await ids()).toEqual([breakfast, coffee, cake])
  await browser.post(`${list}/${String(breakfast)}/up`, { past: String(coffee) })
  expect(await ids()).toEqual([breakfast, coffee, cake])
  await browser.post(`${list}/${String(coffee)}`, { name: 'Espresso', cost: '60' })
  await browser.post(`${list}/${String(cake)}/disable`)
  const text = await textOf(await browser.get(list))
  expect(text).toMatch(
    /Breakfast 400 points .* Espresso 60 points .* Cake Disabled: customers do not see it 120 points/
  )
  await browser.post(`${list}/${String(cake)}/enable`)
  expect(await textOf(await browser.get(list))).not.toContain('Disabled')
})

it('keeps both of two moves of rewards at once', async () => {
  const { browser, path, shop } = await openOwner()
  const list = path('/rewards')
  const rewards: string[] = []
  for (const cost of [1, 2, 3, 4]) rewards.push(await shop.offer(cost, cost))
  for (let round = 0; round < 5; round += 1) {
    await Promise.all([
      browser.post(`${list}/${String(rewards[0])}/down`, { past: String(rewards[1]) }),
      browser.post(`${list}/${String(rewards[2])}/down`, { past: String(rewards[3]) })
    ])
    const order = await shop.database.read('SELECT cost FROM rewards ORDER BY position')
    expect(order).toEqual([2, 1, 4, 3].map((cost) => ({ cost })))
    await browser.post(`${list}/${String(rewards[0])}/up`, { past: String(rewards[1]) })
    await browser.post(`${list}/${String(rewards[2])}/up`, { past: String(rewards[3]) })
  }
})

it('adds a reward once for a form that is sent twice, and another one for other terms', async () => {
  const { browser, path, shop } = await openOwner()
  const form = { request: await requestOf(browser, path('/rewards')), name: 'Coffee', cost: '50' }
  for (const cost of ['50', '50', '60'])
    expect((await browser.post(path('/rewards'), { ...form, cost })).status).toBe(303)
  // The page that is opened again sends another request.
  const request = await requestOf(browser, path('/rewards'))
  expect((await browser.post(path('/rewards'), { ...form, request })).status).toBe(303)
  const costs = await shop.database.read('SELECT cost FROM rewards ORDER BY position')
  expect(costs).toEqual([{ cost: 50 }, { cost: 60 }, { cost: 50 }])
})

it('shows a link that can be used for a colleague whose form is sent twice', async () => {
  const { browser, path, shop, visitor } = await openOwner()
  const form = { request: await requestOf(browser, path('/staff')), name: 'Eva', role: 'staff' }
  for (let sent = 0; sent < 2; sent += 1) {
    const shown = await (await browser.submit(path('/staff'), form)).text()
    const link = /\/welcome\/[\w-]{43}/.exec(shown)?.[0] ?? ''
    expect(await textOf(await visitor().get(link))).toContain('Choose a password')
  }
  expect(await shop.database.read("SELECT name FROM staff_members WHERE name = 'Eva'")).toHaveLength(1)
  const another = { ...form, request: await requestOf(browser, path('/staff')) }
  expect(await textOf(await browser.submit(path('/staff'), another))).toContain(
    'Somebody has this name already.'
  )
})

it('says of a form that is sent again after a removal that the person was removed', async () => {
  const { browser, path, shop } = await openOwner()
  const form = { request: await requestOf(browser, path('/staff')), name: 'Eva', role: 'staff' }
  await browser.post(path('/staff'), form)
  const [eva] = await shop.database.read("SELECT id FROM staff_members WHERE name = 'Eva'")
  await browser.post(path(`/staff/${v.parse(v.object({ id: v.string() }), eva).id}/remove`))
  const again = await browser.submit(path('/staff'), form)
  const page = await again.text()
  expect(page).toContain('This person has been removed since.')
  expect(page).not.toContain('Somebody has this name')
  // The page that says so sends another request.
  const request = /name="request" value="([\w.-]+)"/.exec(page)?.[1] ?? ''
  expect(await textOf(await browser.submit(path('/staff'), { ...form, request }))).toContain('A link for Eva')
})

it.each([
  [{ name: 'Coffee', cost: '0' }, 'a whole number'],
  [{ name: 'Coffee', cost: '1.5' }, 'a whole number'],
  [{ name: 'Coffee', cost: '99999999' }, 'a whole number'],
  [{ name: ' ', cost: '5' }, 'The name is missing']
])('refuses the reward %j, and keeps what was typed', async (typed, sentence) => {
  const { browser, path, shop } = await openOwner()
  expect(await (await browser.submit(path('/rewards'), typed)).text()).toContain(sentence)
  expect(await shop.database.read('SELECT * FROM rewards')).toEqual([])
})

it('pairs a till with the code that it shows, and ends its access', async () => {
  const { browser, path, shop, visitor } = await openOwner()
  const offered = /name="name"[^>]*value="([^"]*)"/s.exec(
    await (await browser.get(path('/tills'))).text()
  )?.[1]
  expect(offered).toBe('Till 1')
  const shown = await textOf(await browser.submit(path('/tills'), { name: offered ?? '' }))
  expect(shown).toContain('https://points.example.com')
  expect(shown).toMatch(/[B-Z]{4}-[B-Z]{4}/)
  await shop.database.write(
    "INSERT INTO tokens (id, business, hash, name, created_at) VALUES ('till_1', $1, 'x', 'Till 1', '2026-11-21T10:00:00.000Z')",
    [shop.business]
  )
  const tills = await browser.get(path('/tills'))
  expect(await tills.clone().text()).toContain('value="Till 2"')
  expect(await textOf(tills)).toContain('Till 1 Not used yet')
  expect(await textOf(await browser.get(path('/tills/till_1/revoke')))).toContain('can issue no more slips')
  expect(locationOf(await browser.post(path('/tills/till_1/revoke')))).toBe(
    `${path('/tills')}?done=till-revoked`
  )
  expect(await textOf(await browser.get(path('/tills')))).toContain('Access ended on 21 Nov 2026, 12:00')
  expect((await browser.get(path('/tills/till_2/revoke'))).status).toBe(404)
  expect((await visitor().post(path('/tills'), { name: 'Till 2' })).status).toBe(303)
})

it('offers each country, with its time zones where it has several, and the place that is set', async () => {
  const { browser, path, shop } = await openOwner()
  const places = async () => {
    const page = await (await browser.get(path('/profile'))).text()
    const options = Array.from(
      page.matchAll(/<option value="([A-Z]{2} [^"]+)"( *selected)?[^>]*>([^<]+)</g),
      ([, value = '', selected, text = '']) => ({ value, isSelected: selected !== undefined, text })
    )
    return {
      of: (country: string) =>
        options
          .filter(({ value }) => value.startsWith(country))
          .map(({ value, text }) => `${value}: ${text}`),
      set: options.filter(({ isSelected }) => isSelected).map(({ text }) => text)
    }
  }
  const businesses = new BusinessStore(shop.database)
  const set = async (country: string, timeZone: string) => {
    const business = await businesses.get(shop.business)
    await businesses.update({ ...business, timeZone, address: { ...business.address, country } })
  }
  await set('UA', 'Europe/Kiev')
  const { of, set: shown } = await places()
  expect(shown).toEqual(['Ukraine: Kyiv'])
  expect(of('GR')).toEqual(['GR Europe/Athens: Greece'])
  expect(of('IN')).toEqual(['IN Asia/Kolkata: India'])
  expect(of('XK')).toEqual(['XK Europe/Belgrade: Kosovo'])
  expect(of('ES').toSorted()).toEqual([
    'ES Africa/Ceuta: Spain: Ceuta',
    'ES Atlantic/Canary: Spain: Canary',
    'ES Europe/Madrid: Spain: Madrid'
  ])
  await set('GR', 'Etc/UTC')
  expect((await places()).set).toEqual(['Greece: UTC'])
  await set('', 'UTC')
  expect((await places()).set).toEqual([])
})

it('changes what the shop says of itself, within what there is', async () => {
  const { browser, path, shop } = await openOwner()
  const form = {
    ...{ name: 'Kafeneio', street: 'Ermou 1', zipCode: '10563', city: 'Athens', state: '' },
    ...{ place: 'DE Europe/Berlin', codeDays: '30', collectPause: '15', reversal: '5' },
    creditLimit: '1000',
    creditApprovalLimit: '400'
  }
  expect(locationOf(await browser.post(path('/profile'), form))).toBe(`${path('/profile')}?done=saved`)
  const read = () => new BusinessStore(shop.database).get(shop.business)
  const saved = {
    ...{ name: 'Kafeneio', timeZone: 'Europe/Berlin', codeValidityDays: 30 },
    ...{ collectPauseMinutes: 15, reversalMinutes: 5, creditLimit: 1000, creditApprovalLimit: 400 },
    address: { street: 'Ermou 1', city: 'Athens', state: '', country: 'DE', zipCode: '10563' }
  }
  expect(await read()).toMatchObject(saved)
  for (const place of ['', 'XX Europe/Berlin', 'DE Mars/Olympus', 'DE +02:00', 'DE']) {
    const refused = await browser.submit(path('/profile'), { ...form, name: 'Other', place })
    expect(await refused.text()).toContain('id="place-fault"')
  }
  expect(await read()).toMatchObject(saved)
  await browser.post(path('/profile'), { ...form, codeDays: '0', collectPause: '-1', creditLimit: '' })
  expect(await read()).toMatchObject({ codeValidityDays: 1, collectPauseMinutes: 0, creditLimit: null })
  const refused = await browser.submit(path('/profile'), { ...form, street: 'Ermou 2', name: '' })
  expect(await refused.text()).toContain('value="Ermou 2"')
})

it('takes a logo that can be one, and no other file', async () => {
  const { browser, path, shop } = await openOwner()
  const send = (bytes: Uint8Array<ArrayBuffer>) => {
    const form = new FormData()
    form.set('logo', new File([bytes], 'logo.png'))
    return browser.upload(path('/profile/logo'), form)
  }
  const png = await readFile(new URL('../../../../resources/icons/icon.png', import.meta.url))
  const shown = async (bytes: Uint8Array<ArrayBuffer>) => textOf(await browser.follow(await send(bytes)))
  expect(await shown(new TextEncoder().encode('no image'))).toContain('This file cannot be the logo.')
  expect(await shown(new Uint8Array(0))).toContain('This file cannot be the logo.')
  expect(await shown(new Uint8Array(400_000))).toContain('Choose a smaller file.')
  const logo = async () => (await new BusinessStore(shop.database).get(shop.business)).logo
  expect(await logo()).toBeNull()
  const sent = await send(new Uint8Array(png))
  expect([sent.status, await logo()]).toEqual([303, expect.stringMatching(/\.png$/)])
  expect((await browser.post(path('/profile/logo/remove'))).status).toBe(303)
  expect(await logo()).toBeNull()
})

it('finds a code as people write it, and cancels one that was not collected', async () => {
  const { browser, path, shop } = await openOwner()
  const [active, used] = [await shop.issue(10), await shop.issue(20)]
  await shop.collect(await shop.register('+306901234567', 'Μαρία'), used)
  const written = `${active.slice(0, 4)}-${active.slice(4, 8)} ${active.slice(8)}`.toLowerCase()
  expect(locationOf(await browser.get(path(`/codes?code=${encodeURIComponent(written)}`)))).toBe(
    path(`/codes/${active}`)
  )
  expect((await browser.get(path('/codes?code=nothing'))).status).toBe(404)
  expect(await textOf(await browser.get(path(`/codes/${used}`)))).toContain('The points have gone to Μαρία')
  expect(await textOf(await browser.submit(path(`/codes/${used}/cancel`)))).toContain('has been collected')
  expect(locationOf(await browser.post(path(`/codes/${active}/cancel`)))).toBe(
    `${path(`/codes/${active}`)}?done=code-cancelled`
  )
  expect(await textOf(await browser.get(path(`/codes/${active}`)))).toContain('Cancelled on 21 Nov 2026')
  shop.now = new Date(shop.now.getTime() + 1000)
  for (let issued = 0; issued < 31; issued += 1) await shop.issue(1)
  const first = await (await browser.get(path('/codes'))).text()
  const older = /href="([^"]+\?after=\w{12})"/.exec(first)?.[1] ?? ''
  expect(await textOf(await browser.get(older))).toContain(groupedCode(used))
  expect(first).toContain('Who collects most')
})

it('counts a day of 25 hours as one, in the shop’s time zone', async () => {
  const { browser, path, shop } = await openOwner()
  for (const [moment, points] of [
    ['2026-10-24T20:59:59.999Z', 1],
    ['2026-10-24T21:00:00.000Z', 10],
    ['2026-10-25T21:59:59.999Z', 100],
    ['2026-10-25T22:00:00.000Z', 1000]
  ] as const) {
    shop.now = new Date(moment)
    await shop.issue(points)
  }
  shop.now = new Date('2026-10-25T21:59:59.999Z')
  const today = await textOf(await browser.get(path('/today')))
  expect(today).toContain('Slips issued 2 110 points')
  expect(today).toContain(' 24 Oct 1 ')
})

it('shows what a till credited and took back, on the pages of the customer, of the code and of today', async () => {
  const { browser, path, shop } = await openOwner()
  const customer = await shop.register('+306901234567', 'Maria')
  shop.by = 'till:till_1'
  const { entry } = await shop.credit(customer, 150)
  const given = await textOf(await browser.get(path(`/customers/${customer}`)))
  expect(given).toMatch(/Given without a slip .*\+150 Take back/)
  const credited = await textOf(await browser.get(path('/entries?kind=credited')))
  expect(credited).toMatch(/Given without a slip today .*Maria .*\+150/)
  await shop.redeem(customer, await shop.offer(120, 1))
  await shop.giveBack({ by: 'credit', name: entry.id }, { points: 150 }, 'a-return-of-all', 'Wrong size')
  const owing = await textOf(await browser.get(path(`/customers/${customer}`)))
  expect(owing).toContain('To make up: 120 points. The next points fill this first.')
  expect(owing).toMatch(/Taken back with goods [^+]*Wrong size −150 Redeemed/)
  expect(await textOf(await browser.get(path('/customers')))).toContain('−120 points')
  const refused = await browser.submit(path(`/customers/${customer}/reverse`), {
    entry: entry.id,
    reason: ''
  })
  expect(await textOf(refused)).toContain('This cannot be taken back. Adjust the points instead.')
  const code = await shop.issue(100)
  await shop.giveBack({ by: 'code', name: code }, { points: 40 }, 'a-return-of-a-part', 'Broken')
  expect(await textOf(await browser.get(path(`/codes/${code}`)))).toMatch(
    /60 points .*Taken back with goods on .*: 40 points · Broken/
  )
  const today = await textOf(await browser.get(path('/today')))
  expect(today).toMatch(/Given without a slip 1 150 points Taken back with goods 2 190 points/)
})

it('says which till and which cashier issued a code, and its bill', async () => {
  const { browser, path, shop } = await openOwner()
  const { database, business } = shop
  const createdAt = shop.now.toISOString()
  await new TillStore(database).add({ id: 'till_1', business, name: 'Front', createdAt }, 'hash')
  const code = await shop.issueAt('till_1', 250, { number: 3, name: 'Ana' }, 'R-1041')
  for (const page of ['/codes', `/codes/${code}`])
    expect(await textOf(await browser.get(path(page)))).toMatch(/ · by Front, 3 Ana · R-1041 /)
})

it('shows one pairing code for a form that is pressed twice, and another one for the next and for another name', async () => {
  const { signedIn, path, shop } = await openOffice()
  const owner = await signedIn('owner')
  const form = { request: await requestOf(owner, path('/tills')), name: 'Till 1' }
  const codeIn = async (answer: Response): Promise<string> =>
    /[A-Z]{4}-[A-Z]{4}/.exec(await textOf(await owner.follow(answer)))?.[0] ?? ''
  const pressed = await Promise.all([owner.post(path('/tills'), form), owner.post(path('/tills'), form)])
  const codes = await Promise.all(pressed.map(codeIn))
  const [code = ''] = codes
  expect(codes).toEqual([code, code])
  expect(code).not.toBe('')
  const others = [
    { ...form, name: 'Till 2' },
    { ...form, request: await requestOf(owner, path('/tills')) },
    { ...form, request: '' },
    { ...form, request: '' }
  ]
  for (const other of others) codes.push(await codeIn(await owner.post(path('/tills'), other)))
  expect(new Set(codes).size).toBe(1 + others.length)
  const pairings = new PairingStore({
    database: shop.database,
    now: () => shop.now,
    random: systemRandomBytes
  })
  expect(await pairings.trade(code)).toMatchObject({ name: 'Till 1' })
  const names = await shop.database.read('SELECT till_name FROM pairings')
  expect(names).toHaveLength(1 + others.length)
})

it('shows what each branch, till and cashier did, on a page and as a file', async () => {
  const { browser, path, shop } = await openOwner()
  const { database, business } = shop
  const tills = new TillStore(database)
  for (const number of [1, 2, 10]) {
    const createdAt = shop.now.toISOString()
    await tills.add({ id: `till_${number}`, business, name: `Till ${number}`, createdAt }, `hash ${number}`)
  }
  expect(await textOf(await browser.get(path('/by-till')))).toContain('Nothing was issued, given or redeemed')
  const refused = await browser.submit(path('/tills/till_1'), { name: 'Front', branch: 'Har\u0007bour' })
  expect(await textOf(refused)).toMatch(/Branch The name is missing, or too long/)
  await browser.submit(path('/tills/till_1'), { name: 'Front', branch: ' Harbour ' })
  await browser.submit(path('/tills/till_10'), { name: 'Till 10', branch: 'Harbour' })
  expect(await textOf(await browser.get(path('/tills')))).toContain('Front Harbour · Not used yet')
  expect(await (await browser.get(path('/tills/till_2'))).text()).toContain('<option value="Harbour">')
  expect((await browser.get(path('/tills/till_3'))).status).toBe(404)
  const [ana, boris] = [
    { number: 3, name: 'Ana' },
    { number: 4, name: 'Boris' }
  ]
  const customer = await shop.register('+306901234567', 'Maria')
  // Yesterday's is not today's.
  const now = shop.now
  shop.now = new Date(now.getTime() - 86_400_000)
  await shop.issueAt('till_2', 7, null)
  shop.now = now
  for (const points of [100, 50]) await shop.issueAt('till_1', points, ana)
  shop.by = 'till:till_1'
  await shop.credit(customer, 30, null, boris)
  const { entry } = await shop.credit(customer, 9, null, boris)
  await shop.reverse(customer, entry.id)
  shop.by = 'till:till_10'
  await shop.redeem(customer, await shop.offer(20, 1))
  const given = await shop.credit(customer, 60, null, boris)
  await shop.giveBack({ by: 'credit', name: given.entry.id }, { points: 60 }, 'a-return-of-all')
  const today = await textOf(await browser.get(path('/by-till')))
  expect(today).toMatch(/Harbour .*Front 3 Ana 2 150 points 0 0 points 0 0 points 0 0 points/)
  expect(today).toMatch(/Front 4 Boris 0 0 points 1 30 points 0 0 points 0 0 points/)
  expect(today).toMatch(/Till 10 0 0 points 0 0 points 1 60 points 1 20 points/)
  expect(today).not.toContain('Till 2')
  const csv = await (await browser.get(path('/by-till.csv?days=7'))).text()
  expect(
    csv
      .replace(/^\uFEFF/, '')
      .trim()
      .split('\r\n')
  ).toEqual([
    'branch,till,cashier,slips,pointsIssued,credits,pointsCredited,returns,pointsReturned,redemptions,pointsRedeemed',
    'Harbour,Front,3 Ana,2,150,0,0,0,0,0,0',
    'Harbour,Front,4 Boris,0,0,1,30,0,0,0,0',
    'Harbour,Till 10,,0,0,0,0,1,60,1,20',
    'Harbour,Till 10,4 Boris,0,0,1,60,0,0,0,0',
    ',Till 2,,1,7,0,0,0,0,0,0'
  ])
})
