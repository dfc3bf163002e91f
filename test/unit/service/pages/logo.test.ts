import { PNG } from 'pngjs'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { hashToken } from '../../../../electron/service/domain/identifiers.ts'
import { parseLogo } from '../../../../electron/service/domain/logos.ts'
import { LogoStore } from '../../../../electron/service/store/logos.ts'
import { TillStore } from '../../../../electron/service/store/tills.ts'
import { openPages, ORIGIN } from './visitor.ts'

it('is on the pages, in the business answer and behind its link, while the business has one', async () => {
  const { shop, business, visitor } = await openPages()
  const till = { id: 'till_1', business: shop.business, name: 'Till 1', createdAt: shop.now.toISOString() }
  await new TillStore(shop.database).add(till, hashToken('token'))
  const set = (size: number | null) =>
    shop.database.transaction(async (queries) => {
      const logo =
        size === null ? null : await parseLogo(PNG.sync.write(new PNG({ width: size, height: size })))
      await new LogoStore(queries).set(shop.business, logo)
    })
  const browser = visitor()
  const linkOfAccount = async (): Promise<string> => {
    const answer = await browser.get('/api/account', { authorization: 'Bearer token' })
    return v.parse(v.object({ logo: v.string() }), await answer.json()).logo
  }
  const page = async () => (await browser.get(`/join/${business}`)).text()
  expect(await linkOfAccount()).toBe('')
  expect(await page()).not.toContain('<img')
  const [, icon = ''] = /<link rel="icon" href="([^"]+)"/.exec(await page()) ?? []
  const initials = await browser.get(icon)
  expect(initials.headers.get('content-type')).toBe('image/svg+xml')
  expect(await initials.text()).toContain('>CC</text>')
  expect((await browser.get('/images/logo.png')).status).toBe(404)

  await set(8)
  const link = await linkOfAccount()
  const path = link.replace(ORIGIN, '')
  expect(path).toMatch(/^\/images\/logos\/[0-9a-f]{32}\.png$/)
  expect(await page()).toContain(`<img src="${path}"`)
  expect(await (await browser.get(`/me/${business}/app.webmanifest`)).text()).toContain(
    path.replace('/images/logos/', '')
  )
  const sent = await browser.get(path)
  expect(sent.headers.get('content-type')).toBe('image/png')
  expect(sent.headers.get('x-content-type-options')).toBe('nosniff')
  expect(PNG.sync.read(Buffer.from(await sent.arrayBuffer())).width).toBe(8)

  await set(9)
  expect(await linkOfAccount()).not.toBe(link)
  expect((await browser.get(path)).status).toBe(404)
  await set(null)
  expect(await linkOfAccount()).toBe('')
  expect(await shop.database.read('SELECT name FROM logos')).toEqual([])
})
