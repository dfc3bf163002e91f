import type { Page } from '@playwright/test'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { readOnly } from '../support/read-only.ts'
import { changeSettings, slipsOf, stateOf } from './support/bridge.ts'
import { electron } from './support/electron.ts'
import { expect, test, TOKENS } from './support/fixtures.ts'
import { unlockKeyring } from './support/main-process.ts'

const [known] = KNOWN_CUSTOMERS

test.describe('restart', () => {
  test('keeps business, token, settings and slips', async ({ open, service }) => {
    const first = await open()
    await first.manager.connect(service.url, TOKENS.good)
    await first.cashier.choose(known.phone, known.name)
    await first.cashier.print(30)
    await expect(first.cashier.lastSlip).toBeVisible()
    await changeSettings(first.page, { country: 'FR', slipLanguage: 'el' })
    await first.close()

    const again = await open()
    await expect(again.cashier.search).toBeFocused()
    // The customers served last are in the journal, without their phone.
    await expect(again.cashier.recentCustomers.getByRole('button')).toContainText(known.name)
    await again.page.keyboard.press('ArrowDown')
    await again.page.keyboard.press('Enter')
    await expect(again.cashier.customer).toContainText('+30 694 123 4567')
    await expect(again.cashier.points).toBeFocused()
    expect((await stateOf(again.page)).settings).toMatchObject({
      country: 'FR',
      slipLanguage: 'el'
    })
    await again.cashier.goTo('Slips')
    await expect(again.page.getByRole('main').getByRole('listitem').first()).toContainText('30')
  })

  if (electron.kind === 'stand-in') {
    test('opens and closes while the keyring is locked, sends nothing, and connects when it is unlocked', async ({
      openConnected,
      open,
      network
    }) => {
      const first = await openConnected()
      await first.close()
      // Its last requests must not be taken for those of the next start.
      await network.unplug()
      await network.plugIn()
      const before = network.seen.length
      const locked = { env: { TILLPOINTS_STAND_IN_KEYRING: 'locked' } }
      const closed = await open(locked)
      await closed.cashier.print(20)
      await closed.close()
      expect(
        (await readFile(join(closed.userData, 'logs', 'till.log'), 'utf8')).split('till-stopped')
      ).toHaveLength(3)

      const till = await open(locked)
      const notice = till.page.getByText(/keyring is locked/)
      await expect(notice).toBeVisible()
      await till.cashier.print(30)
      expect(await slipsOf(till.page)).toEqual([])
      expect(network.seen.slice(before)).toEqual([])
      await unlockKeyring(till.app)
      await expect.poll(async () => (await slipsOf(till.page))[0]?.state).toBe('printed')
      await expect(notice).toBeHidden()
      expect((await stateOf(till.page)).accepted).toBe(true)
    })
  }

  test('keeps training data', async ({ open }) => {
    const first = await open()
    await first.manager.startTraining()
    await first.cashier.searchFor('690 000 0125')
    await first.cashier.register('Ελένη Δοκιμή')
    await expect(first.cashier.customer).toContainText('Ελένη Δοκιμή')
    await first.close()

    const again = await open()
    await again.cashier.choose('690 000 0125', 'Ελένη Δοκιμή')
    await expect(again.cashier.customer).toContainText('Ελένη Δοκιμή')
  })

  test('asks to reconnect when the token is refused and keeps the address', async ({ open, service }) => {
    const first = await open({
      env: { TILLPOINTS_BASE_URL: service.url, TILLPOINTS_TOKEN: TOKENS.expired }
    })
    await expect(first.cashier.alert).toContainText('The points service no longer accepts this till')
    await first.page.getByRole('button', { name: 'Reconnect' }).click()
    await expect(first.manager.address).toHaveValue(new RegExp(`^${service.url}/?$`))
    await first.manager.token.fill(TOKENS.good)
    await first.page.getByRole('button', { name: 'Check connection' }).click()
    await first.manager.saveButton.click()
    await first.cashier.choose(known.phone, known.name)
  })

  test('keeps everything when the network is unreachable', async ({ openConnected, open, network }) => {
    const first = await openConnected()
    await expect(first.page.getByRole('banner')).toContainText('Café')
    const widthOfLogo = (page: Page): Promise<number> =>
      page.locator('header img').evaluate((image: HTMLImageElement) => image.naturalWidth)
    await expect.poll(() => widthOfLogo(first.page)).toBeGreaterThan(0)
    // It is shown before it is on disk.
    const logos = (): Promise<string[]> => readdir(join(first.userData, 'logos')).catch(() => [])
    await expect.poll(async () => (await logos()).filter((name) => !name.endsWith('.part'))).not.toEqual([])
    await first.close()
    await network.unplug()
    const again = await open()
    await expect(again.page.getByRole('banner')).toContainText('Café')
    await expect.poll(() => widthOfLogo(again.page)).toBeGreaterThan(0)
    await network.plugIn()
    await again.cashier.choose(known.phone, known.name)
  })
})

test.describe('files on disk', () => {
  test('corrupt settings are quarantined and reported, and the till opens', async ({ open, userData }) => {
    await mkdir(join(userData, 'till'))
    await writeFile(join(userData, 'till/settings.json'), '{"mode": "busi')
    const again = await open()
    await expect(again.cashier.alert).toContainText('settings')
    const kept = (await readdir(join(userData, 'till'))).find((name) => name.startsWith('settings.damaged-'))
    expect(await readFile(join(userData, 'till', kept ?? ''), 'utf8')).toBe('{"mode": "busi')
  })

  test('a read-only folder is reported, and the till runs', async ({ open, userData }) => {
    await mkdir(join(userData, 'till'))
    await writeFile(join(userData, 'till/settings.json'), '{}')
    await readOnly(join(userData, 'till'), async () => {
      const again = await open()
      await expect(again.cashier.alert.filter({ hasText: 'settings' })).toBeVisible()
      await again.close()
    })
  })

  if (process.platform === 'linux') {
    // Windows and macOS always have an encryption to offer.
    for (const [keyring, args] of [
      ['basic_text', ['--password-store=basic']],
      ['unreachable', []]
    ] as const) {
      test(`with the keyring ${keyring} the token is saved only after consent`, async ({ open, service }) => {
        const till = await open({ args: [...args], env: { TILLPOINTS_STAND_IN_KEYRING: keyring } })
        await till.manager.connect(service.url, TOKENS.good)
        await expect(till.cashier.alert).toContainText('encryption')
        await till.page.getByRole('checkbox', { name: 'Store the token without encryption' }).check()
        await till.manager.saveButton.click()
        await expect(till.cashier.search).toBeFocused()
      })
    }
  }
})
