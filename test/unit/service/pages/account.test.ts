import { expect, it } from 'vitest'
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { DeviceStore } from '../../../../electron/service/store/devices.ts'
import { openPages, textOf, type Visitor } from './visitor.ts'

const PHONE = '690 123 4567'

const openLinked = async () => {
  const pages = await openPages()
  const { shop, business } = pages
  const customer = await shop.register('+306901234567', 'Μαρία Παπαδοπούλου')
  const devices = new DeviceStore({ database: shop.database, now: () => shop.now, random: systemRandomBytes })
  const link = async (browser: Visitor) => {
    const page = await textOf(await browser.submit(`/me/${business}/link`))
    const digits = /\b(\d{3}) +(\d{3})\b/.exec(page)?.slice(1).join('') ?? ''
    return devices.link(shop.business, customer, digits)
  }
  return { ...pages, customer, link, me: `/me/${business}` }
}

it('shows what was collected with a device, and nothing of a customer until staff link it', async () => {
  const { shop, visitor, customer, link, me } = await openLinked()
  const browser = visitor()
  await browser.submit(`/q/${await shop.issue(250)}`, { phone: PHONE })
  expect(browser.received).toEqual([
    expect.stringMatching(
      /^device-usr_\w+=[\w.-]{53}; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/
    ),
    // Until the browser is closed: whose form a page shows.
    expect.stringMatching(/^form=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  ])
  const before = await textOf(await browser.get(me))
  expect(before).toContain('+250 points')
  expect(before).not.toMatch(/Balance|Παπαδοπούλου/)
  expect((await browser.get(`${me}/data.json`)).headers.get('location')).toBe(me)
  await link(browser)
  await shop.offer(300, 1)
  const after = await textOf(await browser.get(me))
  expect(after).toMatch(/Balance 250 points Μαρία Παπαδοπούλου/)
  expect(after).toMatch(/Reward 1 50 more points/)
  expect(await shop.balance(customer)).toBe(250)
})

it('says what came from the shop, went back with goods, and has to be made up', async () => {
  const { shop, visitor, customer, link, me } = await openLinked()
  const browser = visitor()
  await link(browser)
  const { entry } = await shop.credit(customer, 150)
  await shop.redeem(customer, await shop.offer(120, 1))
  expect(await textOf(await browser.get(me))).toMatch(/Points from the shop .*\+150/)
  await shop.giveBack({ by: 'credit', name: entry.id }, { points: 150 }, 'a-return-of-all')
  const page = await textOf(await browser.get(me))
  expect(page).toContain('−120 points')
  expect(page).toContain('To make up: 120 points. The next points you collect fill this first.')
  expect(page).toMatch(/Goods returned .*−150/)
})

it('says where its lists end before their first entry', async () => {
  const { shop, visitor, customer, link, me } = await openLinked()
  const browser = visitor()
  await browser.submit(`/q/${await shop.issue(1)}`, { phone: PHONE })
  const collectHere = async (codes: number): Promise<string> => {
    for (let code = 0; code < codes; code += 1) await shop.collect(customer, await shop.issue(1))
    await shop.database.write(
      'INSERT INTO device_codes (device, code) SELECT id, code FROM devices, codes WHERE true ON CONFLICT DO NOTHING'
    )
    return textOf(await browser.get(me))
  }
  expect(await collectHere(98)).not.toContain('These are the newest')
  expect(await collectHere(1)).toContain('These are the newest 100.')
  await link(browser)
  expect(await textOf(await browser.get(me))).toContain(
    'These are the newest 50. “Download my data” has all.'
  )
})

it('does not say so of a list with all entries', async () => {
  const { shop, visitor, customer, link, me } = await openLinked()
  const browser = visitor()
  await link(browser)
  for (let entry = 1; entry < 50; entry += 1) await shop.adjust(customer, 1)
  expect(await textOf(await browser.get(me))).not.toContain('These are the newest')
})

it('has a second column only for a list: of rewards, or of what a device collected', async () => {
  const { shop, visitor, me } = await openLinked()
  const browser = visitor()
  expect(await (await browser.get(me)).text()).toContain('<body class="">')
  await browser.submit(`/q/${await shop.issue(250)}`, { phone: PHONE })
  expect(await (await browser.get(me)).text()).toContain('<body class="wide">')
})

it('collects with one press on a linked device, whatever phone is sent', async () => {
  const { shop, visitor, customer, link } = await openLinked()
  const browser = visitor()
  await link(browser)
  const code = await shop.issue(40)
  const page = await (await browser.get(`/q/${code}`)).text()
  expect(page).not.toContain('name="phone"')
  expect(await textOf(await browser.submit(`/q/${code}`, { phone: '690 999 9999' }))).toContain('+40 points')
  expect(await shop.balance(customer)).toBe(40)
})

it('gives a customer their data, and deletes them after a question', async () => {
  const { shop, visitor, customer, link, me, business } = await openLinked()
  const browser = visitor()
  await link(browser)
  await shop.adjust(customer, 5)
  const saved = await browser.get(`${me}/data.json`)
  expect(saved.headers.get('content-disposition')).toContain('attachment')
  expect(await saved.json()).toMatchObject({
    customer: { id: customer, balance: 5 },
    entries: [{ points: 5 }]
  })
  expect(await textOf(await browser.get(`${me}/delete`))).toContain('cannot be undone')
  expect(await shop.customer(customer)).not.toBeNull()
  expect(await textOf(await browser.submit(`${me}/delete`))).toContain('is deleted')
  expect(await shop.customer(customer)).toBeNull()
  expect(await textOf(await browser.get(me))).not.toContain('Balance')
  expect((await browser.submit(`/join/${business}`, { phone: PHONE })).status).toBe(200)
})

it('unlinks a lost phone from another one, but no phone of another customer', async () => {
  const { shop, visitor, link, me } = await openLinked()
  const [kept, lost] = [visitor(), visitor()]
  await link(kept)
  const device = await link(lost)
  const [page, others] = [await textOf(await kept.get(me)), await textOf(await lost.get(me))]
  for (const each of [page, others])
    expect(each).toMatch(/Linked phones This device Unlink Another device Last used on \d+ \w+ 2026 Unlink/)
  await kept.submit(`${me}/unlink`, { device })
  expect(await textOf(await lost.get(me))).not.toContain('Balance')
  const stranger = visitor()
  await stranger.submit(`${me}/link`)
  await stranger.submit(`${me}/unlink`, { device })
  expect(await textOf(await kept.get(me))).toContain('Balance')
  expect(shop.now).toBeInstanceOf(Date)
})

it('answers the same to a known and an unknown phone that joins', async () => {
  const { visitor, business } = await openLinked()
  const pages = []
  for (const phone of [PHONE, '690 123 4568']) {
    const response = await visitor().submit(`/join/${business}`, { phone, name: 'Other' })
    pages.push((await textOf(response)).replace('4568', '4567'))
  }
  expect(pages[0]).toBe(pages[1])
  expect(pages[0]).not.toContain('Παπαδοπούλου')
})

it('keeps two businesses apart: devices, pages and codes', async () => {
  const { shop, visitor, customer, link, me, addShop } = await openLinked()
  const browser = visitor()
  await link(browser)
  const other = await addShop()
  const code = await other.issue(7)
  // A device of the first business is none of the second.
  expect(await (await browser.get(`/q/${code}`)).text()).toContain('name="phone"')
  await browser.submit(`/q/${code}`, { phone: PHONE })
  expect(await shop.balance(customer)).toBe(0)
  expect(await textOf(await browser.get(me))).not.toContain('+7')
  expect((await visitor().get('/me/usr_unknown')).status).toBe(404)
})

it.each(['link', 'unlink', 'delete'])('a refused %s leads to a page in another language', async (form) => {
  const { visitor, me } = await openLinked()
  const browser = visitor()
  const answer = await browser.post(`${me}/${form}`, {}, { 'sec-fetch-site': 'cross-site' })
  const refused = await (await browser.follow(answer)).text()
  expect(refused).toContain('Nothing was changed')
  const [, german = ''] = /href="([^"]+lang=de)"/.exec(refused.replaceAll('&amp;', '&')) ?? []
  const page = await browser.get(german)
  expect([page.status, page.headers.get('content-language')]).toEqual([200, 'de'])
})
