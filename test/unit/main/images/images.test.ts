import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { Images, LogoCache } from '../../../../electron/main/images/images.ts'

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

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
const openImages = () => new Images((request) => fetch(request))

it('fetches the image of a path once, without the token', async () => {
  answer = (_request, response) => response.end(PNG)
  const images = openImages()
  const key = keyOf(images.path(`${origin}/logo.png`))
  await images.read(key)
  expect(await images.read(key)).toEqual({ bytes: new Uint8Array(PNG), type: 'image/png' })
  expect(requests).toEqual([{ path: '/logo.png', authorization: undefined }])
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
  const store = { get: () => before, set: (link: string) => void stored.push(link) }
  return { images: new Images((request) => fetch(request), store), stored }
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
    set: (link: string, bytes: Uint8Array) => void stored.set(link, bytes)
  }
  return { images: new Images((request) => fetch(request), store), stored }
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

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'logo-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

it('returns null for a logo that is not cached', () => {
  expect(new LogoCache(folder).get(LINK)).toBeNull()
})

it('returns a cached logo', async () => {
  const logos = new LogoCache(folder)
  await logos.set(LINK, LOGO)
  expect(logos.get(LINK)).toEqual(LOGO)
})

it('reads the logo from disk after a restart', async () => {
  await new LogoCache(folder).set(LINK, LOGO)
  expect(new LogoCache(folder).get(LINK)).toEqual(Buffer.from(LOGO))
})

it('keeps the logo in memory if the disk does not take it', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const logos = new LogoCache(join(file, 'logos'))
  await logos.set(LINK, LOGO)
  expect(logos.get(LINK)).toBe(LOGO)
})

it('replaces a changed logo in memory and on disk', async () => {
  const logos = new LogoCache(folder)
  const changed = Uint8Array.of(4, 5, 6)
  await logos.set(LINK, LOGO)
  await logos.set(LINK, changed)
  expect(logos.get(LINK)).toEqual(changed)
  expect(new LogoCache(folder).get(LINK)).toEqual(Buffer.from(changed))
})
