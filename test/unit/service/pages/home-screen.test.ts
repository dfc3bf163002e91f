/** W3C Web Application Manifest, and what Chromium asks for to install a page. */
import { PNG } from 'pngjs'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { parseLogo } from '../../../../electron/service/domain/logos.ts'
import { LogoStore } from '../../../../electron/service/store/logos.ts'
import { openPages, ORIGIN } from './visitor.ts'

const colour = v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/))

/** The members that the page has, with the values that the standard allows; unknown ones are mistakes. */
const manifestSchema = v.strictObject({
  id: v.string(),
  name: v.pipe(v.string(), v.nonEmpty()),
  short_name: v.pipe(v.string(), v.nonEmpty()),
  start_url: v.string(),
  scope: v.string(),
  display: v.picklist(['fullscreen', 'standalone', 'minimal-ui']),
  background_color: colour,
  theme_color: colour,
  icons: v.array(
    v.strictObject({
      src: v.string(),
      sizes: v.pipe(v.string(), v.regex(/^(?:\d+x\d+|any)$/)),
      type: v.string()
    })
  )
})

const openManifest = async () => {
  const pages = await openPages()
  const browser = pages.visitor()
  const page = await (await browser.get(`/join/${pages.business}`)).text()
  const [, link = ''] = /<link rel="manifest" href="([^"]+)"/.exec(page) ?? []
  const read = async () => v.parse(manifestSchema, await (await browser.get(link)).json())
  return { ...pages, browser, page, link, read, resolve: (url: string): URL => new URL(url, ORIGIN + link) }
}

it('has a manifest by which Chromium installs the page', async () => {
  const { business, browser, link, read, resolve } = await openManifest()
  expect((await browser.get(link)).headers.get('content-type')).toBe('application/manifest+json')
  const manifest = await read()
  expect(manifest.name).toBe('Corner Café')
  const [start, scope] = [resolve(manifest.start_url), resolve(manifest.scope)]
  expect(start.href).toBe(`${ORIGIN}/me/${business}`)
  expect(resolve(manifest.id).origin).toBe(start.origin)
  // The page that the icon opens, and those that it leads to, are within the scope.
  for (const { pathname } of [start, resolve('/q/ABC'), resolve(`/join/${business}`)])
    expect(pathname.startsWith(scope.pathname)).toBe(true)
  expect((await browser.get(start.pathname)).status).toBe(200)
  expect(manifest.icons.map(({ sizes, type }) => [sizes, type])).toEqual([['any', 'image/svg+xml']])
  expect((await browser.get(manifest.icons[0]?.src ?? '')).headers.get('content-type')).toBe('image/svg+xml')
})

/** 40 × 10 pixels: the upper half is red, the lower half is transparent. */
const wideLogo = () => {
  const png = new PNG({ width: 40, height: 10 })
  for (let at = 0; at < png.data.length; at += 4)
    png.data.set([200, 0, 0, at < png.data.length / 2 ? 255 : 0], at)
  return parseLogo(PNG.sync.write(png))
}

it('has icons of the sizes that the manifest says, and a wide logo of the shop stands on white', async () => {
  const { shop, browser, read } = await openManifest()
  const addresses = new Set<string>()
  const logo = await wideLogo()
  await shop.database.transaction((queries) => new LogoStore(queries).set(shop.business, logo))
  for (const { src, sizes, type } of (await read()).icons) {
    addresses.add(src)
    const icon = await browser.get(src)
    expect(icon.headers.get('content-type')).toBe(type)
    const { width, height, data } = PNG.sync.read(Buffer.from(await icon.arrayBuffer()))
    expect(`${String(width)}x${String(height)}`).toBe(sizes)
    const pixel = (x: number, y: number) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)]
    expect(pixel(0, 0)).toEqual([255, 255, 255])
    expect(pixel(width / 2, height / 2 - 4)).toEqual([200, 0, 0])
    expect(pixel(width / 2, height / 2 + 4)).toEqual([255, 255, 255])
  }
  expect(addresses.size).toBe(2)
})

it('names an icon for iPhones, and has none for a business that does not exist', async () => {
  const { shop, business, page, browser } = await openManifest()
  expect(page).not.toContain('apple-touch-icon')
  const logo = await wideLogo()
  await shop.database.transaction((queries) => new LogoStore(queries).set(shop.business, logo))
  const later = await (await browser.get(`/join/${business}`)).text()
  expect(later).toMatch(/<link rel="apple-touch-icon" href="\/me\/\w+\/icons\/192\.png\?logo=\w+\.png"/)
  for (const path of ['icons/192.png', 'app.webmanifest'])
    expect((await browser.get(`/me/usr_unknown/${path}`)).status).toBe(404)
})
