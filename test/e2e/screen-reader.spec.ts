import type { Page } from '@playwright/test'
import { groupedCode } from '../../electron/contract/code-groups.ts'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { listenToLiveRegions } from '../support/live-regions.ts'
import { startReceiptPrinter } from '../support/receipt-printer/index.ts'
import { changeSettings, slipsOf } from './support/bridge.ts'
import { expect, test } from './support/fixtures.ts'
import { networkPrinter } from '../support/network-printer.ts'

const [known] = KNOWN_CUSTOMERS

/** Returns a function that waits until a screen reader has said these sentences, in this order and no other. */
async function listen(page: Page): Promise<(...sentences: string[]) => Promise<void>> {
  const heard = await listenToLiveRegions(page)
  const said: string[] = []
  return async (...sentences) => {
    said.push(...sentences)
    await expect.poll(heard).toEqual(said.map((text) => ({ kind: 'said', text })))
  }
}

/** The live regions of the accessibility tree, with their text. */
async function liveRegions(page: Page): Promise<{ live: unknown; text: unknown }[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  return nodes.flatMap(({ ignored, properties = [], name }) => {
    const live: unknown = properties.find((property) => property.name === 'live')?.value.value
    return ignored || live === undefined || live === 'off' ? [] : [{ live, text: name?.value as unknown }]
  })
}

test('a sale is announced in one short sentence for each step', async ({ openConnected }) => {
  const printer = await startReceiptPrinter()
  try {
    const { cashier, page } = await openConnected()
    await changeSettings(page, { printer: { destination: networkPrinter(printer), paperSize: '80mm' } })
    expect(await liveRegions(page)).toEqual([{ live: 'polite', text: '' }])
    const expectNext = await listen(page)

    await cashier.search.pressSequentially('an', { delay: 40 })
    await expectNext('9 customers found')
    await cashier.search.fill('nowhere')
    await expectNext('No customer with nowhere.')
    await cashier.search.fill(known.phone)
    await expectNext('1 customer found')
    await cashier.search.press('Enter')
    await expectNext(`${known.name} has 1,240 points`)
    await cashier.points.pressSequentially('250', { delay: 40 })
    await cashier.points.press('Enter')
    await expectNext(`250 points for ${known.name}: Printed`)

    printer.behave({ paper: 'out' })
    await cashier.print(130)
    await expectNext('130 points: The printer is out of paper.')
    await page.keyboard.press('F9')
    await expectNext('130 points: The printer is out of paper.')
    printer.behave({})
    await page.getByRole('button', { name: 'Print now' }).click()
    await expectNext('130 points: Printed')

    await page.keyboard.press('F9')
    const code = groupedCode(String((await slipsOf(page))[0]?.code))
    await expectNext(`Copy 1 of ${code} was printed.`)
    printer.behave({ paper: 'out' })
    await page.keyboard.press('F9')
    await expectNext('130 points: One copy was not printed. The printer is out of paper.')
    printer.behave({})
    await page.keyboard.press('F9')
    await expectNext(`Copy 3 of ${code} was printed.`)
  } finally {
    await printer.stop()
  }
})
