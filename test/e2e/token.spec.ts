import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { FailureKind } from '../../electron/contract/failure.ts'
import { MAX_PROBE_WAIT_MS } from '../../electron/main/session/reachability.ts'
import { KNOWN_CUSTOMERS, SEEDED_CODES } from '../../electron/service/index.ts'
import { serve } from '../../electron/service/server.ts'
import { selfSigned } from '../support/certificates/index.ts'
import { openFaultyNetwork, type FaultyNetwork } from '../support/faulty-network.ts'
import { scanFolder, encodingsIn, CANARY_TOKEN } from '../support/secret-scanner.ts'
import { startRecordingServer, type RecordingServer } from '../support/recording-server.ts'
import { startRecordingProxy, type RecordingProxy } from '../support/recording-proxy.ts'
import { changeSettings, slipsOf } from './support/bridge.ts'
import { expect, test as base, type Counter } from './support/fixtures.ts'
import { heapStrings } from './support/heap.ts'
import {
  answerSaveDialog,
  crashRenderer,
  evaluateInRenderer,
  holdTimers,
  systemCalls
} from './support/main-process.ts'

const [known] = KNOWN_CUSTOMERS

/** A service whose token is the marker, behind a network that fails on demand, behind a wire that keeps every byte. */
interface Surroundings {
  readonly network: FaultyNetwork
  readonly wire: RecordingProxy
  /** another server */
  readonly elsewhere: RecordingServer
  /** a server with a self-signed certificate */
  readonly untrusted: RecordingServer
  /** a folder for all that the till may write outside of its own: temporary files, the browser's profile */
  readonly temporary: string
}

const test = base.extend<{ around: Surroundings }>({
  around: async ({ userData }, use) => {
    const service = await serve({
      port: 0,
      tokens: [CANARY_TOKEN],
      file: join(userData, 'marked-service.sqlite')
    })
    const network = await openFaultyNetwork(service.url)
    const wire = await startRecordingProxy(network.url)
    const elsewhere = await startRecordingServer()
    const untrusted = await startRecordingServer(selfSigned)
    const temporary = join(userData, 'temporary')
    await mkdir(temporary)
    await use({ network, wire, elsewhere, untrusted, temporary })
    for (const one of [wire, network, elsewhere, untrusted, service]) await one.close()
  }
})

/** Types as a keyboard does, without a script in the page that would have the text. */
async function types(field: Locator, text: string): Promise<void> {
  await field.click()
  await field.press('ControlOrMeta+a')
  await field.page().keyboard.insertText(text)
}

/** Everything that a till says while it runs. */
function listening({ app }: Counter): () => string {
  const said: string[] = []
  const child = app.process()
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => said.push(String(chunk)))
  return () => said.join('')
}

/** Tries the token against an address, with everything going wrong that can, and then connects with it. */
async function connects({ manager, cashier }: Counter, around: Surroundings): Promise<void> {
  const { network, wire, untrusted, elsewhere } = around
  const tries = async (address: string): Promise<void> => {
    await types(manager.address, address)
    await types(manager.token, CANARY_TOKEN)
    await manager.page.getByRole('button', { name: 'Check connection' }).click()
  }
  const failing = async (address: string): Promise<void> => {
    await tries(address)
    await expect(cashier.alert).toBeVisible()
    await expect(manager.page.getByRole('button', { name: 'Check connection' })).toBeEnabled()
  }
  network.fail({ answer: { status: 401, body: '{"statusCode":401,"message":"no"}' } }, undefined, 1)
  await failing(wire.url)
  network.fail({ answer: { status: 500 } })
  await failing(wire.url)
  const location = `${elsewhere.baseUrl}/account`
  network.fail({ answer: { status: 302, headers: { location } } })
  await failing(wire.url)
  network.fail('pass')
  await network.unplug()
  await failing(wire.url)
  await network.plugIn()
  await failing(untrusted.baseUrl)
  await failing(`${wire.url}/nowhere`)
  await tries(wire.url)
  await manager.saveButton.waitFor()
}

/** Issues points as the page does; gives the kind of failure, or null for a slip. */
async function issue(page: Page, points: number): Promise<FailureKind | null> {
  const press = { intentId: randomUUID(), points, customer: null }
  const answer = await page.evaluate((pressed) => window.tillpoints?.slips.issue(pressed), press)
  if (answer === undefined) throw new Error('The page has no bridge')
  return answer.ok ? null : answer.failure.kind
}

/** Sees every screen, with every kind of failure in between. */
async function works(
  { page, cashier, app }: Counter,
  { network }: Surroundings,
  folder: string
): Promise<void> {
  await holdTimers(app, MAX_PROBE_WAIT_MS)
  await cashier.choose(known.phone, known.name)
  await cashier.print(10)
  await expect(cashier.lastSlip).toBeVisible()
  await page.keyboard.press('F9')
  await cashier.searchFor(SEEDED_CODES.used[0])
  await expect(cashier.checkedCode.first()).toBeVisible()
  await cashier.goTo('Customers')
  await expect(page.getByRole('main').getByText(known.name).first()).toBeVisible()
  await cashier.goTo('Rewards')
  await page.getByRole('main').getByRole('listitem').first().waitFor()
  await cashier.goTo('Settings')
  for (const part of await page.getByRole('tab').all()) await part.click()

  await cashier.goTo('Till')
  await cashier.searchFor('')
  await network.unplug()
  await cashier.searchFor('a customer')
  await expect(cashier.offline).toBeVisible()
  // Known to be silent: a try comes first, and nothing is sent.
  expect(await issue(page, 11)).toBe('offline')
  await network.plugIn()
  network.fail({ answer: { status: 503 } })
  await cashier.searchFor('another customer')
  expect(await issue(page, 12)).toBe('unknown-outcome')
  network.fail('lose-answer')
  expect(await issue(page, 13)).toBe('unknown-outcome')
  network.fail({ answer: { status: 401, body: '{"statusCode":401,"message":"no"}' } })
  expect(await issue(page, 14)).toBe('unauthorised')
  await expect(cashier.alert.filter({ hasText: 'no longer accepts' }).first()).toBeVisible()
  network.fail('pass')
  await cashier.choose(known.phone, known.name)

  // A printer that is not there.
  await changeSettings(page, {
    printer: { destination: { kind: 'queue', name: 'Nowhere' }, paperSize: '80mm' }
  })
  expect(await issue(page, 15)).toBeNull()
  await expect
    .poll(async () => (await slipsOf(page)).some(({ state }) => state === 'print-failed'))
    .toBe(true)

  await cashier.goTo('Slips')
  await answerSaveDialog(app, join(folder, 'slips.csv'))
  const exported = await page.evaluate(() => window.tillpoints?.slips.exportCsv({}))
  expect(exported?.ok).toBe(true)
  await answerSaveDialog(app, join(folder, 'diagnostics.zip'))
  const saved = await page.evaluate(() => window.tillpoints?.diagnostics.save())
  expect(saved).toMatchObject({ ok: true, value: { file: join(folder, 'diagnostics.zip') } })
}

/** The same of the page and its heap, after a crash. */
async function crashes({ app }: Counter): Promise<void> {
  await crashRenderer(app)
  await expect.poll(() => evaluateInRenderer(app, 'document.readyState')).toBe('complete')
}

/** The places in the page that contain the marker: heap, storage, fields and document. */
async function foundInPage({ page }: Counter): Promise<string[]> {
  const shown = await page.evaluate(() => [
    document.documentElement.outerHTML,
    ...Array.from(document.querySelectorAll('input, textarea'), (field) =>
      String(Reflect.get(field, 'value'))
    ),
    JSON.stringify(Object.entries(localStorage)),
    JSON.stringify(Object.entries(sessionStorage)),
    document.cookie,
    location.href
  ])
  return [
    ...encodingsIn((await heapStrings(page)).join('\n'), CANARY_TOKEN).map((form) => `heap: ${form}`),
    ...encodingsIn(shown.join('\n'), CANARY_TOKEN).map((form) => `document: ${form}`)
  ]
}

/** Where the marker is on the wire apart from the header that carries it to the service. */
function foundOnWire({ wire, elsewhere, untrusted }: Surroundings): string[] {
  const allowed = new RegExp(`^authorization: Bearer ${CANARY_TOKEN.replace(/[+/=~]/g, '\\$&')}$`, 'im')
  const found: string[] = []
  for (const { method, target, headers } of wire.heads()) {
    // Pictures are asked for without it; only the interface and its extension get it.
    if (!/^\/(api|ext)\//.test(target) && headers.some((line) => allowed.test(line)))
      found.push(`${method} ${target}`)
  }
  for (const { sent, received } of wire.connections()) {
    const rest = sent.toString('latin1').replaceAll(new RegExp(allowed.source, 'gim'), '')
    for (const form of [...encodingsIn(rest, CANARY_TOKEN), ...encodingsIn(received, CANARY_TOKEN)])
      found.push(`wire: ${form}`)
  }
  for (const other of [elsewhere, untrusted]) {
    for (const form of encodingsIn(JSON.stringify(other.requests), CANARY_TOKEN))
      found.push(`elsewhere: ${form}`)
  }
  return found
}

const clipboardOf = ({ app }: Counter): Promise<string> =>
  app.evaluate(({ clipboard }) => clipboard.readText())

test('the token is only in the authorization header of the service', async ({ open, around, userData }) => {
  test.slow()
  const folder = join(userData, 'saved')
  await mkdir(folder)
  const till = await open({
    env: { TMPDIR: around.temporary, TMP: around.temporary, TEMP: around.temporary }
  })
  const said = listening(till)
  const foundInFiles = async (): Promise<string[]> => [
    ...(await scanFolder(join(userData, 'till'), CANARY_TOKEN)),
    ...(await scanFolder(folder, CANARY_TOKEN)),
    ...(await scanFolder(around.temporary, CANARY_TOKEN))
  ]
  const everywhere = async (): Promise<string[]> => [
    ...(await foundInPage(till)),
    ...(await foundInFiles()),
    ...foundOnWire(around),
    ...encodingsIn(said(), CANARY_TOKEN).map((form) => `output: ${form}`),
    ...encodingsIn(await systemCalls(till.app), CANARY_TOKEN).map((form) => `calls: ${form}`),
    ...encodingsIn(await clipboardOf(till), CANARY_TOKEN).map((form) => `clipboard: ${form}`)
  ]

  await test.step('the page drops it as soon as it was accepted', async () => {
    await connects(till, around)
    expect(await foundInPage(till)).toEqual([])
    await till.manager.saveButton.click()
    await expect(till.cashier.search).toBeFocused()
    expect(await everywhere()).toEqual([])
  })

  await test.step('every screen and every failure leaves it nowhere', async () => {
    await works(till, around, folder)
    expect(await everywhere()).toEqual([])
    const withToken = around.wire
      .heads()
      .filter(({ headers }) => headers.some((line) => line.includes(CANARY_TOKEN)))
    expect(withToken.length).toBeGreaterThan(10)
    expect((await readFile(join(folder, 'diagnostics.zip'))).length).toBeGreaterThan(500)
  })

  await test.step('planted in each place it is found there', async () => {
    await till.page.evaluate((marker) => {
      Reflect.set(globalThis, 'planted', { deep: [`Bearer ${marker}`] })
    }, CANARY_TOKEN)
    expect(await foundInPage(till)).toContain('heap: plain')
    await till.page.evaluate((marker) => {
      localStorage.setItem('planted', btoa(marker))
    }, CANARY_TOKEN)
    expect(await foundInPage(till)).toContain('document: base64, 0 before')

    const planted = join(userData, 'till', 'logs', 'planted.log')
    await writeFile(planted, Buffer.from(CANARY_TOKEN, 'utf16le'))
    expect(await foundInFiles()).toContain(`${planted}: UTF-16`)

    await till.app.evaluate(({ clipboard }, marker) => clipboard.writeText(marker), CANARY_TOKEN)
    expect(encodingsIn(await clipboardOf(till), CANARY_TOKEN)).toEqual(['plain'])
    await till.app.evaluate((_electron, marker) => {
      process.stderr.write(`${encodeURIComponent(marker)}\n`)
    }, CANARY_TOKEN)
    await expect.poll(() => encodingsIn(said(), CANARY_TOKEN)).toContain('percent-encoded')

    await fetch(`${around.wire.url}/customers?token=${encodeURIComponent(CANARY_TOKEN)}`)
    expect(foundOnWire(around)).toContain('wire: percent-encoded')
    await fetch(new URL('/logo', around.wire.url), { headers: { authorization: `Bearer ${CANARY_TOKEN}` } })
    expect(foundOnWire(around)).toContain('GET /logo')
    await fetch(around.elsewhere.baseUrl, { headers: { authorization: `Bearer ${CANARY_TOKEN}` } })
    expect(foundOnWire(around)).toContain('elsewhere: plain')
  })
})

test('a crashed renderer and the files on disk contain no token', async ({ open, around, userData }) => {
  const env = { TMPDIR: around.temporary, TMP: around.temporary, TEMP: around.temporary }
  const till = await open({ env })
  await types(till.manager.address, around.wire.url)
  await types(till.manager.token, CANARY_TOKEN)
  await till.page.getByRole('button', { name: 'Check connection' }).click()
  await till.manager.saveButton.click()
  await expect(till.cashier.search).toBeFocused()
  await crashes(till)
  expect(await scanFolder(join(userData, 'till'), CANARY_TOKEN)).toEqual([])
  expect(await scanFolder(around.temporary, CANARY_TOKEN)).toEqual([])
  await till.close()
  expect(await scanFolder(join(userData, 'till'), CANARY_TOKEN)).toEqual([])

  // The next start opens the sealed token, and works with it.
  const again = await open({ env })
  await again.cashier.choose(known.phone, known.name)
  expect(await foundInPage(again)).toEqual([])
})
