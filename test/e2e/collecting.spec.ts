import { AxeBuilder } from '@axe-core/playwright'
import { chromium } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { findChromium } from '../support/chromium.ts'
import { readSlip } from '../support/read-slip.ts'
import { slipsOf } from './support/bridge.ts'
import { expect, test } from './support/fixtures.ts'
import { ShopService } from './support/shop-service.ts'
import { shown } from './support/shown.ts'

test('a slip of a till that was paired by a code is collected on a phone', async ({ open, userData }) => {
  const shop = await ShopService.start(join(userData, 'shop'))
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: ['--no-sandbox', '--disable-gpu']
  })
  try {
    // A till gets its token for a code that is read to it.
    const { code: pairingCode } = await shop.run(
      v.object({ code: v.string() }),
      'till',
      'pair',
      '--name',
      'Till 1'
    )
    const till = await open()
    const { cashier, manager, page } = till
    await manager.checkConnection(shop.origin, 'BCDF-GHJK')
    await expect(cashier.alert).toContainText('pairing code is not known')
    await manager.connect(shop.origin, pairingCode.toLowerCase())
    await expect(page.getByRole('banner')).toContainText('Corner Café')

    await cashier.print(250)
    await expect.poll(async () => (await slipsOf(page))[0]?.state).toBe('printed')
    const [slip] = await slipsOf(page)
    const pdf = await readFile(join(till.userData, 'slips', `${String(slip?.code)}.pdf`))
    const { codes } = await readSlip(new Uint8Array(pdf))

    // What the QR code of the paper says, opened on a phone.
    const phone = await browser.newPage({ viewport: { width: 390, height: 844 }, locale: 'en-GB' })
    const expectAccessible = async (): Promise<void> => {
      const { violations } = await new AxeBuilder({ page: phone }).setLegacyMode().analyze()
      expect(violations).toEqual([])
    }
    await phone.goto(String(codes[0]))
    await expect(phone.getByText('250 points')).toBeVisible()
    await expectAccessible()
    await phone.getByLabel('Phone number').fill('690 123 4567')
    await phone.getByRole('button', { name: 'Collect' }).click()
    await expect(phone.getByRole('heading', { name: 'Collected' })).toBeVisible()
    await expect(phone.getByText('+250 points')).toBeVisible()
    await expectAccessible()

    // Staff link the phone, which then shows the balance.
    await phone.getByRole('link', { name: 'My points' }).click()
    await phone.getByRole('button', { name: 'Link this phone' }).click()
    await expectAccessible()
    const digits = await phone.getByText(/^\d{6}$/).innerText()
    await cashier.choose('690 123 4567', '+30 690 123 4567')
    await expect(cashier.customer).toContainText('250')
    await shop.run(v.object({ device: v.string() }), 'customer', 'link', '+30 690 123 4567', digits)
    await phone.getByRole('link', { name: 'Show my points' }).click()
    await expect(phone.getByRole('main')).toContainText('Balance 250 points')
    await expectAccessible()

    await cashier.goTo('Slips')
    await cashier.codeField.fill(String(slip?.code))
    await cashier.codeField.press('Enter')
    await expect(shown(page, 'This code has been used')).toBeVisible()
  } finally {
    await browser.close()
    await shop.close()
  }
})
