/** What Chromium's HTTP cache keeps on disk of responses that their server allows it to keep. */
import { chromium } from '@playwright/test'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import { Images } from '../../electron/main/images/images.ts'
import { findChromium } from '../support/chromium.ts'
import { LOOPBACK } from '../support/loopback.ts'
import { scanFolder } from '../support/secret-scanner.ts'

const CACHED = 'marker-of-the-cached-image'
const AVATAR = 'marker-of-the-avatar'
const RESPONSE = 'marker-of-a-response-of-the-service'

/** The header of a PNG of 16 × 16 pixels, and a text to find it by. */
const png = (marker: string): Buffer =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    Buffer.from('0000001000000010', 'hex'),
    Buffer.from(marker.repeat(20))
  ])

/** Serves PNGs with the marker in their path, and JSON of the service, for a year. Resolves with the origin. */
async function serveForever(): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    response
      .setHeader('cache-control', 'public, max-age=31536000')
      .end(url.startsWith('/api') ? JSON.stringify({ name: RESPONSE }) : png(url.slice(1)))
  })
  server.listen(0, LOOPBACK)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://${LOOPBACK}:${String((server.address() as AddressInfo).port)}`
}

it('an avatar and a response of the service stay in no file of the cache', async () => {
  const origin = await serveForever()
  const profile = mkdtempSync(join(tmpdir(), 'cache-'))
  onTestFinished(() => rmSync(profile, { recursive: true, force: true }))
  const executablePath = findChromium()
  const context = await chromium.launchPersistentContext(profile, {
    ...(executablePath !== undefined && { executablePath })
  })
  const page = await context.newPage()
  // A page without an origin has no cache.
  await page.goto(origin)
  const fetchInPage = async ({ url, cache, headers }: Request): Promise<Response> => {
    const bytes = await page.evaluate(
      async ({ url, ...init }) => [...new Uint8Array(await (await fetch(url, init)).arrayBuffer())],
      { url, cache, headers: [...headers] as [string, string][], credentials: 'omit' as const }
    )
    return new Response(new Uint8Array(bytes))
  }
  const images = new Images(fetchInPage, () => origin)
  const avatar = await images.read(images.path(`${origin}/${AVATAR}`)?.replace('/image/', '') ?? '')
  expect(avatar?.type).toBe('image/png')
  const client = new LoyaltyClient({
    baseUrl: `${origin}/api`,
    token: 'demo',
    fetch: fetchInPage,
    languages: { screen: 'en' }
  })
  await client.account()
  // Without `no-store` the same server fills the cache, so the search finds what is there.
  await fetchInPage(new Request(`${origin}/${CACHED}`))
  await context.close()
  expect(await scanFolder(profile, CACHED)).not.toEqual([])
  expect(await scanFolder(profile, AVATAR)).toEqual([])
  expect(await scanFolder(profile, RESPONSE)).toEqual([])
})
