import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ANSWER_SLOT_MS } from '../../../../electron/service/html/answer-slots.ts'
import { BusinessStore } from '../../../../electron/service/store/businesses.ts'
import { CodeStore } from '../../../../electron/service/store/codes.ts'
import { CustomerStore } from '../../../../electron/service/store/customers.ts'
import type { Database, Queries } from '../../../../electron/service/store/database.ts'
import { openShop, Shop } from '../store/shop.ts'
import { openPages, ORIGIN, textOf } from './visitor.ts'

const PHONE = '690 123 4567'
const E164 = '+306901234567'

const customerOf = async ({ shop }: Awaited<ReturnType<typeof openPages>>, phone = E164) =>
  new CustomerStore(shop.database).find(shop.business, 'phone', phone)

const withoutAddresses = (text: string): string =>
  text.replaceAll(/[0-9A-Z]{12}\b/g, 'CODE').replaceAll(/kept=[\w.-]{53}/g, 'kept')

/** Names and lengths of headers: secrets have one length. */
const lengthsOf = (headers: Headers): readonly (readonly [string, number])[] =>
  [...headers].map(([name, value]) => [name, value.length])

describe('collecting', () => {
  it('gives the points of a code once, and a customer who is not known joins', async () => {
    const pages = await openPages()
    const { shop, visitor, faults } = pages
    const code = await shop.issue(250)
    const browser = visitor()
    expect(await textOf(await browser.get(`/q/${code.toLowerCase()}`))).toContain('250 points')
    const collected = await browser.submit(`/q/${code}`, { phone: PHONE, name: 'Μαρία' })
    expect(collected.status).toBe(200)
    expect(await textOf(collected)).toContain('+250 points')
    expect(await customerOf(pages)).toMatchObject({ name: 'Μαρία', balance: 250, lifetimePoints: 250 })
    expect(await textOf(await browser.submit(`/q/${code}`, { phone: PHONE }))).toContain('+250 points')
    expect(await textOf(await browser.get(`/q/${code}`))).toContain('+250 points')
    const stranger = await visitor().submit(`/q/${code}`, { phone: '690 999 9999' })
    expect([stranger.status, await textOf(stranger)]).toEqual([410, expect.stringContaining('been used')])
    expect(await customerOf(pages)).toMatchObject({ balance: 250 })
    expect(await customerOf(pages, '+306909999999')).toBeNull()
    expect(faults).toEqual([])
  })

  it('does not say that points are collected which staff have taken back', async () => {
    const { shop, visitor, business } = await openPages()
    const code = await shop.issue(250)
    const browser = visitor()
    await browser.submit(`/q/${code}`, { phone: PHONE })
    const customer = await new CustomerStore(shop.database).find(shop.business, 'phone', E164)
    const [entry] = await shop.database.read('SELECT id FROM entries WHERE code = $1', [code])
    expect(await textOf(await browser.get(`/me/${business}`))).toContain('+250 points')
    await shop.reverse(customer?.id ?? '', (entry as { id: string }).id)
    for (const page of [
      await browser.get(`/q/${code}`),
      await browser.submit(`/q/${code}`, { phone: PHONE }),
      await visitor().submit(`/q/${code}`, { phone: PHONE })
    ]) {
      const text = await textOf(page)
      expect([page.status, text]).toEqual([410, expect.stringContaining('The shop cancelled it.')])
      expect(text).not.toContain('250')
    }
    const list = await textOf(await browser.get(`/me/${business}`))
    expect(list).toContain(`${code} · Cancelled`)
    expect(list).not.toContain('250')
  })

  it('says from when the next code can be collected, where the shop has set a shortest time', async () => {
    const { shop, visitor } = await openPages()
    const businesses = new BusinessStore(shop.database)
    await businesses.update({ ...(await businesses.get(shop.business)), collectPauseMinutes: 90 })
    const browser = visitor()
    await browser.submit(`/q/${await shop.issue(10)}`, { phone: PHONE })
    const next = await shop.issue(20)
    const refused = await browser.submit(`/q/${next}`, { phone: PHONE })
    expect(refused.status).toBe(200)
    expect(await textOf(refused)).toContain('from 21 Nov 2026, 13:30. Keep this one; it is valid until 19')
    shop.now = new Date(shop.now.getTime() + 90 * 60_000)
    expect(await textOf(await browser.submit(`/q/${next}`, { phone: PHONE }))).toContain('+20 points')
  })

  it('does not tell others when a phone number collected, and stops who tries many', async () => {
    const { shop, visitor } = await openPages()
    const businesses = new BusinessStore(shop.database)
    await businesses.update({ ...(await businesses.get(shop.business)), collectPauseMinutes: 90 })
    await visitor().submit(`/q/${await shop.issue(10)}`, { phone: PHONE })
    const path = `/q/${await shop.issue(20)}`
    const stranger = visitor()
    const refused = await stranger.submit(path, { phone: PHONE })
    const text = await textOf(refused)
    expect([refused.status, text]).toEqual([200, expect.stringContaining('later. Keep this one')])
    expect(text).not.toContain(':')
    for (let tried = 1; tried < 30; tried += 1) await stranger.submit(path, { phone: PHONE })
    expect(await textOf(await stranger.submit(path, { phone: PHONE }))).toContain('too many attempts')
  })

  it('counts a code once when its form is sent twice at the same instant', async () => {
    let counted = 0
    const { shop, visitor } = await openPages(undefined, () => (counted += 1))
    const code = await shop.issue(10)
    const forms = [1, 2, 3].map(() => visitor().submit(`/q/${code}`, { phone: PHONE }))
    expect((await Promise.all(forms)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(counted).toBe(1)
  })

  it('has the picture of a code beside its page, by routes that Hono finds with one expression', async () => {
    const { shop, visitor, routerName } = await openPages()
    const code = await shop.issue(10)
    const picture = await visitor().get(`/q/${code}.png`)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
    const page = await visitor().get(`/q/${code.toLowerCase()}.png`)
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8'])
    expect(routerName()).toContain('RegExpRouter')
  })

  it('answers the same for a phone that is known and one that is not', async () => {
    const pages = await openPages()
    await pages.shop.register(E164, 'Μαρία Παπαδοπούλου')
    const answers = []
    for (const phone of [PHONE, '690 123 4568']) {
      const path = `/q/${await pages.shop.issue(250)}`
      const browser = pages.visitor()
      const redirection = await browser.post(path, { phone })
      const response = await browser.follow(redirection)
      const text = withoutAddresses(await response.text())
      answers.push([
        ...[redirection.status, lengthsOf(redirection.headers), await redirection.text()],
        ...[response.status, lengthsOf(response.headers)],
        text.replace('456 8', '456 7').replace('4568', '4567')
      ])
    }
    expect(answers[0]).toEqual(answers[1])
    expect(JSON.stringify(answers)).not.toContain('Παπαδοπούλου')
  })

  it('does the same for a phone that is known and one that is not, so that no time tells which is', async () => {
    const { database } = await openShop()
    const asked: string[] = []
    const recording = (queries: Queries): Queries => ({
      dialect: queries.dialect,
      read: (sql, ...rest) => (asked.push(sql), queries.read(sql, ...rest)),
      write: (sql, ...rest) => (asked.push(sql), queries.write(sql, ...rest))
    })
    const recorded: Database = {
      ...recording(database),
      transaction: (work) => (
        asked.push('BEGIN'),
        database.transaction((queries) => work(recording(queries)))
      ),
      deleteReplaced: () => database.deleteReplaced(),
      close: () => database.close()
    }
    const { shop, business, visitor } = await openPages(await Shop.addTo(recorded))
    await shop.register(E164, 'Μαρία')
    const askedFor = async (path: string, phone: string): Promise<readonly string[]> => {
      const browser = visitor()
      await browser.get(path)
      asked.length = 0
      await browser.submit(path, { phone })
      return [...asked]
    }
    const used = await shop.issue(1)
    await shop.collects.collect({
      business: shop.business,
      customer: await shop.register('+306900000001'),
      code: used,
      by: 'test'
    })
    const paths = async () => [`/q/${await shop.issue(1)}`, `/q/${used}`, `/join/${business}`]
    const [known, unknown] = [await paths(), await paths()]
    for (const [index, path] of known.entries()) {
      const phone = `690 222 000${String(index)}`
      const statements = await askedFor(path, PHONE)
      expect(statements.length).toBeGreaterThan(5)
      expect(await askedFor(unknown[index] ?? '', phone)).toEqual(statements)
    }
    expect((await new BusinessStore(database).get(shop.business)).customers).toBe(4)
  })

  it('answers no form before its slot ends, whatever was found for it', async () => {
    const { shop, business, visitor } = await openPages()
    for (const path of [`/q/${await shop.issue(1)}`, '/q/00000000000', `/join/${business}`, '/join/usr_1']) {
      for (const phone of [PHONE, '1']) {
        // Starts first, so that it ends first, however late both are.
        const before = wait(ANSWER_SLOT_MS - 2).then(() => 'before')
        const answered = visitor()
          .post(path, { phone })
          .then(({ status }) => status)
        expect(await Promise.race([answered, before])).toBe('before')
        expect([303, 404]).toContain(await answered)
      }
    }
  })

  it('changes nothing by a GET, a HEAD or the preview of a link', async () => {
    const { shop, visitor } = await openPages()
    const code = await shop.issue(10)
    const browser = visitor()
    await browser.get(`/q/${code}`, { 'user-agent': 'WhatsApp/2.0' })
    expect(browser.received).toEqual([])
    expect(await new CodeStore(shop.database).find(shop.business, code)).toMatchObject({ usedAt: null })
  })

  it('says what to do with a code that is unknown, expired or cancelled', async () => {
    const { shop, visitor } = await openPages()
    const [expired, cancelled] = [await shop.issue(10), await shop.issue(10)]
    await new CodeStore(shop.database).cancel(shop.business, cancelled, shop.now.toISOString())
    expect(await textOf(await visitor().get(`/q/${cancelled}`))).toContain('no longer valid')
    shop.now = new Date(shop.now.getTime() + 91 * 86_400_000)
    const page = await visitor().get(`/q/${expired}`)
    expect([page.status, await textOf(page)]).toEqual([
      410,
      expect.stringContaining('valid until 19 February 2027')
    ])
    // A date within a sentence stays on one line.
    expect(await (await visitor().get(`/q/${expired}`)).text()).toContain('19\u00a0February\u00a02027')
    const late = await visitor().submit(`/q/${expired}`, { phone: PHONE })
    expect([late.status, await textOf(late)]).toEqual([410, expect.stringContaining('has expired')])
    const unknown = await visitor().get('/q/000000000000')
    expect([unknown.status, await textOf(unknown)]).toEqual([404, expect.stringContaining('no such code')])
  })

  it('says what was taken back of a code with goods, and why', async () => {
    const { shop, visitor } = await openPages()
    const code = await shop.issue(100)
    const give = (points: number, reason: string | null) =>
      shop.giveBack({ by: 'code', name: code }, { points }, `return-of-${String(points)}`, reason)
    await give(40, 'Wrong size & colour')
    const lowered = await textOf(await visitor().get(`/q/${code}`))
    expect(lowered).toMatch(/60 points .*Taken back with returned goods: 40 points · Wrong size &amp; colour/)
    await give(60, null)
    const page = await visitor().get(`/q/${code}`)
    expect(page.status).toBe(410)
    const gone = await textOf(page)
    expect(gone).toContain('all of its points were taken back')
    expect(gone).toContain('Taken back with returned goods: 60 points')
    expect(gone).not.toContain('The shop cancelled it.')
  })

  it('asks for a phone with an empty field, so that a country code that is typed stands once', async () => {
    const pages = await openPages()
    const form = await (await pages.visitor().get(`/q/${await pages.shop.issue(1)}`)).text()
    const before = /name="phone"[^>]*value="([^"]*)"/.exec(form)?.[1]
    for (const typed of ['306901234567', '+306901234567', '690 123 4567']) {
      await pages.visitor().submit(`/q/${await pages.shop.issue(1)}`, { phone: `${before ?? '?'}${typed}` })
    }
    expect(await customerOf(pages)).toMatchObject({ balance: 3 })
  })

  it('keeps what was typed when the phone is none', async () => {
    const { shop, visitor } = await openPages()
    const response = await visitor().submit(`/q/${await shop.issue(10)}`, { phone: '12', name: 'Ζωή "Z"' })
    const page = await response.text()
    expect(page).toContain('value="12"')
    expect(page).toContain('value="Ζωή &quot;Z&quot;"')
    expect(page).toContain('aria-invalid="true"')
  })

  it('never shows what a customer typed as markup', async () => {
    const { shop, visitor, business } = await openPages()
    const name = '<script>alert(1)</script>'
    const id = await shop.register('+306901234567', name)
    const browser = visitor()
    await browser.submit(`/me/${business}/link`)
    const page = await (await browser.submit(`/q/${await shop.issue(1)}`, { phone: 'x', name })).text()
    expect(page).not.toContain('<script')
    expect(await shop.customer(id)).toMatchObject({ name })
  })
})

describe('protection', () => {
  it('refuses forms of other sites, and changes nothing', async () => {
    const pages = await openPages()
    const code = await pages.shop.issue(10)
    const foreign: readonly Readonly<Record<string, string>>[] = [
      {},
      { origin: 'null' },
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site', origin: ORIGIN },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' }
    ]
    for (const headers of foreign) {
      const response = await pages.visitor().post(`/q/${code}`, { phone: PHONE }, headers)
      expect([response.status, response.headers.getSetCookie()]).toEqual([303, []])
      const page = await pages.visitor().follow(response)
      expect(await textOf(page)).toMatch(/Nothing was changed\..* Collect points/)
    }
    expect(await customerOf(pages)).toBeNull()
    // A browser without Sec-Fetch-Site, as Safari before 16.4: Fetch, "append a request Origin header".
    const browser = pages.visitor()
    const policy = (await browser.get(`/q/${code}`)).headers.get('referrer-policy')
    const origin = policy === 'no-referrer' ? 'null' : ORIGIN
    expect((await browser.post(`/q/${code}`, { phone: PHONE }, { origin })).status).toBe(303)
  })

  it('has headers against frames, scripts, caches and referrers on each page', async () => {
    const { shop, visitor, business } = await openPages()
    const paths = [
      `/q/${await shop.issue(1)}`,
      '/q/000000000000',
      `/me/${business}`,
      `/join/${business}`,
      '/me'
    ]
    for (const path of paths) {
      const { headers } = await visitor().get(path)
      const policy = headers.get('content-security-policy')
      expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /)
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("form-action 'self'")
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })

  it('stops an address that guesses codes, but no code that exists', async () => {
    const { shop, visitor } = await openPages()
    const code = await shop.issue(1)
    const guess = (tried: number) => visitor().get(`/q/00000000${String(1000 + tried)}`)
    for (let tried = 0; tried < 30; tried += 1) expect((await guess(tried)).status).toBe(404)
    shop.now = new Date(shop.now.getTime() + 9 * 60_000)
    const stopped = await guess(30)
    expect([stopped.status, await textOf(stopped)]).toEqual([429, expect.stringContaining('in 1 minute.')])
    expect((await visitor().get(`/q/${code}`)).status).toBe(200)
    expect((await visitor().submit(`/q/${code}`, { phone: PHONE })).status).toBe(200)
    shop.address = '203.0.113.8'
    expect((await guess(31)).status).toBe(404)
  })

  it('lets a customer collect whatever forms strangers send', async () => {
    const { shop, business, visitor } = await openPages()
    const own = visitor()
    await own.submit(`/q/${await shop.issue(1)}`, { phone: PHONE })
    const code = await shop.issue(1)
    for (let tried = 0; tried < 21; tried += 1) await visitor().submit(`/q/${code}`, { phone: 'x' })
    for (let tried = 0; tried < 121; tried += 1) await visitor().submit(`/join/${business}`, { phone: PHONE })
    expect(await textOf(await visitor().submit(`/join/${business}`, { phone: PHONE }))).toContain('too many')
    expect(await textOf(await own.submit(`/join/${business}`, { phone: PHONE }))).toContain('Welcome')
    expect(await textOf(await visitor().submit(`/q/${code}`, { phone: PHONE }))).toContain('too many')
    expect(await textOf(await own.submit(`/q/${code}`, { phone: PHONE }))).toContain('Collected')
    expect(await textOf(await visitor().submit(`/q/${await shop.issue(1)}`, { phone: PHONE }))).toContain(
      'Collected'
    )
  })

  it('limits the forms for one code, from any address, and not those for one phone', async () => {
    const { shop, visitor } = await openPages()
    const code = await shop.issue(1)
    const post = (path: string, phone: string, at: number) => {
      shop.address = `203.0.113.${String(at)}`
      return visitor().submit(path, { phone }).then(textOf)
    }
    for (let tried = 0; tried < 20; tried += 1)
      expect(await post(`/q/${code}`, 'x', tried)).toContain('check the number')
    expect(await post(`/q/${code}`, PHONE, 30)).toContain('too many attempts')
    for (let tried = 0; tried < 20; tried += 1) {
      expect(await post(`/q/${await shop.issue(1)}`, PHONE, tried)).toContain('Collected')
    }
    expect(await post(`/q/${await shop.issue(1)}`, PHONE, 30)).toContain('Collected')
  })

  it('refuses a body above 64 KiB and a code of any length', async () => {
    const { shop, visitor } = await openPages()
    const code = await shop.issue(1)
    const large = await visitor().post(`/q/${code}`, { phone: 'x'.repeat(70_000) })
    expect(large.headers.get('location')).toContain('notice=too-large')
    expect((await visitor().get(`/q/${'A'.repeat(5000)}`)).status).toBe(404)
  })
})

describe('languages', () => {
  it('is the chosen one, else the browser’s, else English', async () => {
    const { shop, visitor } = await openPages()
    const path = `/q/${await shop.issue(1250)}`
    const language = async (query: string, accepted: string) => {
      const response = await visitor().get(path + query, { 'accept-language': accepted })
      return /<html lang="(\w+)" dir="(\w+)"/.exec(await response.text())?.slice(1)
    }
    expect(await language('', 'xx, de-AT;q=0.8, en;q=0.7')).toEqual(['de', 'ltr'])
    expect(await language('?lang=ar', 'de')).toEqual(['ar', 'rtl'])
    expect(await language('?lang=<b>', '')).toEqual(['en', 'ltr'])
    expect(await textOf(await visitor().get(`${path}?lang=de`))).toContain('1.250 Punkte')
  })
})
