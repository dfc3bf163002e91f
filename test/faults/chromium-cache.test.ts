/** What Chromium's HTTP cache keeps on disk of images that their server allows it to keep. */
import { chromium } from '@playwright/test'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Images } from '../../electron/main/images/images.ts'
import { findChromium } from '../support/chromium.ts'
import { LOOPBACK } from '../support/loopback.ts'
import { scanFolder } from '../support/secret-scanner.ts'

const CACHED = 'marker-of-the-cached-image'
const AVATAR = 'marker-of-the-avatar'

/** The header of a PNG of 16 × 16 pixels, and a text to find it by. */
const png = (marker: string): Buffer =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    Buffer.from('0000001000000010', 'hex'),
    Buffer.from(marker.repeat(20))
  ])

/** Serves a PNG with the marker in the path, for a year. Resolves with the origin. */
async function serveImages(): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('cache-control', 'public, max-age=31536000').end(png(url.slice(1)))
  })
  server.listen(0, LOOPBACK)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://${LOOPBACK}:${String((server.address() as AddressInfo).port)}`
}

it('an avatar stays in no file of the cache', async () => {
  const origin = await serveImages()
  const profile = mkdtempSync(join(tmpdir(), 'cache-'))
  onTestFinished(() => rmSync(profile, { recursive: true, force: true }))
  const executablePath = findChromium()
  const context = await chromium.launchPersistentContext(profile, {
    ...(executablePath !== undefined && { executablePath })
  })
  const page = await context.newPage()
  // A page without an origin has no cache.
  await page.goto(origin)
  const fetchImage = async ({ url, cache }: Request): Promise<Response> => {
    const bytes = await page.evaluate(
      async (sent) => [
        ...new Uint8Array(
          await (await fetch(sent.url, { cache: sent.cache, credentials: 'omit' })).arrayBuffer()
        )
      ],
      { url, cache }
    )
    return new Response(new Uint8Array(bytes))
  }
  const images = new Images(fetchImage, () => true)
  const avatar = await images.read(images.path(`${origin}/${AVATAR}`)?.replace('/image/', '') ?? '')
  expect(avatar?.type).toBe('image/png')
  // Without `no-store` the same server fills the cache, so the search finds what is there.
  await fetchImage(new Request(`${origin}/${CACHED}`))
  await context.close()
  expect(await scanFolder(profile, CACHED)).not.toEqual([])
  expect(await scanFolder(profile, AVATAR)).toEqual([])
})
