/** What customers see on the pages of a shop's own service, in every state, for screenshots. */
import { newIdentifier, systemRandomBytes } from '../../../electron/service/domain/identifiers.ts'
import { AttemptStore } from '../../../electron/service/store/attempts.ts'
import { CodeStore } from '../../../electron/service/store/codes.ts'
import { RewardStore } from '../../../electron/service/store/rewards.ts'
import { OfflineTill } from '../offline-till.ts'
import type { Shop } from '../service-shop.ts'
import { rewards } from './sample-data.ts'
import type { ServiceScene, ServiceScreenshot } from './service-runner.ts'
import { addDevice, beLinked, STANDING_SCREENSHOTS } from './standing-scenes.ts'

const DAY_MS = 86_400_000

/** With the country, which is not each shop's own. */
const PHONE = '+30 690 123 4567'
const LONG_NAME = 'Παραδοσιακό Καφενείο των Αδελφών Παπαδοπούλου και Υιών'
const LONG_REWARD =
  'Παραδοσιακό πρωινό για τέσσερα άτομα με χειροποίητη μαρμελάδα και φρέσκο χυμό πορτοκαλιού'

/** Presses the button of the page's form. */
const submit = (page: ServiceScene['page']): Promise<void> => page.locator('main form button').first().click()

const offer = async (
  { database, business }: Shop,
  name: string,
  cost: number,
  index: number
): Promise<void> => {
  const at = '2026-10-01T08:00:00.000Z'
  const id = newIdentifier('rew', systemRandomBytes)
  await new RewardStore(database).add(business, {
    id,
    name,
    cost,
    index,
    isEnable: true,
    createdAt: at,
    updatedAt: at
  })
}

const offerRewards = async (shop: Shop): Promise<void> => {
  for (const [at, { name, cost }] of rewards.slice(0, 6).entries()) await offer(shop, name, cost ?? 0, at + 1)
}

/** Issues a code and opens its page. */
const openCode = async ({ shop, visit }: ServiceScene, points = 250): Promise<string> => {
  const code = await shop.issue(points)
  await visit(`/q/${code}`)
  return code
}

/** Collects a code with the number of the phone. */
const collect = async (scene: ServiceScene, points = 250): Promise<string> => {
  const code = await openCode(scene, points)
  const { page } = scene
  await page.locator('#phone').fill(PHONE)
  await submit(page)
  return code
}

/** A device with every kind of entry, rewards, and another phone. */
const openFullAccount = async (scene: ServiceScene, name?: string): Promise<string> => {
  const { shop, business, visit } = scene
  await offerRewards(shop)
  const customer = await beLinked(scene, name)
  const asOf = async (daysAgo: number, change: (at: Shop) => Promise<unknown>): Promise<void> => {
    const then = new Date(shop.now)
    shop.now = new Date(then.getTime() - daysAgo * DAY_MS)
    await change(shop)
    shop.now = then
  }
  await asOf(40, async (at) => at.collect(customer, await at.issue(250)))
  await asOf(31, async (at) => at.collect(customer, await at.issue(1)))
  await asOf(12, (at) => at.adjust(customer, -15))
  await asOf(3, async (at) => {
    const reward = await at.offer(120, 7)
    const { entry } = await at.redeem(customer, reward)
    await at.reverse(customer, entry.id)
    await at.redeem(customer, reward)
  })
  await asOf(0, async (at) => at.collect(customer, await at.issue(64)))
  await addDevice(shop, customer, new Date(shop.now.getTime() - 9 * DAY_MS))
  await visit(`/me/${business}`)
  return customer
}

/** Every page in every state that looks different, by name. */
export const SERVICE_SCREENSHOTS: readonly ServiceScreenshot[] = [
  {
    name: 'code',
    steps: async (scene) => {
      await openCode(scene)
    }
  },
  {
    name: 'code-wrong-phone',
    steps: async (scene) => {
      await openCode(scene, 1250)
      await scene.page.locator('#phone').fill('12')
      await submit(scene.page)
    }
  },
  {
    name: 'code-wrong-name',
    steps: async (scene) => {
      await openCode(scene, 1)
      await scene.page.locator('#phone').fill(PHONE)
      await scene.page.locator('#name').evaluate((input) => input.removeAttribute('maxlength'))
      await scene.page.locator('#name').fill('Maria '.repeat(40))
      await submit(scene.page)
    }
  },
  {
    name: 'code-long',
    shopName: LONG_NAME,
    steps: async (scene) => {
      await openCode(scene, 9_999_999)
    }
  },
  {
    name: 'code-linked',
    steps: async (scene) => {
      await beLinked(scene)
      await openCode(scene)
    }
  },
  {
    name: 'code-other-number',
    steps: async (scene) => {
      await beLinked(scene)
      const code = await openCode(scene)
      await scene.visit(`/q/${code}?other=yes`)
    }
  },
  {
    name: 'code-in-another-language',
    steps: async (scene) => {
      await openCode(scene)
      const { page } = scene
      await page.locator('#phone').fill('690 12')
      await page.locator('#name').fill('Μαρία')
      await page.locator('footer button[aria-current]').click()
    }
  },
  { name: 'code-to-type', steps: ({ visit }) => visit('/') },
  {
    name: 'collected',
    steps: async (scene) => {
      await collect(scene)
    }
  },
  {
    name: 'collected-linked',
    steps: async (scene) => {
      await beLinked(scene)
      await openCode(scene)
      await submit(scene.page)
    }
  },
  {
    name: 'collected-without-cookies',
    isWithoutCookies: true,
    steps: async (scene) => {
      await collect(scene)
    }
  },
  {
    name: 'collected-again',
    steps: async (scene) => {
      const code = await collect(scene, 2)
      await scene.visit(`/q/${code}`)
    }
  },
  {
    name: 'code-used',
    steps: async (scene) => {
      const { shop, visit } = scene
      const code = await shop.issue(250)
      await shop.collect(await shop.register('+306901234567'), code)
      await visit(`/q/${code}`)
    }
  },
  {
    name: 'code-expired',
    steps: async ({ shop, visit }) => {
      const then = shop.now
      shop.now = new Date(then.getTime() - 91 * DAY_MS)
      const code = await shop.issue(250)
      shop.now = then
      await visit(`/q/${code}`)
    }
  },
  {
    name: 'code-cancelled',
    steps: async ({ shop, visit }) => {
      const code = await shop.issue(250)
      await new CodeStore(shop.database).cancel(shop.business, code, shop.now.toISOString())
      await visit(`/q/${code}`)
    }
  },
  {
    name: 'code-offline-refused',
    steps: async (scene) => {
      const till = await OfflineTill.addTo(scene.shop)
      await till.connect()
      await scene.visit(`/q/${till.make(5001, scene.shop.now.toISOString().slice(0, 10))}`)
    }
  },
  {
    name: 'code-offline-asked',
    steps: async (scene) => {
      const till = await OfflineTill.addTo(scene.shop)
      await till.connect()
      await scene.visit(`/q/${till.make(5001, scene.shop.now.toISOString().slice(0, 10))}`)
      await submit(scene.page)
    }
  },
  { name: 'code-unknown', steps: ({ visit }) => visit('/q/000000000000') },
  {
    name: 'code-form-of-another-site',
    steps: async (scene) => {
      await openCode(scene)
      const { page } = scene
      const address = page.url()
      await page.goto('about:blank')
      await page.setContent(
        `<main><form method="post" action="${address}"><button>Send</button></form></main>`
      )
      await submit(page)
      await page.waitForURL(`${address}?notice=forged`)
    }
  },
  {
    name: 'too-many-attempts',
    steps: async ({ shop, address, visit }) => {
      const attempts = new AttemptStore(shop.database, () => shop.now)
      for (let tried = 0; tried < 31; tried += 1)
        await attempts.isAllowed(['miss', address], { count: 30, minutes: 10 })
      await visit('/q/000000000000')
    }
  },
  { name: 'account-new', steps: ({ business, visit }) => visit(`/me/${business}`) },
  {
    name: 'account-unlinked',
    steps: async (scene) => {
      await offerRewards(scene.shop)
      await collect(scene, 250)
      await collect(scene, 1)
      await scene.visit(`/me/${scene.business}`)
    }
  },
  {
    name: 'account-digits',
    steps: async ({ page, business, visit }) => {
      await visit(`/me/${business}`)
      await submit(page)
    }
  },
  {
    name: 'account-digits-over',
    steps: async ({ page, shop, business, visit }) => {
      await visit(`/me/${business}`)
      await submit(page)
      await shop.database.write('DELETE FROM link_codes WHERE business = $1', [shop.business])
      await page.reload()
    }
  },
  {
    name: 'account-without-cookies',
    isWithoutCookies: true,
    steps: async ({ page, business, visit }) => {
      await visit(`/me/${business}`)
      await submit(page)
    }
  },
  {
    name: 'account-linked',
    steps: async (scene) => {
      await openFullAccount(scene)
    }
  },
  {
    name: 'account-linked-empty',
    steps: async (scene) => {
      await beLinked(scene)
      await scene.visit(`/me/${scene.business}`)
    }
  },
  ...STANDING_SCREENSHOTS,
  {
    name: 'account-code-over',
    steps: async (scene) => {
      await beLinked(scene)
      await scene.visit(`/me/${scene.business}`)
      await scene.page
        .frames()[1]
        ?.goto(new URL(`/me/${scene.business}/code?renewed=5`, scene.page.url()).href)
    }
  },
  {
    name: 'account-unlink',
    steps: async (scene) => {
      await openFullAccount(scene)
      await scene.page.locator('a[href*="unlink"]').first().click()
    }
  },
  {
    name: 'account-unlink-other',
    steps: async (scene) => {
      await openFullAccount(scene)
      await scene.page.locator('a[href*="unlink"]').last().click()
    }
  },
  {
    name: 'account-unlinked-other',
    steps: async (scene) => {
      await openFullAccount(scene)
      await scene.page.locator('a[href*="unlink"]').last().click()
      await submit(scene.page)
    }
  },
  {
    name: 'account-unlinked-now',
    steps: async (scene) => {
      await openFullAccount(scene)
      await scene.page.locator('a[href*="unlink"]').first().click()
      await submit(scene.page)
    }
  },
  {
    name: 'account-long',
    shopName: LONG_NAME,
    steps: async (scene) => {
      await offer(scene.shop, LONG_REWARD, 9_999_999, 9)
      const customer = await openFullAccount(scene, 'Nikolaos Konstantinidis-Papageorgopoulos')
      await scene.shop.collect(customer, await scene.shop.issue(9_000_000))
      await scene.page.reload()
    }
  },
  {
    name: 'account-delete',
    steps: async (scene) => {
      await openFullAccount(scene)
      await scene.visit(`/me/${scene.business}/delete`)
    }
  },
  {
    name: 'account-deleted',
    steps: async (scene) => {
      await beLinked(scene)
      await scene.visit(`/me/${scene.business}/delete`)
      await submit(scene.page)
    }
  },
  { name: 'join', steps: ({ business, visit }) => visit(`/join/${business}`) },
  {
    name: 'join-wrong-phone',
    steps: async ({ page, business, visit }) => {
      await visit(`/join/${business}`)
      // Too short for any country.
      await page.locator('#phone').fill('12')
      await submit(page)
    }
  },
  {
    name: 'joined',
    steps: async ({ page, business, visit }) => {
      await visit(`/join/${business}`)
      await page.locator('#phone').fill(PHONE)
      await submit(page)
    }
  },
  { name: 'unavailable', isUnavailable: true, steps: ({ business, visit }) => visit(`/me/${business}`) },
  { name: 'not-found', steps: ({ visit }) => visit('/me') },
  {
    name: 'error',
    // The page cannot write a date.
    timeZone: 'Mars/Olympus',
    steps: async (scene) => {
      const code = await collect(scene)
      await scene.visit(`/q/${code}`)
    }
  }
]
