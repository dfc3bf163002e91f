/**
 * Sign-ins of strangers, whose passwords take a third of a second each to compare, and guessed codes from the shop's own
 * address: a member signs in there in a new browser, and a customer collects. The times of both are printed.
 */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { ServiceProgram } from './program.ts'

const PUBLIC_URL = 'https://points.example.com'
const PASSWORD = 'coffee with milk'
const ADDRESSES = 200
const SIGN_INS = 2000
const WRONG_CODES = 1000
/** Wrong codes that an address may type in until it waits. */
const ALLOWED = 30
/** Sent one after the other: a listening socket has no room for the connections of all at once. */
const LOTS = 20
/** Of the shop, its guests and the one who guesses. */
const SHOP = '203.0.113.9'

const program = new ServiceProgram()

/** Returns the numbers below `count` that are in a lot. */
const lotOf = (count: number, lot: number): readonly number[] =>
  Array.from({ length: count / LOTS }, (_, index) => (lot * count) / LOTS + index)

/** Returns what a promise resolves with, and how long that took. */
const timed = async <T>(awaited: Promise<T>) => {
  const start = performance.now()
  return { result: await awaited, ms: performance.now() - start }
}

it('signs a member in before the sign-ins that 200 addresses have sent earlier, and lets a customer collect', async () => {
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

  const pairing = await program.json(v.object({ code: v.string() }), 'till', 'pair', '--name', 'Till 1')
  const call = async (path: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body) })
    return v.parse(v.unknown(), await answer.json())
  }
  const { token } = v.parse(v.object({ token: v.string() }), await call('/pair', pairing))
  const { code } = v.parse(v.object({ code: v.string() }), await call('/api/qr', { points: 5 }, token))

  let compared = 0
  const { promise: flooded, resolve } = Promise.withResolvers<undefined>()
  const signInAsStranger = async (index: number): Promise<void> => {
    const form = { name: `Name ${String(index)}`, password: 'x' }
    await post(signIn, `198.51.100.${String(index % ADDRESSES)}`, form)
    compared += 1
    resolve(undefined)
  }
  const guess = async (index: number): Promise<number> => {
    const headers = { 'x-forwarded-for': SHOP }
    const answer = await fetch(new URL(`/q/00000000${String(1000 + index)}`, url), { headers })
    await answer.text()
    return answer.status
  }
  const flood: Promise<void>[] = []
  const guesses: number[] = []
  for (let lot = 0; lot < LOTS; lot += 1) {
    flood.push(...lotOf(SIGN_INS, lot).map(signInAsStranger))
    guesses.push(...(await Promise.all(lotOf(WRONG_CODES, lot).map(guess))))
  }
  expect(guesses.filter((status) => status === 404)).toHaveLength(ALLOWED)
  expect(guesses.filter((status) => status === 429)).toHaveLength(WRONG_CODES - ALLOWED)
  await flooded
  const before = compared
  const collecting = await timed(post(`/q/${code}`, SHOP, { phone: '+306940000001', name: 'Zoé' }))
  const signingIn = await timed(post(signIn, SHOP, { name: 'Ana', password: PASSWORD }))
  expect(signingIn.result).toMatch(/today/)
  // In turns of the addresses it would be behind the first sign-in of each.
  expect(compared - before).toBeLessThan(ADDRESSES / 2)
  const waiting = SIGN_INS - compared
  server.kill('SIGKILL')
  await Promise.allSettled(flood)
  const shown = await program.json(v.object({ status: v.string() }), 'code', 'show', code)
  expect(shown.status).toBe('used')
  process.stdout.write(
    `collected after ${collecting.ms.toFixed(0)} ms and signed in after ${signingIn.ms.toFixed(0)} ms, before ${String(waiting)} who wait\n`
  )
})
