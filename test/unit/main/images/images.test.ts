import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { Images, LogoCache } from '../../../../electron/main/images/images.ts'

/** The beginning of a PNG of 16 × 16 pixels. */
const PNG = pngHeader(16, 16)

let server: Server
let answer: RequestListener
let origin: string
let requests: { path: string; authorization: string | undefined }[]

beforeEach(async () => {
  requests = []
  server = createServer((request, response) => {
    requests.push({ path: request.url ?? '', authorization: request.headers.authorization })
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const keyOf = (path: string | null): string => path?.replace('/image/', '') ?? ''
const openImages = (serviceUrl: string | null = origin) =>
  new Images(
    (request) => fetch(request),
    () => serviceUrl
  )

it('fetches the image of a path once, without the token', async () => {
  answer = (_request, response) => response.end(PNG)
  const images = openImages()
  const key = keyOf(images.path(`${origin}/logo.png`))
  await images.read(key)
  expect(await images.read(key)).toEqual({ bytes: new Uint8Array(PNG), type: 'image/png' })
  expect(requests).toEqual([{ path: '/logo.png', authorization: undefined }])
})

it('finds no picture of another owner of the session', async () => {
  answer = (_request, response) => response.end(PNG)
  let owner = { number: 1 }
  const images = new Images(
    (request) => fetch(request),
    () => origin,
    null,
    () => owner
  )
  const key = keyOf(images.path(`${origin}/avatar.png`))
  expect(await images.read(key)).toBeDefined()
  owner = { number: 2 }
  expect(await images.read(key)).toBeUndefined()
})

it('fetches nothing for an unknown key', async () => {
  expect(await openImages().read('anything')).toBeUndefined()
  expect(requests).toEqual([])
})

it.each(['ftp://shop.example/logo.png', 'http://shop.example/logo.png', 'javascript:alert(1)', 'not a link'])(
  'returns no path for %s',
  (link) => {
    expect(openImages().path(link)).toBeNull()
  }
)

it('rejects content that is not an image, whatever its content type', async () => {
  answer = (_request, response) => response.setHeader('content-type', 'image/png').end('<svg onload="x()"/>')
  const images = openImages()
  expect(await images.read(keyOf(images.path(`${origin}/logo.svg`)))).toBeUndefined()
})

/** Addresses of this machine, as a link may write them, and of any IPv4 address within IPv6 (RFC 4291, 6052, 3056). */
const THIS_MACHINE = [
  'localhost',
  'shop.localhost',
  '127.0.0.1',
  '127.8.9.1',
  '0x7f.1',
  '2130706433',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[64:ff9b::c0a8:101]'
]

/** Addresses of the shop's network, and those that lead nowhere (IANA's special-purpose address registries). */
const SHOP_NETWORK = [
  '10.0.0.1',
  '100.64.0.1',
  '169.254.1.1',
  '172.31.0.1',
  '192.168.1.1',
  '[::ffff:192.168.1.1]',
  '[fd00::1]',
  '[fe80::1]',
  '[fec0::1]',
  '192.0.0.8',
  '198.18.0.1',
  '224.0.0.251',
  '255.255.255.255',
  '[ff02::fb]',
  '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
  '[2001:db8::1]',
  '[100::1]'
]

const INTERNET = ['shop.example', '93.184.216.34', '172.32.0.1', '[2606:2800:220:1:248:1893:25c8:1946]']

const allowedHosts = (serviceUrl: string | null, protocol = 'https'): string[] => {
  const images = openImages(serviceUrl)
  return [...THIS_MACHINE, ...SHOP_NETWORK, ...INTERNET].filter(
    (host) => images.path(`${protocol}://${host}/logo.png`) !== null
  )
}

it.each(['https://loyalty.example', 'https://93.184.216.34', 'https://[2606:2800:220:1::1]', null])(
  'returns no path to this machine or to the network of the shop for the service %s',
  (serviceUrl) => {
    expect(allowedHosts(serviceUrl)).toEqual(INTERNET)
  }
)

it('returns no path to this machine for a service in the network of the shop', () => {
  expect(allowedHosts('https://192.168.1.5')).toEqual([...SHOP_NETWORK, ...INTERNET])
})

it('returns paths to everything for a service on this machine, and to this machine also without encryption', () => {
  expect(allowedHosts('http://localhost:4000')).toEqual([...THIS_MACHINE, ...SHOP_NETWORK, ...INTERNET])
  expect(allowedHosts('http://localhost:4000', 'http')).toEqual(THIS_MACHINE)
})

it('follows no redirect', async () => {
  answer = (request, response) => {
    if (request.url === '/inside') response.end(PNG)
    else response.writeHead(302, { location: '/inside' }).end()
  }
  const images = openImages()
  expect(await images.read(keyOf(images.path(`${origin}/logo.png`)))).toBeUndefined()
  expect(requests.map(({ path }) => path)).toEqual(['/logo.png'])
})

it('asks that no cache keeps an image', async () => {
  const caches: string[] = []
  const images = new Images(
    (request) => {
      caches.push(request.cache)
      return Promise.resolve(new Response(new Uint8Array(PNG)))
    },
    () => origin
  )
  await images.read(keyOf(images.path(`${origin}/avatar.png`)))
  expect(caches).toEqual(['no-store'])
})

const webp = (chunk: string, content: readonly number[]): Buffer =>
  Buffer.concat([Buffer.from(`RIFF....WEBP${chunk}....`), Buffer.from(content)])

it.each([
  ['PNG', pngHeader(20_000, 20_000)],
  ['JPEG', Buffer.from('ffd8ffe000040000ffc00011084e204e2003', 'hex')],
  ['JPEG with fill bytes', Buffer.from('ffd8ffffe000040000ffffc20011084e204e2003', 'hex')],
  ['GIF', Buffer.from('474946383961204e204e0000002c00000000010001000000', 'hex')],
  [
    'GIF with a large frame',
    Buffer.from('47494638396101000100000000' + '21f90400000000' + '00' + '2c00000000204e204e00', 'hex')
  ],
  ['WebP', webp('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, 0xff, 0x3f, 0xff, 0x3f])],
  ['lossless WebP', webp('VP8L', [0x2f, 0xff, 0xff, 0xff, 0x0f])],
  ['extended WebP', webp('VP8X', [0, 0, 0, 0, 0x1f, 0x4e, 0, 0x1f, 0x4e, 0])],
  ['PNG without a header', Buffer.from('89504e470d0a1a0a', 'hex')]
])('rejects a %s that would be too large in memory', async (_name, image) => {
  answer = (_request, response) => response.end(image)
  const images = openImages()
  expect(await images.read(keyOf(images.path(`${origin}/bomb`)))).toBeUndefined()
})

it.each([
  ['image/jpeg', Buffer.from('ffd8ffe000040000ffc0001108001000100300', 'hex')],
  ['image/gif', Buffer.from('474946383961100010000000002c00000000100010000000', 'hex')],
  ['image/webp', webp('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, 16, 0, 16, 0])],
  ['image/webp', webp('VP8L', [0x2f, 15, 0xc0, 3, 0])],
  ['image/webp', webp('VP8X', [0, 0, 0, 0, 15, 0, 0, 15, 0, 0])]
])('accepts a small image of type %s', async (type, image) => {
  answer = (_request, response) => response.end(image)
  const images = openImages()
  expect((await images.read(keyOf(images.path(`${origin}/small`))))?.type).toBe(type)
})

it('rejects an image larger than 1 MB', async () => {
  answer = (_request, response) => response.end(Buffer.concat([PNG, Buffer.alloc(1024 * 1024)]))
  const images = openImages()
  expect(await images.read(keyOf(images.path(`${origin}/huge.png`)))).toBeUndefined()
})

it('tries again at the next read after a failed fetch', async () => {
  answer = (_request, response) => response.writeHead(503).end()
  const images = openImages()
  const key = keyOf(images.path(`${origin}/logo.png`))
  await images.read(key)
  answer = (_request, response) => response.end(PNG)
  expect((await images.read(key))?.type).toBe('image/png')
})

/** Images with a store that contains `before` for every link, and the links that were written to it. */
function imagesWithStore(before: Uint8Array | null) {
  const stored: string[] = []
  const store = { get: () => before, set: (link: string) => Promise.resolve(void stored.push(link)) }
  return {
    images: new Images(
      (request) => fetch(request),
      () => origin,
      store
    ),
    stored
  }
}

it('uses a stored image without a request', async () => {
  const { images, stored } = imagesWithStore(PNG)
  const key = keyOf(images.path(`${origin}/logo.png`))
  expect(await images.read(key)).toEqual({ bytes: new Uint8Array(PNG), type: 'image/png' })
  expect(requests).toEqual([])
  expect(stored).toEqual([])
})

it.each([
  ['a missing image', null],
  ['a damaged image', Buffer.from('half a file')]
])('fetches and stores %s', async (_, before) => {
  answer = (_request, response) => response.end(PNG)
  const { images, stored } = imagesWithStore(before)
  const key = keyOf(images.path(`${origin}/logo.png`))
  expect((await images.read(key))?.type).toBe('image/png')
  expect(stored).toEqual([`${origin}/logo.png`])
})

it('does not store content that is not an image', async () => {
  answer = (_request, response) => response.end('<svg/>')
  const { images, stored } = imagesWithStore(null)
  await images.read(keyOf(images.path(`${origin}/logo.png`)))
  expect(stored).toEqual([])
})

it('replaces the image of a link after a refresh', async () => {
  const other = Buffer.concat([PNG, Buffer.from('other')])
  answer = (_request, response) => response.end(other)
  const { images, stored } = imagesWithStore(PNG)
  const link = `${origin}/logo.png`
  const key = keyOf(images.path(link))
  expect((await images.read(key))?.bytes).toHaveLength(PNG.length)
  await images.refresh(link)
  expect((await images.read(key))?.bytes).toHaveLength(other.length)
  expect(stored).toEqual([link])
})

it('keeps the cached image if a refresh fails', async () => {
  answer = (_request, response) => response.writeHead(503).end()
  const { images } = imagesWithStore(PNG)
  const link = `${origin}/logo.png`
  await images.refresh(link)
  await images.refresh('http://elsewhere.example/logo.png')
  expect((await images.read(keyOf(images.path(link))))?.bytes).toHaveLength(PNG.length)
  expect(requests).toHaveLength(1)
})

/** Images with a store in memory, as the one of the business's logo. */
function imagesWithMemory() {
  const stored = new Map<string, Uint8Array>()
  const store = {
    get: (link: string) => stored.get(link) ?? null,
    set: (link: string, bytes: Uint8Array) => Promise.resolve(void stored.set(link, bytes))
  }
  return {
    images: new Images(
      (request) => fetch(request),
      () => origin,
      store
    ),
    stored
  }
}

it('fetches an image that is not stored once in the background and returns it afterwards', async () => {
  answer = (_request, response) => response.end(PNG)
  const { images, stored } = imagesWithMemory()
  const link = `${origin}/logo.png`
  expect(images.getStored(link)).toBeNull()
  expect(images.getStored(link)).toBeNull()
  await vi.waitFor(() => expect(stored.has(link)).toBe(true))
  expect(images.getStored(link)).toEqual(new Uint8Array(PNG))
  expect(requests).toHaveLength(1)
})

it('fetches an image that is not stored again after a failed fetch', async () => {
  answer = (_request, response) => response.writeHead(503).end()
  const { images } = imagesWithMemory()
  images.getStored(`${origin}/logo.png`)
  await vi.waitFor(() => {
    expect(images.getStored(`${origin}/logo.png`)).toBeNull()
    expect(requests.length).toBeGreaterThan(1)
  })
})

const LINK = 'https://loyalty.example/logo.png'
const LOGO = Uint8Array.of(1, 2, 3)
const OWNER = { businessKey: 'business https://points.example/api/ a', business: { logo: LINK } }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'logo-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

it('returns null for a logo that is not cached', () => {
  expect(new LogoCache(folder, OWNER).get(LINK)).toBeNull()
})

it('keeps no other image than the logo of the business', async () => {
  const logos = new LogoCache(folder, OWNER)
  await logos.set('https://loyalty.example/avatar.png', LOGO)
  expect(logos.get('https://loyalty.example/avatar.png')).toBeNull()
  expect(readdirSync(folder)).toEqual([])
})

it('returns a cached logo', async () => {
  const logos = new LogoCache(folder, OWNER)
  await logos.set(LINK, LOGO)
  expect(logos.get(LINK)).toEqual(LOGO)
})

it('reads the logo from disk after a restart', async () => {
  await new LogoCache(folder, OWNER).set(LINK, LOGO)
  expect(new LogoCache(folder, OWNER).get(LINK)).toEqual(Buffer.from(LOGO))
})

it('keeps the logos of two businesses with the same link apart, and deletes all', async () => {
  const owner = { ...OWNER }
  const open = (): LogoCache => new LogoCache(folder, owner)
  const logos = open()
  await logos.set(LINK, LOGO)
  owner.businessKey = 'business https://points.example/api/ b'
  expect(logos.get(LINK)).toBeNull()
  owner.businessKey = OWNER.businessKey
  expect(open().get(LINK)).toEqual(Buffer.from(LOGO))
  await logos.clear()
  expect(logos.get(LINK)).toBeNull()
  expect(open().get(LINK)).toBeNull()
})

it('keeps the logo in memory if the disk does not take it', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const logos = new LogoCache(join(file, 'logos'), OWNER)
  await logos.set(LINK, LOGO)
  expect(logos.get(LINK)).toBe(LOGO)
})

it('replaces a changed logo in memory and on disk', async () => {
  const logos = new LogoCache(folder, OWNER)
  const changed = Uint8Array.of(4, 5, 6)
  await logos.set(LINK, LOGO)
  await logos.set(LINK, changed)
  expect(logos.get(LINK)).toEqual(changed)
  expect(new LogoCache(folder, OWNER).get(LINK)).toEqual(Buffer.from(changed))
})

/** The signature and the header of a PNG. */
function pngHeader(width: number, height: number): Buffer {
  const bytes = Buffer.from('89504e470d0a1a0a0000000d49484452000000000000000008060000000000', 'hex')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}
