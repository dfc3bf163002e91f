import { expect, it } from 'vitest'
import * as v from 'valibot'
import { parseCustomerCode } from '../../../../electron/contract/customer-search.ts'
import {
  hashToken,
  newIdentifier,
  newToken,
  systemRandomBytes
} from '../../../../electron/service/domain/identifiers.ts'
import {
  CustomerCodeStore,
  CUSTOMER_CODE_TIME_MS
} from '../../../../electron/service/store/customer-codes.ts'
import { DeviceStore } from '../../../../electron/service/store/devices.ts'
import { TillStore } from '../../../../electron/service/store/tills.ts'
import { openPages, ORIGIN, textOf } from '../pages/visitor.ts'
import { openShop, type Shop } from '../store/shop.ts'

const addTill = async (shop: Shop): Promise<string> => {
  const token = newToken(systemRandomBytes)
  const till = {
    id: newIdentifier('till', systemRandomBytes),
    business: shop.business,
    name: 'Till 1',
    createdAt: shop.now.toISOString()
  }
  await new TillStore(shop.database).add(till, hashToken(token))
  return token
}

/** A shop with a till and the phone of a customer. */
const openCounter = async () => {
  const shop = await openShop()
  const pages = await openPages(shop)
  const dependencies = { database: shop.database, now: () => shop.now, random: systemRandomBytes }
  const customer = await shop.register('+306901234567', 'Μαρία Παπαδοπούλου')
  const devices = new DeviceStore(dependencies)
  const added = devices.create(shop.business)
  await devices.add(added)
  const device = { id: added.id, business: shop.business, customer: null }
  const codes = new CustomerCodeStore(dependencies)
  const token = await addTill(shop)
  const call = async (path: string, body: unknown, by = token) => {
    const response = await pages.fetch(`/ext${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })
    const answer = v.parse(v.looseObject({ code: v.optional(v.string()) }), await response.json())
    return { status: response.status, answer }
  }
  const use = (secret: string, by?: string) => call('/customer-codes', { code: `${ORIGIN}/c/${secret}` }, by)
  return { shop, pages, customer, devices, device, codes, token, call, use }
}

const refused = (status: number, code: string) => ({ status, answer: { code } })

it('lists its extensions after those of training mode', async () => {
  const { pages, token } = await openCounter()
  const account = await pages.fetch('/api/account', { headers: { authorization: `Bearer ${token}` } })
  expect(await account.json()).toMatchObject({
    extensions: [
      'redemptions/1',
      'collections/1',
      'codes/1',
      'credits/1',
      'returns/1',
      'customer-codes/1',
      'devices/1',
      'offline-codes/1',
      'rules/1'
    ]
  })
})

it('gives the customer of a code once, and keeps no secret', async () => {
  const { shop, customer, devices, device, codes, use } = await openCounter()
  await devices.link(shop.business, customer, await devices.offerLink(device))
  const secret = await codes.offer(device)
  expect(JSON.stringify(await shop.database.read('SELECT * FROM customer_codes'))).not.toContain(secret)
  // A scanner may send small letters.
  expect(await use(secret.toLowerCase())).toMatchObject({
    status: 200,
    answer: { id: customer, name: 'Μαρία Παπαδοπούλου', balance: 0 }
  })
  expect(await use(secret)).toMatchObject(refused(409, 'customer-code-used'))
})

it('is used up by one of two tills that scan it at once', async () => {
  const { shop, customer, devices, device, codes, use } = await openCounter()
  const second = await addTill(shop)
  await devices.link(shop.business, customer, await devices.offerLink(device))
  const secret = await codes.offer(device)
  const answers = await Promise.all([use(secret), use(secret, second)])
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
})

it('refuses a code after two minutes, of another business, of an unlinked phone, and what is no code', async () => {
  const { shop, pages, customer, devices, device, codes, call, use } = await openCounter()
  const digits = await devices.offerLink(device)
  await devices.link(shop.business, customer, digits)
  const late = await codes.offer(device)
  shop.now = new Date(shop.now.getTime() + CUSTOMER_CODE_TIME_MS)
  expect(await use(late)).toMatchObject(refused(409, 'customer-code-expired'))
  const foreign = await codes.offer(device)
  const other = await addTill(await pages.addShop())
  expect(await use(foreign, other)).toMatchObject(refused(404, 'customer-code-unknown'))
  await devices.unlink(shop.business, customer, device.id)
  expect(await use(foreign)).toMatchObject(refused(404, 'customer-code-unknown'))
  for (const code of ['+306901234567', `${ORIGIN}/q/7QK2M0ZC4T9A`]) {
    expect(await call('/customer-codes', { code })).toMatchObject(refused(404, 'customer-code-unknown'))
  }
  expect(await call('/customer-codes', {})).toMatchObject(refused(400, 'body-malformed'))
})

it('keeps few codes of a device, and forgets them after a day', async () => {
  const { shop, device, codes } = await openCounter()
  for (let count = 0; count < 9; count += 1) {
    shop.now = new Date(shop.now.getTime() + 1000)
    await codes.offer(device)
  }
  const kept = () => shop.database.read('SELECT hash FROM customer_codes')
  expect(await kept()).toHaveLength(5)
  shop.now = new Date(shop.now.getTime() + 25 * 60 * 60_000)
  await codes.clean()
  expect(await kept()).toHaveLength(0)
})

it('links the phone that shows the digits, with spaces or without', async () => {
  const { shop, customer, devices, device, call } = await openCounter()
  const digits = await devices.offerLink(device)
  expect(await call('/devices', { customer: 'cus_none', digits })).toMatchObject(
    refused(404, 'customer-unknown')
  )
  const spaced = `${digits.slice(0, 3)} ${digits.slice(3)}`
  expect(await call('/devices', { customer, digits: spaced })).toMatchObject({
    status: 200,
    answer: { device: device.id, customer }
  })
  expect((await shop.identities.export(shop.business, customer))?.devices).toMatchObject([{ id: device.id }])
  const other = await shop.register('+306940000002')
  expect(await call('/devices', { customer: other, digits })).toMatchObject(refused(404, 'digits-unknown'))
})

it('lets a till try 20 digits in ten minutes', async () => {
  const { shop, customer, devices, device, call } = await openCounter()
  const digits = await devices.offerLink(device)
  const wrong = digits === '000000' ? '000001' : '000000'
  for (let count = 0; count < 20; count += 1) {
    expect(await call('/devices', { customer, digits: wrong })).toMatchObject(refused(404, 'digits-unknown'))
  }
  expect(await call('/devices', { customer, digits })).toMatchObject(refused(429, 'attempts-too-many'))
  shop.now = new Date(shop.now.getTime() + 10 * 60_000)
  const fresh = await devices.offerLink(device)
  expect((await call('/devices', { customer, digits: fresh })).status).toBe(200)
})

it('shows a code on the page of a linked phone, which renews it for ten minutes', async () => {
  const { shop, pages, customer, devices } = await openCounter()
  const phone = pages.visitor()
  const me = `/me/${pages.business}`
  const shown = async (path: string) => {
    const page = await phone.get(path)
    return { refresh: page.headers.get('refresh'), text: await textOf(page.clone()), html: await page.text() }
  }
  const offered = await textOf(await phone.submit(`${me}/link`))
  expect((await shown(me)).html).not.toContain('<iframe')
  const digits = /\b(\d{3}) +(\d{3})\b/.exec(offered)?.slice(1).join('') ?? ''
  await devices.link(shop.business, customer, digits)
  const page = await shown(`${me}?lang=en`)
  expect(page.text).toContain('within two minutes')
  let next = /<iframe[^>]* src="([^"]+)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&')
  let codes = 0
  while (next !== undefined) {
    const frame = await shown(next)
    next = /^105; url=(\S+)$/.exec(frame.refresh ?? '')?.[1]
    if (next === undefined) expect(frame.text).toContain('Show a code for the till')
    else expect(frame.html).toContain('class="qr"')
    codes += next === undefined ? 0 : 1
    expect(codes).toBeLessThan(10)
  }
  expect(codes).toBe(5)
})

it('reads a customer code in any case, and nothing else', () => {
  const secret = '4K7Q2M0ZC4T9AX3BD7QK2M0ZC4'
  expect(parseCustomerCode(`HTTPS://POINTS.EXAMPLE.COM:8443/C/${secret}`)).toBe(secret)
  expect(parseCustomerCode(` https://points.example.com/c/${secret.toLowerCase()} `)).toBe(secret)
  for (const text of [
    secret,
    `https://a/c/${secret}0`,
    `https://a/c/${secret}?x`,
    `https://a/q/${secret}`,
    `a/c/${secret}`
  ])
    expect(parseCustomerCode(text)).toBeNull()
})
