/** A shop's own service over TLS: behind Caddy with the example of docs/service.md, and with a certificate of its own. */
import { chromium, type Browser, type Page } from '@playwright/test'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps, type RequestOptions } from 'node:https'
import { join } from 'node:path'
import * as v from 'valibot'
import { findChromium } from '../support/chromium.ts'
import { readExample } from '../support/examples.ts'
import { freePort, LOOPBACK } from '../support/loopback.ts'
import { issueCertificate, trustAuthority } from '../support/proxy/authority.ts'
import { Caddy, caddySkipReason } from '../support/proxy/caddy.ts'
import { readSlip } from '../support/read-slip.ts'
import { slipsOf } from './support/bridge.ts'
import { expect, test, type Counter } from './support/fixtures.ts'
import { ShopService } from './support/shop-service.ts'
import type { OpenOptions } from './support/till.ts'

const HOST = 'localhost'
/** Of another phone than the browser's. */
const GUESSER = '127.0.0.2'
/** So many unknown codes may an address open in ten minutes. */
const GUESSES = 30

/** A shop as its tills and customers reach it. */
interface Reached {
  readonly shop: ShopService
  /** such as `https://localhost:8443` */
  readonly origin: string
  /** certificate of the authority that signed the server's, PEM */
  readonly authorityFile: string
}

/** Resolves with the status and the place that a redirect names. */
const ask = async (
  request: typeof requestHttps,
  url: string,
  options: RequestOptions
): Promise<{ readonly status: number | undefined; readonly location: string | undefined }> => {
  const [response] = (await once(request(url, options).end(), 'response')) as [IncomingMessage]
  response.resume()
  return { status: response.statusCode, location: response.headers.location }
}

const openPhone = (env: Readonly<Record<string, string>>): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium() ?? '',
    args: ['--no-sandbox', '--disable-gpu'],
    env: { ...process.env, ...env }
  })

/** A page's cookies, `count` of them, are sent over TLS alone, and not shown to scripts. */
const expectSecureCookies = async (page: Page, count: number): Promise<void> => {
  const cookies = await page.context().cookies()
  const secure = expect.objectContaining({ domain: HOST, secure: true, httpOnly: true })
  expect(cookies).toEqual(Array.from({ length: count }, () => secure as unknown))
}

/** A till issues a slip, a phone collects it, and the owner signs in, while another phone guesses codes. */
const collect = async (
  { shop, origin, authorityFile }: Reached,
  userData: string,
  open: (options: Partial<OpenOptions>) => Promise<Counter>
): Promise<void> => {
  const trusting = await trustAuthority(join(userData, 'home'), authorityFile)
  const ca = await readFile(authorityFile)
  for (let guess = 0; guess <= GUESSES; guess += 1) {
    const code = `0000000000${String(10 + guess)}`
    // What a client says of itself is not believed.
    const headers = { 'x-forwarded-for': `203.0.113.${String(guess)}` }
    const guessing = { ca, localAddress: GUESSER, family: 4, headers }
    const { status } = await ask(requestHttps, `${origin}/q/${code}`, guessing)
    expect(status, `guess ${String(guess)}`).toBe(guess < GUESSES ? 404 : 429)
  }

  const { code: pairingCode } = await shop.run(
    v.object({ code: v.string() }),
    'till',
    'pair',
    '--name',
    'Till 1'
  )
  const till = await open({ env: trusting })
  const { cashier, manager, page } = till
  await manager.connect(origin, pairingCode)
  await expect(page.getByRole('banner')).toContainText('Corner Café')
  await cashier.print(250)
  await expect.poll(async () => (await slipsOf(page))[0]?.state).toBe('printed')
  const [slip] = await slipsOf(page)
  const pdf = await readFile(join(till.userData, 'slips', `${String(slip?.code)}.pdf`))
  const { codes } = await readSlip(new Uint8Array(pdf))
  expect(String(codes[0])).toBe(`${origin}/q/${String(slip?.code)}`)

  const browser = await openPhone(trusting)
  try {
    const phone = await browser.newPage({ locale: 'en-GB' })
    await phone.goto(String(codes[0]))
    await phone.getByLabel('Phone number').fill('690 123 4567')
    await phone.getByRole('button', { name: 'Collect' }).click()
    await expect(phone.getByRole('heading', { name: 'Collected' })).toBeVisible()
    // The device, and the browser that sent the form.
    await expectSecureCookies(phone, 2)
    // The device is known again.
    await phone.getByRole('link', { name: 'My points' }).click()
    await expect(phone.getByRole('main')).toContainText('250')

    const { link } = await shop.run(v.object({ link: v.string() }), 'staff', 'link', '--public-url', origin)
    const owner = await (await browser.newContext({ locale: 'en-GB' })).newPage()
    await owner.goto(link)
    await owner.getByLabel('Your name').fill('Eleni')
    await owner.getByLabel('New password', { exact: true }).fill('a sentence of the owner')
    await owner.getByLabel('New password again').fill('a sentence of the owner')
    await owner.getByRole('button', { name: 'Sign in' }).click()
    await expect(owner).toHaveURL(/\/today\?/)
    await expect(owner.getByRole('main')).toContainText(/Slips collected\s*1\s*250 points/)
    // The session, and that this browser has signed in.
    await expectSecureCookies(owner, 2)
  } finally {
    await browser.close()
  }
}

test('a slip is collected behind Caddy, which leads HTTP to HTTPS', async ({ open, userData }) => {
  test.skip(caddySkipReason() !== null, caddySkipReason() ?? '')
  const [port, httpPort, httpsPort] = [await freePort(), await freePort(), await freePort()]
  const origin = `https://${HOST}:${String(httpsPort)}`
  const service = `${LOOPBACK}:${String(port)}`
  const shop = await ShopService.start(join(userData, 'shop'), [
    ...['--port', String(port), '--public-url', origin, '--behind-proxy', LOOPBACK]
  ])
  const sites = readExample('Caddyfile', { 'points.example.com {': `${HOST} {`, '127.0.0.1:4010': service })
  const caddy = await Caddy.start({ folder: join(userData, 'caddy'), sites, httpPort, httpsPort })
  try {
    const plain = await ask(requestHttp, `http://${LOOPBACK}:${String(httpPort)}/q/1`, {
      headers: { host: HOST }
    })
    expect(plain).toEqual({ status: 308, location: `https://${HOST}/q/1` })
    await collect({ shop, origin, authorityFile: caddy.authorityFile }, userData, open)
  } finally {
    await caddy.stop()
    await shop.close()
  }
})

test('a slip is collected from a service with a certificate of its own, which does not serve HTTP', async ({
  open,
  userData
}) => {
  const folder = join(userData, 'certificates')
  await mkdir(folder)
  const { authority, certificate, key } = await issueCertificate(folder, HOST)
  const port = await freePort()
  const origin = `https://${HOST}:${String(port)}`
  const shop = await ShopService.start(join(userData, 'shop'), [
    ...['--port', String(port), '--public-url', origin],
    ...['--listen', LOOPBACK, '--tls-cert', certificate, '--tls-key', key]
  ])
  try {
    await expect(ask(requestHttp, `http://${LOOPBACK}:${String(port)}/`, {})).rejects.toThrow()
    await collect({ shop, origin, authorityFile: authority }, userData, open)
  } finally {
    await shop.close()
  }
})
