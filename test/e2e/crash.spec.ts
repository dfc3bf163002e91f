import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readSlip } from '../support/read-slip.ts'
import { FULL } from '../support/size.ts'
import type { Slip } from '../../electron/contract/slips.ts'
import { expect, test } from './support/fixtures.ts'

/** How often the till is killed; `test/crash/` kills the service of the slips alone, and many times more. */
const KILLS = Number(process.env['CRASH_KILLS'] ?? (FULL ? 12 : 3))
/** Seeds the moments, so that a red run can be run again. */
const SEED = Number(process.env['CRASH_SEED'] ?? 20_261_121)

// With the project's own service the till asks again with the key, in `keyed-codes.spec.ts`.
test.use({ isVendors: true })

/** Numbers from 0 to 1 that look random (mulberry32). */
const random = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

test('repeated kills while issuing lose no code, repeat no request and print nothing else', async ({
  openConnected,
  network,
  userData
}) => {
  test.setTimeout(180_000)
  const next = random(SEED)
  const requests = (): number => network.seen.filter(({ method }) => method === 'POST').length
  // The first slip makes the folder.
  const pdfs = async (): Promise<string[]> =>
    (await readdir(join(userData, 'till/slips')).catch(() => [])).filter((name) => name.endsWith('.pdf'))
  let points = 1
  for (let kill = 0; kill < KILLS; kill += 1) {
    const till = await openConnected()
    await expect(till.cashier.search).toBeFocused()
    const before = requests()
    // Each intent asks for points of its own, so that a repeated request shows on the wire.
    await till.page.evaluate((first) => {
      for (let offset = 0; offset < 40; offset += 1) {
        void window.tillpoints?.slips
          .issue({ intentId: crypto.randomUUID(), points: first + offset, customer: null })
          .catch(() => undefined)
      }
    }, points)
    points += 40
    // Every second time something of it has reached the service, on a slow machine too.
    if (kill % 2 === 1) await expect.poll(requests).not.toBe(before)
    // The first slip of a start waits for the process that renders it. The last time some are printed before the kill.
    if (kill === KILLS - 1) await expect.poll(pdfs).not.toEqual([])
    else await till.page.waitForTimeout(next() * 1200)
    await till.kill()
  }

  const till = await openConnected()
  await expect(till.cashier.search).toBeFocused()
  const rows: Slip[] = []
  for (let more = true; more;) {
    const page = await till.page.evaluate((offset) => window.tillpoints?.slips.list({ offset }), rows.length)
    if (!page?.ok) throw new Error('The journal cannot be read')
    rows.push(...page.value.slips)
    more = page.value.hasMore
  }

  // Of a request that a kill cut in two the service never knows the body.
  const sent = network.seen.filter((each) => each.method === 'POST' && each.isWhole).map(({ body }) => body)
  expect(sent.length).toBeGreaterThanOrEqual(KILLS / 2)
  expect(new Set(sent).size, 'no request was repeated').toBe(sent.length)

  const known = new Set(rows.map((row) => JSON.stringify({ points: row.points })))
  expect(
    sent.filter((body) => !known.has(body)),
    'every request has its row'
  ).toEqual([])
  expect(rows.map(({ state }) => state)).not.toContain('requested')

  const files = await pdfs()
  const urls = new Map(rows.flatMap(({ code, url }) => (code && url ? [[`${code}.pdf`, url]] : [])))
  expect(
    files.filter((name) => !urls.has(name)),
    'nothing was printed that was not issued'
  ).toEqual([])
  const printed = rows.filter(({ state }) => state === 'printed').map(({ code }) => `${code ?? ''}.pdf`)
  expect(
    printed.filter((name) => !files.includes(name)),
    'what is called printed is there'
  ).toEqual([])
  for (const name of files.slice(0, 10)) {
    const { codes } = await readSlip(new Uint8Array(await readFile(join(userData, 'till/slips', name))))
    expect(codes).toEqual([urls.get(name)])
  }
})
