/** Sign-ins of strangers, whose passwords take a third of a second each to compare, and a member in a new browser. */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { ServiceProgram } from './program.ts'

const PUBLIC_URL = 'https://points.example.com'
const PASSWORD = 'coffee with milk'
const ADDRESSES = 200
const SIGN_INS = 2000

const program = new ServiceProgram()

it('signs a member in before the sign-ins that 200 addresses have sent earlier', async () => {
  await program.run('init')
  const flags = ['--port', '0', '--public-url', PUBLIC_URL, '--behind-proxy', '127.0.0.1', '--json']
  const server = program.start(['serve', ...flags, '--data', program.data])
  const [line] = v.parse(v.tuple([v.string()]), await once(createInterface(server.stdout), 'line'))
  const started = v.object({ url: v.string(), links: v.tuple([v.string()]) })
  const { url, links } = v.parse(started, JSON.parse(line))
  const post = async (path: string, address: string, form: Readonly<Record<string, string>>) => {
    const answer = await fetch(new URL(path, url), {
      headers: { origin: PUBLIC_URL, 'x-forwarded-for': address },
      redirect: 'manual',
      method: 'POST',
      body: new URLSearchParams(form)
    })
    return answer.headers.get('location') ?? ''
  }
  const welcome = { shop: 'Corner Café', place: 'GR Europe/Athens', name: 'Ana' }
  const chosen = { ...welcome, password: PASSWORD, repeated: PASSWORD }
  const home = await post(new URL(links[0]).pathname, '203.0.113.8', chosen)
  const signIn = home.replace(/\/today.*$/, '/sign-in')

  let compared = 0
  const { promise: flooded, resolve } = Promise.withResolvers<undefined>()
  const flood = Array.from({ length: SIGN_INS }, async (_, index) => {
    const form = { name: `Name ${String(index)}`, password: 'x' }
    await post(signIn, `198.51.100.${String(index % ADDRESSES)}`, form)
    compared += 1
    resolve(undefined)
  })
  const ended = Promise.allSettled(flood)
  await flooded
  const before = compared
  expect(await post(signIn, '203.0.113.9', { name: 'Ana', password: PASSWORD })).toMatch(/today/)
  // In turns of the addresses it would be behind the first sign-in of each.
  expect(compared - before).toBeLessThan(ADDRESSES / 2)
  server.kill('SIGKILL')
  await ended
})
