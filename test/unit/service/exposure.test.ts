import { readFileSync } from 'node:fs'
import { request, type RequestOptions } from 'node:https'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { serveCommand } from '../../../electron/service/cli/serve.ts'
import { listen, type Exposure } from '../../../electron/service/server.ts'

const CERTIFICATES = join(import.meta.dirname, '../../support/certificates')
const pem = (name: string): Buffer => readFileSync(join(CERTIFICATES, `${name}.pem`))

/** A server that answers with the address of who asks. */
const open = async (exposure: Exposure): Promise<string> => {
  const server = await listen({
    port: 0,
    ...exposure,
    openService: () =>
      Promise.resolve({
        fetch: (_request, { address }) => new Response(address),
        close: () => Promise.resolve()
      })
  })
  onTestFinished(() => server.close())
  return server.url
}

const askFrom = async (url: string, forwarded: string): Promise<string> =>
  (await fetch(url, { headers: { 'x-forwarded-for': forwarded } })).text()

it('believes no X-Forwarded-For without a proxy', async () => {
  expect(await askFrom(await open({}), '203.0.113.7')).toBe('127.0.0.1')
})

it('believes what the proxy itself saw, and no other machine', async () => {
  const behind = await open({ proxies: ['127.0.0.1'] })
  expect(await askFrom(behind, '198.51.100.1, 203.0.113.7')).toBe('203.0.113.7')
  expect(await askFrom(behind, '')).toBe('127.0.0.1')
  expect(await askFrom(await open({ proxies: ['192.0.2.1'] }), '203.0.113.7')).toBe('127.0.0.1')
})

it('believes each of several proxies', async () => {
  const behind = await open({ proxies: ['192.0.2.1', '127.0.0.1'] })
  expect(await askFrom(behind, '203.0.113.7')).toBe('203.0.113.7')
})

it('keeps an idle connection of a proxy longer than the proxy does, and of others five seconds', async () => {
  const idle = async (url: string): Promise<string | null> => (await fetch(url)).headers.get('keep-alive')
  expect(await idle(await open({ proxies: ['127.0.0.1'] }))).toBe('timeout=150')
  expect(await idle(await open({}))).toBe('timeout=5')
})

it.each([
  ['2001:db8:1:2::7', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:2:ffff:ffff:ffff:1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:49152', '203.0.113.7'],
  ['[2001:db8:1:2::7]:49152', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::7]', '2001:db8:1:2::/64'],
  ['[::ffff:203.0.113.7]:49152', '203.0.113.7'],
  ['client:49152', 'client'],
  ['not an address', 'not an address']
])('takes %s for one of %s', async (forwarded, expected) => {
  expect(await askFrom(await open({ proxies: ['127.0.0.1'] }), forwarded)).toBe(expected)
})

it('speaks TLS with its certificate', async () => {
  const url = await open({ tls: { cert: pem('trusted.cert'), key: pem('trusted.key') } })
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/api$/)
  const options: RequestOptions = { ca: pem('authority.cert') }
  const answered = await new Promise<number | undefined>((resolve, reject) => {
    request(url, options, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
  expect(answered).toBe(200)
})

it.each([
  [{ listen: '0.0.0.0' }, 'To listen on 0.0.0.0, --tls-cert and --tls-key are needed'],
  [{ listen: 'points.example.com' }, '--listen must be an IP address'],
  [{ 'tls-cert': 'a.pem' }, 'needed together'],
  [{ 'tls-cert': '/no/such', 'tls-key': '/no/such' }, 'cannot be read'],
  [{ listen: '0.0.0.0', 'behind-proxy': 'proxy' }, '--behind-proxy must be an IP address'],
  [{ listen: '0.0.0.0', 'behind-proxy': '192.0.2.1,' }, '--behind-proxy must be an IP address']
])('refuses %j before it listens', async (options: Readonly<Record<string, string>>, sentence) => {
  if (serveCommand.opensItself === true) throw new Error('serve needs a database')
  const input = { option: (name: string) => options[name], now: () => new Date() }
  const run = serveCommand.run as (given: object) => Promise<unknown>
  await expect(run(input)).rejects.toThrow(sentence)
})
