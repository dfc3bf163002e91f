/** What owner and staff see on the pages of a shop's own service, in every state, for screenshots. */
import { AttemptStore } from '../../../electron/service/store/attempts.ts'
import { CodeStore } from '../../../electron/service/store/codes.ts'
import { TillStore } from '../../../electron/service/store/tills.ts'
import { Shop } from '../service-shop.ts'
import {
  addBackups,
  addTills,
  BACKED_UP,
  BACKUP_CHECKS,
  BACKUP_COPIES,
  BACKUP_FAILS,
  backUpUntil,
  daysAgo,
  fillDays,
  fillMakers,
  fillOffline,
  fillToday,
  fillUnusual,
  fullCustomer,
  join,
  LONG_NAME,
  LONG_REWARD,
  ofCustomer,
  offer,
  offerRewards,
  open,
  plain,
  preview,
  registerMany,
  reloadUntil,
  setLogo,
  staffOf,
  submit
} from './manage-scenes.ts'
import { RULES_SCREENSHOTS } from './rules-scenes.ts'
import { CUSTOMER_LEVEL } from './standing-scenes.ts'
import type { ServiceScreenshot } from './service-runner.ts'

export const MANAGE_SCREENSHOTS: readonly ServiceScreenshot[] = [
  {
    name: 'manage-welcome-first',
    steps: async ({ shop, visit }) => visit(`/welcome/${await staffOf(shop).offerLink(null)}`)
  },
  {
    name: 'manage-welcome-colleague',
    steps: async (scene) => {
      const { shop, page, visit } = scene
      const member = await staffOf(shop).add(shop.business, { name: 'Nikos', role: 'staff' })
      await visit(`/welcome/${await staffOf(shop).offerLink(member.id)}`)
      await page.locator('#password').fill('short')
      await page.locator('#repeated').fill('short')
      await page.locator('main form button').click()
    }
  },
  { name: 'manage-link-used', steps: ({ visit }) => visit('/welcome/used') },
  { name: 'manage-which-shop', steps: ({ visit }) => visit('/manage') },
  {
    name: 'manage-sign-in',
    steps: ({ visit, business }) => visit(`/manage/${business}/sign-in?done=signed-out`)
  },
  {
    name: 'manage-sign-in-refused',
    steps: async (scene) => {
      const { page, visit, business } = scene
      await visit(`/manage/${business}/sign-in`)
      await page.locator('#name').fill('Μαρία')
      await page.locator('#password').fill('guessed')
      await submit(scene, '/sign-in')
    }
  },
  {
    name: 'manage-too-many-attempts',
    steps: async (scene) => {
      const { shop, page, visit, business } = scene
      const attempts = new AttemptStore(shop.database, () => shop.now)
      for (let tried = 0; tried < 21; tried += 1)
        await attempts.isAllowed(['sign-in', business, 'ana'], { count: 20, minutes: 60 })
      await visit(`/manage/${business}/sign-in`)
      await page.locator('#name').fill('Ana')
      await page.locator('#password').fill('guessed')
      await submit(scene, '/sign-in')
    }
  },
  plain('today-empty', '/today'),
  plain('today', '/today', fillDays),
  {
    name: 'manage-today-table',
    steps: async (scene) => {
      await fillDays(scene.shop)
      await open(scene, '/today')
      await scene.page.locator('summary').click()
    }
  },
  plain('redeemed-today', '/entries?kind=redeemed', fillDays),
  plain('collected-today', '/entries?kind=collected', fillToday),
  plain('activity', '/activity', fillUnusual),
  plain('activity-none', '/activity'),
  plain('today-unusual', '/today', fillUnusual),
  plain('by-till', '/by-till?days=7', fillMakers),
  plain('by-till-none', '/by-till'),
  plain('till', '/tills/till_sample', fillMakers),
  plain('customers-empty', '/customers'),
  plain('customers', '/customers', fillDays),
  plain('customers-none-found', '/customers?name=Xanthippe', fillDays),
  plain('customers-second-page', '/customers?page=2', registerMany),
  plain('customer-new', '/customers?name=01234500', registerMany, async ({ page }) => {
    await page.locator('.rows a').first().click()
  }),
  ofCustomer('customer', ''),
  ofCustomer('customer-refused', '', async (scene) => {
    await scene.page.locator('#points').fill('-5000')
    await scene.page.locator('#reason').fill('Λάθος')
    await submit(scene, '/adjust')
  }),
  ofCustomer('customer-reverse', '', async ({ page }) => {
    await page.locator('a[href*="/reverse?"]').first().click()
  }),
  ofCustomer('customer-merge', '', async ({ shop, page, visit, business }, customer) => {
    const other = await shop.register('+306901111111', 'Άννα')
    await visit(`/manage/${business}/customers?into=${customer}`)
    await page.locator(`a[href$="with=${other}"]`).click()
  }),
  ofCustomer('customer-choose-merge', '', async ({ shop, visit, business }, customer) => {
    await shop.register('+306901111111', LONG_NAME)
    await visit(`/manage/${business}/customers?into=${customer}`)
  }),
  ofCustomer('customer-correct', '/correct', async ({ page }) => {
    await page.locator('#phone').fill('690')
    await page.locator('form.narrow button').click()
  }),
  ofCustomer('customer-corrected', '/correct', async ({ page }) => {
    await page.locator('#email').fill('maria@example.org')
    await page.locator('form.narrow button').click()
  }),
  ofCustomer('customer-erase', '/erase'),
  {
    name: 'manage-customer-long',
    shopName: LONG_NAME,
    steps: async (scene) => {
      const customer = await fullCustomer(scene.shop, LONG_NAME)
      await scene.shop.collect(customer, await scene.shop.issue(9_000_000))
      await offer(scene.shop, LONG_REWARD, 1_250, 8)
      await open(scene, `/customers/${customer}`)
    }
  },
  plain('codes', '/codes', fillDays),
  plain('codes-not-found', '/codes?code=7QK2-M0ZC-4T9B'),
  {
    name: 'manage-code-expired',
    steps: async (scene) => {
      let code = ''
      await daysAgo(scene.shop, 91, async () => {
        code = await scene.shop.issue(250)
      })
      await open(scene, `/codes/${code}`)
    }
  },
  {
    name: 'manage-code-active',
    steps: async (scene) => open(scene, `/codes/${await scene.shop.issue(250)}`)
  },
  {
    name: 'manage-code-collected',
    steps: async (scene) => {
      const code = await scene.shop.issue(250)
      await scene.shop.collect(await scene.shop.register('+306901234567', LONG_NAME), code)
      await open(scene, `/codes/${code}`)
    }
  },
  {
    name: 'manage-code-cancelled',
    steps: async (scene) => {
      const { shop } = scene
      const code = await shop.issue(250)
      await new CodeStore(shop.database).cancel(shop.business, code, shop.now.toISOString())
      await open(scene, `/codes/${code}?done=code-cancelled`)
    }
  },
  plain('rewards-empty', '/rewards'),
  plain('rewards', '/rewards?done=reward-added', offerRewards),
  {
    name: 'manage-reward',
    steps: async (scene) => open(scene, `/rewards/${await offer(scene.shop, LONG_REWARD, 1_250, 1)}`)
  },
  CUSTOMER_LEVEL,
  ...RULES_SCREENSHOTS,
  plain('tills-empty', '/tills'),
  plain('tills', '/tills', addTills),
  {
    name: 'manage-till-code',
    steps: async (scene) => {
      await open(scene, '/tills')
      await scene.page.locator('#name').fill('Ταμείο 1')
      await submit(scene, '/tills')
    }
  },
  {
    name: 'manage-till-revoke',
    steps: async (scene) => {
      await addTills(scene.shop)
      const [till] = await new TillStore(scene.shop.database).list(scene.shop.business)
      await open(scene, `/tills/${till?.id ?? ''}/revoke`)
    }
  },
  plain('offline-none', '/offline'),
  plain('offline', '/offline?done=offline-allowed', fillOffline),
  plain('today-offline', '/today', fillOffline),
  plain('codes-offline', '/codes', fillOffline),
  {
    name: 'manage-offline-stop',
    steps: async (scene) => {
      await addTills(scene.shop)
      const [till] = await new TillStore(scene.shop.database).list(scene.shop.business)
      await open(scene, `/offline/tills/${till?.id ?? ''}/stop`)
    }
  },
  plain('profile', '/profile'),
  plain('profile-logo', '/profile?done=saved', setLogo),
  plain('data', '/data'),
  { name: 'manage-data-no-backups', backUpBy: BACKED_UP, steps: (scene) => open(scene, '/data') },
  {
    name: 'manage-data-backups',
    backUpBy: BACKED_UP,
    steps: async (scene) => {
      await addBackups(scene)
      await open(scene, '/data')
    }
  },
  {
    name: 'manage-data-several-shops',
    backUpBy: BACKED_UP,
    steps: async (scene) => {
      await Shop.addTo(scene.shop.database)
      await open(scene, '/data')
    }
  },
  {
    name: 'manage-backup-copied',
    backUpBy: BACKUP_COPIES,
    steps: (scene) => backUpUntil(scene, 'progress[value="1200"]')
  },
  {
    name: 'manage-backup-checked',
    backUpBy: BACKUP_CHECKS,
    steps: (scene) => backUpUntil(scene, 'progress[value="2871"]')
  },
  {
    name: 'manage-backup-made',
    backUpBy: BACKED_UP,
    steps: (scene) => backUpUntil(scene, 'main > .done + p > a')
  },
  {
    name: 'manage-backup-failed',
    backUpBy: BACKUP_FAILS,
    steps: (scene) => backUpUntil(scene, 'main > .fault')
  },
  {
    name: 'manage-backup-refused',
    backUpBy: BACKUP_COPIES,
    steps: async (scene) => {
      await addBackups(scene)
      await open(scene, '/data')
      const { page } = scene
      // In another window meanwhile.
      const other = await page.context().newPage()
      await other.goto(page.url())
      await other.locator('main form[action$="/data/backup"] button').click()
      await other.close()
      await submit(scene, '/data/backup')
    }
  },
  {
    name: 'manage-backup-cancelled',
    backUpBy: BACKUP_COPIES,
    steps: async (scene) => {
      await addBackups(scene)
      await backUpUntil(scene, 'progress')
      await submit(scene, '/cancel')
    }
  },
  {
    name: 'manage-import-preview',
    steps: (scene) => preview(scene)
  },
  {
    name: 'manage-import-done',
    steps: async (scene) => {
      await preview(scene)
      await submit(scene, '/start')
      await reloadUntil(scene, 'main:not(:has(form[action$="/stop"]))')
    }
  },
  plain('staff', '/staff', (shop) => join(shop, 'Nikos', 'staff')),
  {
    name: 'manage-staff-member',
    steps: async (scene) => open(scene, `/staff/${(await join(scene.shop, 'Nikos', 'staff')).id}`)
  },
  {
    name: 'manage-staff-link',
    steps: async (scene) => {
      await open(scene, '/staff')
      await scene.page.locator('#name').fill('Nikos')
      await submit(scene, '/staff')
    }
  },
  plain('me', '/me'),
  {
    name: 'manage-menu',
    steps: async (scene) => {
      await open(scene, '/rewards')
      const menu = scene.page.locator('.menu')
      if (await menu.isVisible()) await menu.click()
    }
  },
  { name: 'manage-owners-only', steps: (scene) => open(scene, '/rewards', 'staff') },
  plain('not-found', '/customers/nobody'),
  plain('form-of-another-site', '/rewards', undefined, async ({ page }) => {
    const address = page.url()
    await page.goto('about:blank')
    await page.setContent(`<form method="post" action="${address}"><button>Send</button></form>`)
    await page.locator('button').click()
    await page.waitForURL(`${address}?notice=forged`)
  }),
  {
    name: 'manage-unavailable',
    isUnavailable: true,
    steps: ({ visit, business }) => visit(`/manage/${business}/today`)
  }
]
