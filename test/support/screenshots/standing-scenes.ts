/** Linked phones of customers, and what they show of levels, of points that end and of birthdays, for screenshots. */
import { FIRST_RULES, type EarningRules } from '../../../electron/contract/earning-rules.ts'
import { systemRandomBytes } from '../../../electron/service/domain/identifiers.ts'
import { DeviceStore } from '../../../electron/service/store/devices.ts'
import { RulesStore } from '../../../electron/service/store/rules.ts'
import type { Shop } from '../service-shop.ts'
import { daysAgo, open } from './manage-scenes.ts'
import type { ServiceScene, ServiceScreenshot } from './service-runner.ts'

/** Levels, gifts, and points that end. */
export const LEVELS_RULES: EarningRules = {
  ...FIRST_RULES,
  levels: [
    { name: 'Ασημένια', from: 100, factor: '1.25' },
    { name: 'Χρυσή κάρτα των καλών πελατών', from: 1250, factor: '2' }
  ],
  ...{ welcomePoints: 50, birthdayPoints: 100, expiry: { months: 12, since: 'earned', onSlips: true } }
}

export const setLevels = (shop: Shop, rules = LEVELS_RULES): Promise<void> =>
  new RulesStore(shop.database).save(shop.business, {
    ...{ rules, request: JSON.stringify(rules), at: shop.now.toISOString(), by: 'customer' }
  })

/** Adds a device of the shop and links it to a customer, as staff do. Returns its cookie. */
export const addDevice = async (shop: Shop, customer: string, seenAt = shop.now): Promise<string> => {
  const shared = { database: shop.database, random: systemRandomBytes }
  const devices = new DeviceStore({ ...shared, now: () => shop.now })
  const device = devices.create(shop.business)
  await new DeviceStore({ ...shared, now: () => seenAt }).add(device)
  const digits = await devices.offerLink({ ...device, customer: null })
  await devices.link(shop.business, customer, digits)
  return device.cookie
}

/** Makes the browser one that staff have linked to a customer, and returns the customer. */
export const beLinked = async (
  { shop, business, page, visit }: ServiceScene,
  name = 'Μαρία Παπαδοπούλου'
): Promise<string> => {
  const customer = await shop.register('+306901234567', name)
  await visit(`/join/${business}`)
  const value = await addDevice(shop, customer)
  const url = new URL('/', page.url()).href
  await page.context().addCookies([{ name: `device-${business}`, value, url, httpOnly: true }])
  return customer
}

/** A linked phone of a customer with a level, and points that end. */
const openLevel = async (scene: ServiceScene, points = 250): Promise<string> => {
  const { shop, business, visit } = scene
  await daysAgo(shop, 330, () => setLevels(shop))
  const customer = await beLinked(scene)
  await daysAgo(shop, 320, () => shop.credit(customer, points))
  await visit(`/me/${business}`)
  return customer
}

/** Chooses a birthday and presses the button that keeps it. */
const chooseBirthday = async ({ page }: ServiceScene, day: string, month: string): Promise<void> => {
  await page.locator('#day').selectOption(day)
  await page.locator('#month').selectOption(month)
  await page.locator('#typed button').first().click()
}

export const STANDING_SCREENSHOTS: readonly ServiceScreenshot[] = [
  {
    name: 'account-level',
    steps: async (scene) => {
      await openLevel(scene)
    }
  },
  {
    name: 'account-level-long',
    steps: async (scene) => {
      await openLevel(scene, 1250)
    }
  },
  {
    name: 'account-birthday-wrong',
    steps: async (scene) => {
      await openLevel(scene)
      await chooseBirthday(scene, '31', '2')
      await scene.page.locator('#day-fault').waitFor()
    }
  },
  {
    name: 'account-birthday-saved',
    steps: async (scene) => {
      await openLevel(scene)
      await chooseBirthday(scene, '29', '2')
      await scene.page.locator('[role="status"]').waitFor()
    }
  },
  {
    name: 'account-birthday-over',
    steps: async (scene) => {
      await openLevel(scene)
      await chooseBirthday(scene, '29', '2')
      await setLevels(scene.shop, FIRST_RULES)
      await scene.visit(`/me/${scene.business}`)
    }
  }
]

/** The shop's page of a customer with a level. */
export const CUSTOMER_LEVEL: ServiceScreenshot = {
  name: 'manage-customer-level',
  steps: async (scene) => {
    const { shop } = scene
    await setLevels(shop)
    const customer = await shop.register('+306901234567', 'Μαρία Παπαδοπούλου')
    await shop.credit(customer, 1250)
    await open(scene, `/customers/${customer}`)
  }
}
