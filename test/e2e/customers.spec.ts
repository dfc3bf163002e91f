import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { expect, test } from './support/fixtures.ts'
import { shown } from './support/shown.ts'

const [known] = KNOWN_CUSTOMERS

test.describe('customer search', () => {
  test('finds a customer by phone in five formats, by name and by e-mail', async ({ shared }) => {
    const { cashier, page } = shared
    await expect(cashier.search).toBeFocused()
    const national = known.phone.replace('+30', '')
    const spellings = [
      known.phone,
      `00${known.phone.slice(1)}`,
      national,
      `${national.slice(0, 3)} ${national.slice(3, 6)}-${national.slice(6, 8)}.${national.slice(8)}`,
      // Full-width digits, as a Japanese keyboard types them
      national.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
    ]
    for (const text of [...spellings, known.name, known.email]) {
      await test.step(`"${text}"`, async () => {
        await cashier.choose(text, known.name)
        await expect(cashier.customer).toContainText(known.name)
        await page.getByRole('button', { name: 'Clear customer' }).click()
        await expect(cashier.search).toBeFocused()
      })
    }
  })

  test('shows name, phone, balance and lifetime points of the chosen customer', async ({ shared }) => {
    const { cashier } = shared
    await cashier.choose(known.phone, known.name)
    await expect(cashier.customer).toContainText(known.name)
    await expect(cashier.customer).toContainText('+30')
    await expect(cashier.customer).toContainText('Balance')
    await expect(cashier.customer).toContainText('Lifetime')
  })
})

test('the details of a customer have the slips of this till, with a reprint', async ({ openConnected }) => {
  const { cashier, page } = await openConnected()
  const visits = page.getByRole('region', { name: cashier.words.atThisTill() })
  const open = async (): Promise<void> => {
    await cashier.goTo('Customers')
    await page.getByRole('searchbox', { name: cashier.words.searchCustomers() }).fill(known.phone)
    await page.keyboard.press('Enter')
  }
  await open()
  await expect(visits).toContainText(cashier.words.noSlipHereYet())
  await cashier.goTo('Till')
  await cashier.choose(known.phone, known.name)
  await cashier.print(35)
  await expect(cashier.lastSlip).toBeVisible()
  await cashier.choose(known.phone, known.name)
  await cashier.customer.getByRole('button', { name: /Last here .* 35 points/ }).click()
  await expect(visits).toContainText('Last visit')
  await visits.getByRole('button', { name: 'Save a copy 35 points' }).click()
  await expect(visits).toContainText('Copy 1')
})

test.describe('registration', () => {
  test('a new phone registers a customer', async ({ shared }) => {
    const { cashier, page, network } = shared
    await cashier.searchFor('690 000 0123')
    await expect(shown(page, 'No customer with +30 690 000 0123')).toBeVisible()
    await page.getByRole('button', { name: 'Register customer' }).click()
    await expect(page.getByRole('textbox', { name: 'Phone' })).toHaveValue('+30 690 000 0123')
    await page.getByRole('textbox', { name: 'Name' }).fill('Ελένη Δοκιμή')
    await page.getByRole('button', { name: 'Register', exact: true }).click()
    await expect(cashier.customer).toContainText('Ελένη Δοκιμή')
    expect(network.seen.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
      '/customers'
    ])
  })

  test('a new phone registers a customer with Enter alone, and a name without a match waits', async ({
    shared
  }) => {
    const { cashier, page, network } = shared
    await cashier.searchFor('no such customer')
    await cashier.search.press('Enter')
    await expect(shown(page, 'No customer with')).toBeVisible()
    await expect(cashier.search).toBeFocused()
    await cashier.searchFor('690 000 0126')
    await cashier.search.press('Enter')
    await expect(page.getByRole('textbox', { name: 'Phone' })).toHaveValue('+30 690 000 0126')
    expect(network.seen.filter(({ method }) => method === 'POST')).toEqual([])
    await page.keyboard.press('Enter')
    await expect(cashier.customer).toContainText('+30 690 000 0126')
  })

  test('a phone alone registers a customer', async ({ shared }) => {
    const { cashier, page, network } = shared
    await cashier.searchFor('690 000 0125')
    await page.getByRole('button', { name: 'Register customer' }).click()
    await page.getByRole('button', { name: 'Register', exact: true }).click()
    await expect(cashier.customer).toContainText('+30 690 000 0125')
    expect(network.seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  test('an existing phone opens that customer instead', async ({ shared }) => {
    const { cashier, page } = shared
    await cashier.searchFor('no such customer')
    await page.getByRole('button', { name: 'Register customer' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Someone else')
    await page.getByRole('textbox', { name: 'Phone' }).fill(known.phone)
    await page.getByRole('button', { name: 'Register', exact: true }).click()
    await expect(cashier.customer).toContainText(known.name)
  })

  test('a lost response is resolved by a search for the phone, without a second request', async ({
    shared
  }) => {
    const { cashier, network } = shared
    await cashier.searchFor('690 000 0124')
    network.fail('lose-answer', 'POST')
    await cashier.register('Ελένη Δοκιμή')
    await expect(cashier.customer).toContainText('Ελένη Δοκιμή')
    expect(network.seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  test('an invalid phone shows an error and keeps the input', async ({ shared }) => {
    const { cashier, page, network } = shared
    await cashier.searchFor('no such customer')
    await page.getByRole('button', { name: 'Register customer' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Someone')
    await page.getByRole('textbox', { name: 'Phone' }).fill('12')
    await page.getByRole('button', { name: 'Register', exact: true }).click()
    await expect(cashier.alert).toContainText('phone')
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Someone')
    expect(network.seen.filter(({ method }) => method === 'POST')).toEqual([])
  })
})
