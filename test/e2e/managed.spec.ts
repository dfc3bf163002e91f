/** A till that a policy sets up and manages: the built app, with a policy of its own instead of the administrator's. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from '@playwright/test'
import * as v from 'valibot'
import { SETTINGS } from '../../electron/contract/settings.ts'
import { PROJECT } from '../../resources/scripts/tools.ts'
import { freePort } from '../support/loopback.ts'
import { readSlip } from '../support/read-slip.ts'
import { changeSettings, slipsOf, stateOf } from './support/bridge.ts'
import { expect, test, TOKENS } from './support/fixtures.ts'
import { ShopService } from './support/shop-service.ts'

/** The policy of a test, in a folder that nobody else can write to. */
class TestPolicy {
  readonly file: string
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = join(folder, 'policy')
    this.file = join(this.#folder, 'policy.json')
  }

  get env(): Record<string, string> {
    return { TILLPOINTS_TEST_POLICY: this.file }
  }

  /** Replaces the file at once, as an installer does. */
  async write(policy: unknown): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o755 })
    await writeFile(`${this.file}.new`, JSON.stringify(policy, null, 2), { mode: 0o644 })
    await rename(`${this.file}.new`, this.file)
  }

  /** Writes a file for the till beside the policy, and returns its path. */
  async writeToken(token: string): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o755 })
    await writeFile(join(this.#folder, 'token'), `${token}\n`)
    return join(this.#folder, 'token')
  }
}

/** Calls the bridge as a page does that was taken over. Returns the kinds of the failures. */
const attack = (page: Page, address: string): Promise<(string | undefined)[]> =>
  page.evaluate(async (elsewhere) => {
    const bridge = window.tillpoints
    if (!bridge) return []
    const state = await bridge.till.state()
    if (!state.ok) return []
    const { slip, printer } = state.value.settings
    const answers = [
      await bridge.till.set({ language: 'fr' }),
      await bridge.till.set({ slip: { ...slip, footer: 'Mine' } }),
      await bridge.till.set({ printer: { ...printer, destination: { kind: 'folder' } }, theme: 'light' }),
      await bridge.till.set({ localInterface: { enabled: true, port: 8419 } }),
      await bridge.connection.forget(),
      await bridge.connection.check({ baseUrl: elsewhere, token: 'mine' }),
      await bridge.connection.save({ acceptUnencrypted: true })
    ]
    return answers.map((answer) => (answer.ok ? undefined : answer.failure.kind))
  }, address)

/** Values among which each setting finds one that it takes. */
const VALUES: readonly unknown[] = [
  ...[
    true,
    false,
    3,
    30,
    90,
    1825,
    9000,
    null,
    'fr',
    'DE',
    'A4',
    'both',
    'dark',
    'more',
    'shown',
    'credit',
    '#112233',
    'mine'
  ],
  'https://updates.example/',
  { kind: 'queue', name: 'Mine' },
  [20],
  { pointsPerUnit: '1000', rounding: 'up', minimum: '0', currency: 'EUR' }
]

/** Each setting with its value in a new till and another one. */
const ATTACKS = [...SETTINGS].map(([name, { schema, standard }]) => {
  const other = VALUES.find((value) => v.is(schema, value) && !isDeepStrictEqual(value, standard))
  if (other === undefined) throw new Error(`Name a value for ${name}`)
  return { name, standard, other }
})

/** Sets each setting over the bridge, in its group. Returns the names of those that were not refused as managed. */
const attackEachSetting = (page: Page): Promise<string[]> =>
  page.evaluate(async (attacks) => {
    const accepted: string[] = []
    for (const { name, other } of attacks) {
      const state = await window.tillpoints?.till.state()
      if (!state?.ok) return ['no state']
      const [group = name, own] = name.split('.')
      const before = Reflect.get(state.value.settings, group) as object
      const value: unknown = own === undefined ? other : { ...before, [own]: other }
      const answer = await window.tillpoints?.till.set({ [group]: value })
      if (answer?.ok !== false || answer.failure.kind !== 'managed') accepted.push(name)
    }
    return accepted
  }, ATTACKS)

test('every setting that is locked is refused to the page, in training mode too', async ({
  open,
  userData
}) => {
  const policy = new TestPolicy(userData)
  await policy.write({ locked: Object.fromEntries(ATTACKS.map(({ name, standard }) => [name, standard])) })
  const { page } = await open({ env: policy.env })
  await expect
    .poll(async () => (await stateOf(page)).managed?.locked)
    .toEqual(ATTACKS.map(({ name }) => name))
  const { settings } = await stateOf(page)
  expect(await attackEachSetting(page)).toEqual([])
  expect((await page.evaluate(() => window.tillpoints?.till.startTraining()))?.ok).toBe(true)
  expect((await stateOf(page)).mode).toBe('training')
  expect(await attackEachSetting(page)).toEqual([])
  expect((await stateOf(page)).settings).toEqual(settings)
  // Without the locks each of them is taken.
  await policy.write({})
  await expect.poll(async () => (await stateOf(page)).managed?.locked).toEqual([])
  expect(await attackEachSetting(page)).toEqual(ATTACKS.map(({ name }) => name))
})

test('the environment of the start cannot connect elsewhere than a locked address', async ({
  open,
  service,
  userData
}) => {
  const policy = new TestPolicy(userData)
  await policy.write({ locked: { service: { address: 'https://points.example/' } } })
  const environment = { TILLPOINTS_BASE_URL: service.url, TILLPOINTS_TOKEN: TOKENS.good }
  const elsewhere = await open({ env: { ...policy.env, ...environment } })
  await expect(elsewhere.page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await stateOf(elsewhere.page)).toMatchObject({ mode: 'onboarding', baseUrl: null })
  await elsewhere.close()
  await policy.write({ locked: { service: { address: service.url } } })
  const { page } = await open({ env: { ...policy.env, ...environment } })
  await expect.poll(async () => (await stateOf(page)).mode).toBe('business')
})

test('from nothing to a printed slip without a question, by a pairing code of the shop’s own service', async ({
  open,
  userData
}) => {
  const shop = await ShopService.start(join(userData, 'shop'))
  try {
    const { code } = await shop.run(v.object({ code: v.string() }), 'till', 'pair', '--name', 'Till 1')
    const policy = new TestPolicy(userData)
    await policy.write({
      managedBy: 'Example IT',
      locked: { service: { address: shop.origin }, language: 'en' },
      default: { tourSeen: true, slip: { tillName: 'Counter 7' }, printer: { paperSize: '58mm' } },
      pairingCode: code
    })
    const till = await open({ env: policy.env, showTour: true })
    await expect(till.cashier.search).toBeFocused()
    await expect(till.page.getByRole('banner')).toContainText('Corner Café')
    await till.cashier.print(250)
    await expect.poll(async () => (await slipsOf(till.page))[0]?.state).toBe('printed')
    const [slip] = await slipsOf(till.page)
    const read = await readSlip(
      new Uint8Array(await readFile(join(till.userData, 'slips', `${slip?.code ?? ''}.pdf`)))
    )
    expect(read.codes).toEqual([slip?.url])
    expect(read.text).toContain('Counter 7')
    expect(Math.round(read.widthMillimetres)).toBe(58)
    expect((await stateOf(till.page)).notices).toEqual([])
    await till.close()

    // The code is used up; the token is stored.
    const again = await open({ env: policy.env })
    await expect(again.cashier.search).toBeFocused()
    await expect(again.page.getByRole('banner')).toContainText('Corner Café')
    expect((await stateOf(again.page)).notices).toEqual([])
  } finally {
    await shop.close()
  }
})

test('the first example of the document sets up a new till, and a token that is replaced in its file is used at once', async ({
  open,
  userData
}) => {
  const shop = await ShopService.start(join(userData, 'shop'))
  try {
    const newToken = async (name: string): Promise<string> => {
      const { code } = await shop.run(v.object({ code: v.string() }), 'till', 'pair', '--name', name)
      const headers = { 'content-type': 'application/json' }
      const paired = await fetch(`${shop.origin}/pair`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ code })
      })
      return v.parse(v.object({ token: v.string() }), await paired.json()).token
    }
    const policy = new TestPolicy(userData)
    const document = await readFile(join(PROJECT, 'docs/managed-tills.md'), 'utf8')
    const [, example = ''] = /```json\n(.*?)```/su.exec(document) ?? []
    // This machine has neither that address nor that file.
    await policy.write(
      JSON.parse(
        example
          .replace('https://points.example/', `${shop.origin}/`)
          .replace('/etc/tillpoints/token', await policy.writeToken(await newToken('Till 1')))
      )
    )
    const { page, cashier } = await open({ env: policy.env, showTour: true })
    await expect(cashier.search).toBeFocused()
    await expect(page.getByRole('banner')).toContainText('Corner Café')
    const state = await stateOf(page)
    expect(state).toMatchObject({ accepted: true, notices: [], managed: { managedBy: 'Example IT' } })
    expect(state.settings.printer.destination).toEqual({ kind: 'queue', name: 'Receipt' })

    const [till] = await shop.run(v.array(v.object({ id: v.string() })), 'till', 'list')
    await shop.run(v.object({ id: v.string() }), 'till', 'revoke', till?.id ?? '')
    await page.evaluate(() => window.tillpoints?.connection.refresh())
    expect((await stateOf(page)).accepted).toBe(false)
    await policy.writeToken(await newToken('Till 1 again'))
    await expect.poll(async () => (await stateOf(page)).accepted).toBe(true)
  } finally {
    await shop.close()
  }
})

test('the port, the printer, the ring and the file of the token count at the first start', async ({
  open,
  service,
  userData
}) => {
  const policy = new TestPolicy(userData)
  const port = await freePort()
  await policy.write({
    locked: {
      service: { address: service.url },
      localInterface: { enabled: true, port },
      printer: { destination: 'Receipt' },
      updateRing: 'pilot'
    },
    tokenFile: await policy.writeToken(TOKENS.good)
  })
  const { page, cashier } = await open({ env: policy.env })
  await expect(cashier.search).toBeFocused()
  await expect.poll(async () => (await stateOf(page)).localInterface.listeningPort).toBe(port)
  const { settings, mode } = await stateOf(page)
  expect(mode).toBe('business')
  expect(settings.printer.destination).toEqual({ kind: 'queue', name: 'Receipt' })
  expect(settings.updateRing).toBe('pilot')
})

test('a locked setting is shown with who manages it, and refused to the bridge', async ({
  open,
  service,
  userData
}) => {
  const policy = new TestPolicy(userData)
  await policy.write({
    managedBy: 'Example IT',
    locked: {
      service: { address: service.url },
      language: 'en',
      slip: { footer: 'See you' },
      printer: { destination: { kind: 'queue', name: 'Receipt' } },
      localInterface: { enabled: false }
    },
    default: { theme: 'dark' },
    tokenFile: await policy.writeToken(TOKENS.good)
  })
  const { page, cashier } = await open({ env: policy.env })
  await expect(cashier.search).toBeFocused()
  const before = await stateOf(page)
  expect(await attack(page, 'https://elsewhere.example/')).toEqual([
    ...Array<string>(6).fill('managed'),
    'not-connected'
  ])
  expect((await stateOf(page)).settings).toEqual(before.settings)
  expect((await stateOf(page)).baseUrl).toBe(before.baseUrl)

  await cashier.goTo('Settings')
  const language = page.getByRole('combobox', { name: 'Language', exact: true })
  await expect(language).toBeDisabled()
  await expect(language).toHaveAccessibleDescription(/Managed by Example IT/)
  await expect(page.getByRole('button', { name: 'Disconnect' })).toBeHidden()
  await page.getByRole('tab', { name: 'About' }).click()
  await expect(page.getByRole('region', { name: 'Managed settings' })).toContainText(policy.file)
  // What is only preset can be changed.
  expect(before.settings.theme).toBe('dark')
  await changeSettings(page, { theme: 'light' })
  expect((await stateOf(page)).settings.theme).toBe('light')
})

test('a policy that changes applies to the open till, and a mistake is said in it', async ({
  openConnected,
  userData
}) => {
  const policy = new TestPolicy(userData)
  await policy.write({ locked: { copies: 2 } })
  const { page, cashier } = await openConnected({ env: policy.env })
  expect((await stateOf(page)).settings.copies).toBe(2)
  await policy.write({ locked: { copies: 3, theme: 'blue' } })
  await expect.poll(async () => (await stateOf(page)).settings.copies).toBe(3)
  await expect(cashier.alert.first()).toContainText('line 4: locked.theme')
  await policy.write({})
  await expect.poll(async () => (await stateOf(page)).settings.copies).toBe(1)
  await expect(cashier.alert).toHaveCount(0)
})
