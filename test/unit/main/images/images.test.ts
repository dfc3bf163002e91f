import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createImages } from '../../../../electron/main/images/images.ts'

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

const keyOf = (path: string | null): string => path?.replace('/picture/', '') ?? ''
const pictures = () => createImages((request) => fetch(request))

it('gives the picture behind a path that it handed out, fetched once and without a token', async () => {
  answer = (_request, response) => response.end(PNG)
  const own = pictures()
  const key = keyOf(own.path(`${origin}/logo.png`))
  await own.read(key)
  expect(await own.read(key)).toEqual({ bytes: new Uint8Array(PNG), type: 'image/png' })
  expect(requests).toEqual([{ path: '/logo.png', authorization: undefined }])
})

it('fetches nothing that it did not hand out', async () => {
  expect(await pictures().read('anything')).toBeUndefined()
  expect(requests).toEqual([])
})

it.each(['ftp://shop.example/logo.png', 'http://shop.example/logo.png', 'javascript:alert(1)', 'not a link'])(
  'hands out no path for %s',
  (link) => {
    expect(pictures().path(link)).toBeNull()
  }
)

it('shows nothing that is no picture, whatever its content type says', async () => {
  answer = (_request, response) => response.setHeader('content-type', 'image/png').end('<svg onload="x()"/>')
  const own = pictures()
  expect(await own.read(keyOf(own.path(`${origin}/logo.svg`)))).toBeUndefined()
})

it('stops reading a picture that is larger than a megabyte', async () => {
  answer = (_request, response) => response.end(Buffer.concat([PNG, Buffer.alloc(1024 * 1024)]))
  const own = pictures()
  expect(await own.read(keyOf(own.path(`${origin}/huge.png`)))).toBeUndefined()
})

it('tries again at the next look when the service did not answer', async () => {
  answer = (_request, response) => response.writeHead(503).end()
  const own = pictures()
  const key = keyOf(own.path(`${origin}/logo.png`))
  await own.read(key)
  answer = (_request, response) => response.end(PNG)
  expect((await own.read(key))?.type).toBe('image/png')
})

/** Images of which one link's is on the disk, and what was to be kept there. */
function onDisk(before: Uint8Array | null) {
  const kept: string[] = []
  const disk = { kept: () => before, keep: (link: string) => void kept.push(link) }
  return { pictures: createImages((request) => fetch(request), disk), kept }
}

it('shows what is on the disk without asking anybody', async () => {
  const { pictures: own, kept } = onDisk(PNG)
  const key = keyOf(own.path(`${origin}/logo.png`))
  expect(await own.read(key)).toEqual({ bytes: new Uint8Array(PNG), type: 'image/png' })
  expect([requests, kept]).toEqual([[], []])
})

it.each([
  ['what is not there', null],
  ['what is no picture there', Buffer.from('half a file')]
])('fetches %s, and has it kept', async (_, before) => {
  answer = (_request, response) => response.end(PNG)
  const { pictures: own, kept } = onDisk(before)
  const key = keyOf(own.path(`${origin}/logo.png`))
  expect((await own.read(key))?.type).toBe('image/png')
  expect(kept).toEqual([`${origin}/logo.png`])
})

it('has nothing kept that is no picture', async () => {
  answer = (_request, response) => response.end('<svg/>')
  const { pictures: own, kept } = onDisk(null)
  await own.read(keyOf(own.path(`${origin}/logo.png`)))
  expect(kept).toEqual([])
})

it('shows another picture behind the same link once it was renewed', async () => {
  const other = Buffer.concat([PNG, Buffer.from('other')])
  answer = (_request, response) => response.end(other)
  const { pictures: own, kept } = onDisk(PNG)
  const link = `${origin}/logo.png`
  const key = keyOf(own.path(link))
  expect((await own.read(key))?.bytes).toHaveLength(PNG.length)
  await own.renew(link)
  expect((await own.read(key))?.bytes).toHaveLength(other.length)
  expect(kept).toEqual([link])
})

it('shows what it had where renewing fails', async () => {
  answer = (_request, response) => response.writeHead(503).end()
  const { pictures: own } = onDisk(PNG)
  const link = `${origin}/logo.png`
  await own.renew(link)
  await own.renew('http://elsewhere.example/logo.png')
  expect((await own.read(keyOf(own.path(link))))?.bytes).toHaveLength(PNG.length)
  expect(requests).toHaveLength(1)
})
