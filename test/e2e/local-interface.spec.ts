/** The local interface of the built till: a program that is paired, issues and is removed; and a till that does not listen. */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Bridge } from '../../electron/contract/bridge.ts'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { openInterfaceClient, readEvents, send } from '../support/interface-client.ts'
import { freePort } from '../support/loopback.ts'
import { encodingsIn, scanFolder } from '../support/secret-scanner.ts'
import { changeSettings, slipsOf, stateOf } from './support/bridge.ts'
import { expect, test, type Counter } from './support/fixtures.ts'
import { heapStrings } from './support/heap.ts'

const [known] = KNOWN_CUSTOMERS

/** Enables the interface, and resolves with its port when the till listens. */
async function enable(page: Page): Promise<number> {
  const port = await freePort()
  await changeSettings(page, { localInterface: { enabled: true, port } })
  await expect.poll(async () => (await stateOf(page)).localInterface).toMatchObject({ listeningPort: port })
  return port
}

/** Makes a pairing code, as the manager does in the settings. */
async function pairingCode(page: Page): Promise<string> {
  const made = await page.evaluate(() => window.tillpoints?.localInterface.startPairing())
  if (made?.ok !== true) throw new Error('No pairing code')
  return made.value.code
}

type Lock = Bridge['staff']['setManagerPin']

/** Makes the till lockable, and locks it. */
async function lock(page: Page): Promise<void> {
  const pin: Parameters<Lock>[0] = { current: null, pin: '471108154711' }
  await page.evaluate((given) => window.tillpoints?.staff.setManagerPin(given), pin)
  await page.evaluate(() => window.tillpoints?.staff.lock())
}

async function open(openConnected: () => Promise<Counter>) {
  const till = await openConnected()
  const port = await enable(till.page)
  const client = await openInterfaceClient(port)
  return { ...till, port, pos: await client.pair(await pairingCode(till.page), 'Shop POS') }
}

/** Returns the number of codes that were requested. */
const posts = (seen: readonly { method: string; path: string }[]): number =>
  seen.filter(({ method, path }) => method === 'POST' && path === '/ext/codes').length

test('a program issues by points and by amount, reprints, follows its slips, and is removed', async ({
  openConnected,
  network
}) => {
  const { page, port, pos, userData, app } = await open(openConnected)
  const said: string[] = []
  for (const stream of [app.process().stdout, app.process().stderr])
    stream?.on('data', (chunk) => said.push(String(chunk)))
  const stream = readEvents(port, pos.token)
  await expect.poll(stream.comments).toBe(1)

  const byPoints = await pos.post('/v1/slips', { reference: 'R-1', points: 25, deliver: 'return' })
  expect([byPoints.status, byPoints.body]).toMatchObject([201, { mode: 'live', state: 'given', points: 25 }])
  expect(byPoints.body.receipt?.text).toContain(byPoints.body.code)
  await changeSettings(page, {
    pointsRule: { pointsPerUnit: '2', rounding: 'down', minimum: '0', currency: 'EUR' }
  })
  const byAmount = await pos.post('/v1/slips', {
    reference: 'R-2',
    amount: '12.50',
    currency: 'EUR',
    customer: { phone: known.phone },
    deliver: 'print'
  })
  expect([byAmount.status, byAmount.body]).toMatchObject([
    201,
    { points: 25, customer: { name: known.name } }
  ])
  const printed = async () => (await pos.get('/v1/slips/R-2')).body.state
  await expect.poll(printed, { intervals: [500] }).toBe('saved')
  const nobody = { reference: 'R-3', points: 5, customer: { phone: '+306909999999' }, deliver: 'return' }
  expect((await pos.post('/v1/slips', nobody)).body.error).toBe('customer-unknown')
  const other = await pos.post('/v1/slips', { reference: 'R-1', points: 26, deliver: 'return' })
  expect([other.status, other.body.error]).toEqual([409, 'reference-differs'])
  const reprinted = await pos.post('/v1/slips/R-2/reprint', {})
  expect([reprinted.status, reprinted.body]).toMatchObject([200, { copies: 1 }])
  expect(posts(network.seen)).toBe(2)

  await expect
    .poll(() => stream.events.map(({ reference, state }) => `${String(reference)} ${String(state)}`))
    .toEqual(
      expect.arrayContaining(['R-1 requested', 'R-1 issued', 'R-1 given', 'R-2 printing', 'R-2 saved'])
    )
  const [newest] = await slipsOf(page)
  expect(newest).toMatchObject({ caller: { name: 'Shop POS' }, reference: 'R-2' })

  const { localInterface } = await stateOf(page)
  expect(localInterface.callers).toMatchObject([{ name: 'Shop POS', id: pos.id }])
  await page.evaluate((id) => window.tillpoints?.localInterface.removeCaller({ id }), pos.id)
  await expect.poll(stream.isClosed).toBe(true)
  expect((await pos.post('/v1/slips', { reference: 'R-4', points: 5, deliver: 'return' })).status).toBe(401)
  expect(posts(network.seen)).toBe(2)

  // The token is the program's own.
  expect(await scanFolder(userData, pos.token)).toEqual([])
  expect(encodingsIn((await heapStrings(page)).join('\n'), pos.token)).toEqual([])
  expect(encodingsIn(said.join(''), pos.token)).toEqual([])
  // The search finds what it looks for.
  expect(await scanFolder(userData, pos.id)).not.toEqual([])
})

test('a locked till answers 423, a lost response 202, too many requests 429', async ({
  openConnected,
  network
}) => {
  const { page, port, pos } = await open(openConnected)
  network.fail('lose-answer', 'POST')
  const lost = await pos.post('/v1/slips', { reference: 'R-1', points: 25, deliver: 'return' })
  expect([lost.status, lost.body.state]).toEqual([202, 'unknown'])
  network.fail('pass')
  // Asked again with its key, the service answers with the first code.
  const again = await pos.post('/v1/slips', { reference: 'R-1', points: 25, deliver: 'return' })
  expect([again.status, again.body.state]).toEqual([200, 'given'])
  expect((await pos.get('/v1/status')).body).toMatchObject({ needsAttention: 0 })
  const keys = network.seen.flatMap(({ headers }) => headers['idempotency-key'] ?? [])
  expect(new Set(keys).size).toBe(1)

  await lock(page)
  const bill = { reference: 'R-2', points: 5, deliver: 'return' }
  const locked = await pos.post('/v1/slips', bill)
  expect([locked.status, locked.body.error]).toEqual([423, 'locked'])
  await page.evaluate(() => window.tillpoints?.staff.unlockManager({ pin: '471108154711' }))
  await page.evaluate(
    (id) => window.tillpoints?.localInterface.setCaller({ id, mayIssueWhileLocked: true }),
    pos.id
  )
  await page.evaluate(() => window.tillpoints?.staff.lock())
  expect((await pos.post('/v1/slips', bill)).status).toBe(201)

  const retryAfter = async (): Promise<unknown> => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => send(port, { path: '/v1/status', token: pos.token }))
    )
    return answers.find(({ status }) => status === 429)?.headers['retry-after']
  }
  // A slow machine may take longer for thirty requests than the second that they are counted in.
  await expect.poll(retryAfter).toBe('1')
})

test('training mode says so in every answer', async ({ open: openTill }) => {
  const till = await openTill()
  await till.page.evaluate(() => window.tillpoints?.till.startTraining())
  const port = await enable(till.page)
  const client = await openInterfaceClient(port)
  const pos = await client.pair(await pairingCode(till.page), 'Shop POS')
  const { status, body } = await pos.post('/v1/slips', { reference: 'R-1', points: 25, deliver: 'return' })
  expect([status, body.mode]).toEqual([201, 'training'])
  expect(body.receipt?.text).toContain('TRAINING – NO VALUE')
})

/** Returns the addresses on which a process listens, from the system's own tables. */
async function listeningOf(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`
  const links = await Promise.all(
    (await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => ''))
  )
  const inodes = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8'))
  )
  return tables
    .join('\n')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && inodes.has(inode ?? ''))
    .map(([, address = '']) => address)
}

const loopbackAddress = (port: number): string =>
  `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`

test('the till listens on 127.0.0.1 while the interface is enabled, and not otherwise', async ({
  openConnected
}) => {
  test.skip(process.platform !== 'linux', 'reads /proc')
  const { app, page } = await openConnected()
  const pid = app.process().pid ?? 0
  // The test driver's own.
  const before = await listeningOf(pid)
  const { localInterface, settings } = await stateOf(page)
  expect([settings.localInterface.enabled, localInterface.listeningPort]).toEqual([false, null])
  const port = await enable(page)
  expect((await listeningOf(pid)).filter((address) => !before.includes(address))).toEqual([
    loopbackAddress(port)
  ])
  await changeSettings(page, { localInterface: { enabled: false, port } })
  await expect.poll(() => listeningOf(pid)).toEqual(before)
})
