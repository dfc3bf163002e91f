/**
 * `npm run demo`: drives the built app without a display. Starts the training service over HTTP, finds a customer by
 * phone, registers a new one, shows the rewards, issues points, and scans the QR code of the slip's PDF. Writes
 * screenshots and the slip to `out/demo/`, and prints one line per step.
 */
import { cp, mkdir, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Page } from '@playwright/test'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { serve } from '../../electron/service/server.ts'
import { CashierPage } from '../../test/e2e/page-objects/cashier.ts'
import { ManagerPage } from '../../test/e2e/page-objects/manager.ts'
import { slipsOf } from '../../test/e2e/support/bridge.ts'
import { describeElectron } from '../../test/e2e/support/electron.ts'
import { newUserData, openTill, removeUserData } from '../../test/e2e/support/till.ts'
import { readSlip, slipToPng } from '../../test/support/read-slip.ts'
import { ensureChromium } from './system-packages.ts'
import { PROJECT } from './tools.ts'

const FOLDER = join(PROJECT, 'out/demo')
const TOKEN = 'demo'
const SIZE = { width: 1366, height: 768 }

await ensureChromium()
await rm(FOLDER, { recursive: true, force: true })
await mkdir(FOLDER, { recursive: true })
console.log(describeElectron())

const service = await serve({ port: 0, tokens: [TOKEN], file: ':memory:' })
const userData = await newUserData()
const till = await openTill({ userData, size: SIZE })
const cashier = new CashierPage(till.page)
const manager = new ManagerPage(till.page)

/** Resolves with the newest slip once it is printed, which happens in the background. */
const printedSlip = async (page: Page): Promise<{ file: string; url: string }> => {
  for (;;) {
    const [slip] = await slipsOf(page)
    if (slip?.file && slip.url) return { file: slip.file, url: slip.url }
    if (slip?.state !== 'printing' && slip?.state !== 'issued') {
      throw new Error(`The slip did not come out: it is ${slip?.state ?? 'not in the journal'}`)
    }
    await page.waitForTimeout(50)
  }
}

let step = 0
const show = async (what: string, picture: string): Promise<void> => {
  step += 1
  const file = `${step}-${picture}.png`
  await till.page.screenshot({ path: join(FOLDER, file) })
  console.log(`${step}. ${what} (out/demo/${file})`)
}

try {
  await manager.address.waitFor()
  await show(
    `The till opens for the first time; the training service listens on ${service.url}`,
    'onboarding'
  )
  await manager.connect(service.url, TOKEN)
  await cashier.search.waitFor()
  await show('Connected: the business is shown in the header', 'connected')

  const [known] = KNOWN_CUSTOMERS
  await cashier.choose(known.phone, known.name)
  await show(`Found by phone ${known.phone}: ${known.name}`, 'customer')

  await cashier.goTo('Rewards')
  await till.page.getByRole('list', { name: 'Rewards' }).getByRole('listitem').first().waitFor()
  await show('The rewards, and what this customer can afford', 'rewards')
  await cashier.goTo('Till')

  await till.page.getByRole('button', { name: 'Clear customer' }).click()
  await cashier.searchFor('+306900000123')
  await cashier.register('Νεφέλη Δοκιμαστική')
  await cashier.customer.waitFor()
  await show('Registered: Νεφέλη Δοκιμαστική, +30 690 000 0123', 'registered')

  await cashier.points.fill('250')
  await show('250 points typed: the slip shows what will be printed', 'points')
  await cashier.printButton.click()
  await cashier.lastSlip.waitFor()
  await show('Issued and printed: the code is on the screen', 'issued')

  const { file, url } = await printedSlip(till.page)
  const pdf = new Uint8Array(await readFile(file))
  await cp(file, join(FOLDER, 'slip.pdf'))
  await slipToPng(pdf, join(FOLDER, 'slip.png'), 203)
  const { codes, widthMillimetres, heightMillimetres } = await readSlip(pdf)
  console.log(
    `${step + 1}. The slip ${basename(file)}, ${widthMillimetres.toFixed(0)} × ${heightMillimetres.toFixed(0)} mm ` +
      '(out/demo/slip.pdf, out/demo/slip.png)'
  )
  console.log(`${step + 2}. Its QR code says: ${codes.join(', ')}`)
  if (codes[0] !== url) throw new Error(`The QR should say ${url}`)
} finally {
  await till.close()
  await service.close()
  await removeUserData(userData)
}
