/** What a form leaves: a page that can be loaded again and returned to, in any language, in this browser alone. */
import { expect, it } from 'vitest'
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { DeviceStore } from '../../../../electron/service/store/devices.ts'
import { TYPED } from '../all-forms.ts'
import { openPages, textOf } from './visitor.ts'

const PHONE = '690 123 4567'
const HALF_AN_HOUR_MS = 30 * 60_000

const locationOf = (response: Response): string => response.headers.get('location') ?? ''

const openLinked = async () => {
  const pages = await openPages()
  const { shop, business, visitor } = pages
  const customer = await shop.register('+306901234567', 'Μαρία Παπαδοπούλου')
  const browser = visitor()
  const page = await textOf(await browser.submit(`/me/${business}/link`))
  const digits = /\b(\d{3}) +(\d{3})\b/.exec(page)?.slice(1).join('') ?? ''
  const devices = new DeviceStore({ database: shop.database, now: () => shop.now, random: systemRandomBytes })
  const device = await devices.link(shop.business, customer, digits)
  return { ...pages, customer, browser, devices, device, me: `/me/${business}` }
}

it('answers every form with a page to load, at an address without what was typed', async () => {
  const { shop, visitor, business } = await openPages()
  for (const [path, form] of [
    [`/q/${await shop.issue(1)}`, { phone: '12', name: 'Ζωή' }],
    [`/q/${await shop.issue(1)}`, { phone: PHONE, name: 'Ζωή' }],
    ['/q/000000000000', { phone: PHONE }],
    [`/join/${business}`, { phone: 'x' }],
    [`/join/${business}`, { phone: PHONE }],
    [`/me/${business}/link`, {}],
    [`/me/${business}/unlink`, {}],
    [`/me/${business}/relink`, {}],
    [`/me/${business}/delete`, {}]
  ] as const) {
    const answer = await visitor().post(path, form)
    expect([path, answer.status]).toEqual([path, 303])
    expect(decodeURIComponent(locationOf(answer))).not.toMatch(TYPED)
    expect(locationOf(answer)).not.toMatch(/[?&](?:phone|name)=/)
  }
})

it('shows a refused form with its fault and what was typed, also after a reload and in another language', async () => {
  const { shop, visitor } = await openPages()
  for (const browser of [visitor(), visitor({ keepsCookies: false })]) {
    const path = `/q/${await shop.issue(10)}`
    const location = locationOf(await browser.post(path, { phone: '12', name: 'Ζωή' }))
    for (const [query, sentence] of [
      ['', 'Please check the number'],
      ['&lang=de', 'Bitte prüfen Sie die Nummer']
    ] as const) {
      const page = await (await browser.get(location + query)).text()
      expect(page).toContain('value="12"')
      expect(page).toContain('value="Ζωή"')
      expect(page).toContain(sentence)
      expect(page).toMatch(
        /id="phone"[^>]*aria-describedby="phone-fault phone-hint"[^>]*aria-invalid="true" autofocus/
      )
    }
  }
})

it('has what was typed in the language that is chosen before the form is sent', async () => {
  const { shop, visitor, business } = await openPages()
  for (const path of [`/q/${await shop.issue(10)}`, `/join/${business}`]) {
    const browser = visitor()
    expect(await (await browser.get(path)).text()).toMatch(
      /<button\s+form="typed"\s+name="language"\s+value="de"\s+formnovalidate/
    )
    const page = await browser.submit(path, { phone: '69', name: 'Ζωή', language: 'de' })
    const text = await page.text()
    expect(page.headers.get('content-language')).toBe('de')
    expect(text).toContain('value="69"')
    expect(text).toContain('value="Ζωή"')
    expect(text).not.toContain('aria-invalid=')
  }
})

it('keeps what was typed for half an hour, for this browser, and unreadable in the database', async () => {
  const { shop, visitor } = await openPages()
  const path = `/q/${await shop.issue(10)}`
  const browser = visitor()
  const location = locationOf(await browser.post(path, { phone: '12', name: 'Ζωή' }))
  expect(await (await browser.get(location)).text()).toContain('Ζωή')
  expect(await (await visitor().get(location)).text()).not.toContain('Ζωή')
  const other = visitor()
  await other.post(path, { phone: '34' })
  expect(await (await other.get(location)).text()).not.toContain('Ζωή')
  // At another page it says nothing.
  const query = location.slice(location.indexOf('?'))
  expect(await (await browser.get(`/q/${await shop.issue(10)}${query}`)).text()).not.toContain('Ζωή')
  expect(JSON.stringify(await shop.database.read('SELECT * FROM kept_forms'))).not.toMatch(/Ζωή|"12"/)
  shop.now = new Date(shop.now.getTime() + HALF_AN_HOUR_MS)
  const late = await (await browser.get(location)).text()
  expect(late).not.toContain('Ζωή')
  expect(late).toContain('name="phone"')
})

it('says what was collected after a reload, and without cookies where to see it', async () => {
  const { shop, visitor, business } = await openPages()
  const address = `https://points.example.com/me/${business}`
  for (const keepsCookies of [true, false]) {
    const browser = visitor({ keepsCookies })
    const path = `/q/${await shop.issue(250)}`
    const location = locationOf(await browser.post(path, { phone: PHONE }))
    for (const page of [await browser.get(location), await browser.get(location)]) {
      const text = await textOf(page)
      expect(text).toMatch(/Collected \+250 points They are saved under \+30 690 123 4567/)
      expect(text.includes(`open this address in your browser: ${address}`)).toBe(!keepsCookies)
    }
    const again = await textOf(await browser.get(path))
    expect(again).toContain(keepsCookies ? 'Collected with this phone' : 'If you collected it yourself')
  }
})

it('shows the same digits at each load, and new ones only when theirs have expired', async () => {
  const { shop, visitor, business } = await openPages()
  const browser = visitor()
  const digitsOf = async (page: Response) => /\b\d{3} +\d{3}\b/.exec(await textOf(page))?.[0]
  const answer = await browser.post(`/me/${business}/link`)
  const digits = await digitsOf(await browser.get(locationOf(answer)))
  expect(digits).toMatch(/\d/)
  expect(await digitsOf(await browser.get(locationOf(answer)))).toBe(digits)
  expect(await digitsOf(await browser.submit(`/me/${business}/link`))).toBe(digits)
  shop.now = new Date(shop.now.getTime() + 10 * 60_000)
  expect(await textOf(await browser.get(locationOf(answer)))).toContain('no longer valid')
  expect(await digitsOf(await browser.submit(`/me/${business}/link`))).not.toBe(digits)
})

it('says that a browser without cookies cannot be linked, and in which one it can', async () => {
  const { visitor, business } = await openPages()
  const page = await textOf(await visitor({ keepsCookies: false }).submit(`/me/${business}/link`))
  expect(page).toContain('Open this page in your browser')
  expect(page).toContain(`https://points.example.com/me/${business}`)
  expect(page).not.toMatch(/\d{3} +\d{3}/)
})

it('asks before a phone is unlinked, and takes it back once within ten minutes', async () => {
  const { shop, browser, visitor, devices, customer, device, me } = await openLinked()
  const balance = async () => (await textOf(await browser.get(me))).includes('Balance')
  expect(await (await browser.get(me)).text()).toContain(`href="${me}/unlink?device=${device}"`)
  expect(await textOf(await browser.get(`${me}/unlink?device=${device}`))).toContain('Unlink this phone?')
  expect(await balance()).toBe(true)

  expect(await textOf(await browser.submit(`${me}/unlink`, { device }))).toContain('no longer linked. Undo')
  await visitor().submit(`${me}/relink`, { device })
  expect(await balance()).toBe(false)
  await browser.submit(`${me}/relink`, { device })
  expect(await balance()).toBe(true)

  await browser.submit(`${me}/unlink`, { device })
  shop.now = new Date(shop.now.getTime() + 10 * 60_000)
  await browser.submit(`${me}/relink`, { device })
  expect(await textOf(await browser.get(me))).not.toMatch(/Balance|Undo/)

  // Nor does it take back what staff have done.
  const digits = await devices.offerLink({ id: device, business: shop.business, customer: null })
  await devices.link(shop.business, customer, digits)
  await browser.submit(`${me}/unlink`, { device })
  await devices.unlink(shop.business, customer, device)
  await browser.submit(`${me}/relink`, { device })
  expect(await balance()).toBe(false)
})

it('links another phone of the customer again that was unlinked from this one', async () => {
  const { shop, browser, visitor, devices, customer, me } = await openLinked()
  const lost = visitor()
  await lost.submit(`${me}/link`)
  const page = await textOf(await lost.get(`${me}/link`))
  const digits = /\b(\d{3}) +(\d{3})\b/.exec(page)?.slice(1).join('') ?? ''
  const device = await devices.link(shop.business, customer, digits)
  expect(await textOf(await browser.submit(`${me}/unlink`, { device }))).toContain(
    'other device is no longer'
  )
  await browser.submit(`${me}/relink`, { device })
  expect(await textOf(await lost.get(me))).toContain('Balance')
})

it('names the customer of a linked phone in part, and takes another number', async () => {
  const { shop, browser, customer } = await openLinked()
  const code = await shop.issue(40)
  const page = await (await browser.get(`/q/${code}`)).text()
  expect(page).toContain('Μ. Π. …567')
  expect(page).not.toMatch(/Μαρία|690 ?123/)
  const [, other = ''] = /href="(\/q\/[^"]*other[^"]*)"/.exec(page) ?? []
  const form = await (await browser.get(other)).text()
  expect(form).toContain('name="phone"')
  const collected = await browser.submit(`/q/${code}`, { other: 'yes', phone: '690 765 4321' })
  expect(await textOf(collected)).toContain('saved under +30 690 765 4321')
  expect(await shop.balance(customer)).toBe(0)
})

it('renews the code for the till in a frame, so that the page stays where it is', async () => {
  const { browser, visitor, me } = await openLinked()
  const page = await browser.get(me)
  expect(page.headers.get('refresh')).toBeNull()
  expect(page.headers.get('content-security-policy')).toContain("frame-src 'self'")
  const [, src = ''] = /<iframe[^>]*src="([^"]*)"/.exec(await page.text()) ?? []
  let frame = await browser.get(src)
  for (let renewals = 1; renewals <= 5; renewals += 1) {
    expect(frame.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
    expect(await frame.text()).toContain('class="qr"')
    const [, seconds, next = ''] = /^(\d+); url=(.*)$/.exec(frame.headers.get('refresh') ?? '') ?? []
    expect([renewals, seconds]).toEqual([renewals, '105'])
    frame = await browser.get(next)
  }
  expect(frame.headers.get('refresh')).toBeNull()
  expect(await textOf(frame)).toContain('Show a code for the till')
  expect(await (await visitor().get(src)).text()).not.toContain('class="qr"')
})

it('has a place to type in a code', async () => {
  const { shop, visitor } = await openPages()
  const code = await shop.issue(250)
  for (const path of ['/', '/q']) {
    const page = await visitor().get(path)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('name="code"')])
  }
  const typed = `${code.slice(0, 4)} ${code.slice(4, 8)}-${code.slice(8).toLowerCase()}`
  const answer = await visitor().get(`/?${String(new URLSearchParams({ code: typed, lang: 'de' }))}`)
  expect([answer.status, locationOf(answer)]).toEqual([303, `/q/${code}?lang=de`])
  const unknown = await visitor().follow(await visitor().get('/?code=%3Cb%3E/..%2F'))
  const page = await unknown.text()
  expect([unknown.status, page]).toEqual([404, expect.stringMatching(/name="code"[^>]*aria-invalid="true"/)])
  expect(page).not.toContain('<b>')
})
