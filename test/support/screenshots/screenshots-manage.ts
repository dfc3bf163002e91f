/** What owner and staff see on the pages of a shop's own service, in every state, for screenshots. */
import { systemRandomBytes } from '../../../electron/service/domain/identifiers.ts'
import type { StaffRole } from '../../../electron/service/domain/staff.ts'
import { AttemptStore } from '../../../electron/service/store/attempts.ts'
import { CodeStore } from '../../../electron/service/store/codes.ts'
import { DeviceStore } from '../../../electron/service/store/devices.ts'
import { PairingStore } from '../../../electron/service/store/pairings.ts'
import { RewardStore } from '../../../electron/service/store/rewards.ts'
import { StaffMemberStore } from '../../../electron/service/store/staff-members.ts'
import { TillStore } from '../../../electron/service/store/tills.ts'
import type { Shop } from '../service-shop.ts'
import type { ServiceScene, ServiceScreenshot } from './service-runner.ts'

const DAY_MS = 86_400_000
const LONG_NAME = 'Παναγιώτης Κωνσταντινίδης-Παπαγεωργακόπουλος'
const LONG_REWARD =
  'Παραδοσιακό πρωινό για τέσσερα άτομα με χειροποίητη μαρμελάδα και φρέσκο χυμό πορτοκαλιού'

const shared = ({ database }: Shop, now: () => Date) => ({ database, now, random: systemRandomBytes })
const staffOf = (shop: Shop): StaffMemberStore => new StaffMemberStore(shared(shop, () => shop.now))

/** Does something as if it had been done so many days ago. */
const daysAgo = async (shop: Shop, days: number, change: () => Promise<unknown>): Promise<void> => {
  const then = shop.now
  shop.now = new Date(then.getTime() - days * DAY_MS)
  await change()
  shop.now = then
}

/** One member of the staff who has chosen a password. */
const join = async (shop: Shop, name: string, role: StaffRole) => {
  const staff = staffOf(shop)
  const member = await staff.add(shop.business, { name, role })
  const secret = await staff.offerLink(member.id)
  // Nobody signs in by the password.
  const identity = { name, passwordHash: 'scrypt:AA==:AA==' }
  await shop.database.transaction((queries) => staff.useLink(queries, secret, identity))
  return member
}

/** Signs the browser in, and opens a page of the shop. */
const open = async (scene: ServiceScene, below: string, role: StaffRole = 'owner'): Promise<void> => {
  const { shop, business, page, visit } = scene
  const member = await join(shop, role === 'owner' ? 'Μαρία' : 'Nikos', role)
  const value = await staffOf(shop).beginSession(member.id)
  await visit(`/manage/${business}/sign-in`)
  const url = new URL(`/manage/${business}`, page.url()).href
  await page.context().addCookies([{ name: `staff-${business}`, value, url, httpOnly: true }])
  await visit(`/manage/${business}${below}`)
}

const offer = async (shop: Shop, name: string, cost: number, index: number): Promise<string> => {
  const id = await shop.offer(cost, index)
  await new RewardStore(shop.database).update(shop.business, id, { name }, shop.now.toISOString())
  return id
}

const offerRewards = async (shop: Shop): Promise<void> => {
  await offer(shop, 'Espresso', 60, 1)
  await offer(shop, LONG_REWARD, 1_250, 2)
  const last = await offer(shop, 'Τούρτα σοκολάτα', 400, 3)
  await new RewardStore(shop.database).update(
    shop.business,
    last,
    { isEnable: false },
    shop.now.toISOString()
  )
}

/** Customers with thirty days of slips, and what was redeemed today. */
const fillDays = async (shop: Shop): Promise<void> => {
  const names = ['Άννα Γεωργίου', 'Ben Müller', 'Χαρά', 'علي حسن', LONG_NAME, 'Zoë Lefèvre']
  const customers: string[] = []
  for (let day = 29; day >= 0; day -= 1) {
    await daysAgo(shop, day, async () => {
      const name = names[customers.length]
      if (day % 5 === 4 && name !== undefined) {
        customers.push(await shop.register(`+30690123456${String(customers.length)}`, name))
      }
      for (let slip = 0; slip < 1 + ((day * 7) % 4); slip += 1) {
        const code = await shop.issue(20 + ((day * 37 + slip * 11) % 90))
        const customer = customers[(day + slip) % customers.length]
        if (customer !== undefined && (day + slip) % 3 > 0) await shop.collect(customer, code)
      }
    })
  }
  const reward = await offer(shop, 'Espresso', 30, 9)
  if (customers[0] !== undefined) await shop.redeem(customers[0], reward)
}

/** A customer with every kind of entry and a linked phone. */
const fullCustomer = async (shop: Shop, name = 'Άννα Γεωργίου'): Promise<string> => {
  const customer = await shop.register('+306901234567', name)
  const other = await shop.register('+306907654321', 'Anna G.')
  await daysAgo(shop, 40, async () => shop.collect(other, await shop.issue(100)))
  await shop.identities.merge(shop.business, customer, other)
  await daysAgo(shop, 31, async () => shop.collect(customer, await shop.issue(250)))
  await daysAgo(shop, 12, () => shop.adjust(customer, -15, 'Δύο φορές η ίδια απόδειξη'))
  await daysAgo(shop, 3, async () => {
    const { entry } = await shop.redeem(customer, await offer(shop, 'Espresso', 60, 7))
    await shop.reverse(customer, entry.id)
  })
  const devices = new DeviceStore(shared(shop, () => shop.now))
  const device = devices.create(shop.business)
  await devices.add(device)
  await devices.link(shop.business, customer, await devices.offerLink({ ...device, customer: null }))
  return customer
}

const addTills = async (shop: Shop): Promise<void> => {
  const dependencies = shared(shop, () => shop.now)
  const pairings = new PairingStore(dependencies)
  for (const name of ['Ταμείο 1', 'Ταμείο 2', 'Old till']) {
    const { code } = await pairings.add(shop.business, name)
    await pairings.trade(code)
  }
  const tills = new TillStore(shop.database)
  const [first, , last] = await tills.list(shop.business)
  await tills.noteUse(first?.id ?? '', shop.now.toISOString())
  await tills.revoke(last?.id ?? '', shop.now.toISOString())
}

/** Presses the last button of the page's forms with the given action. */
const submit = ({ page }: ServiceScene, action: string): Promise<void> =>
  page.locator(`main form[action$="${action}"] button`).last().click()

const CSV = `name,phone,email,balance
Άννα Γεωργίου,+306901234567,anna@example.com,250
Ben Müller,+4915112345678,,40
علي حسن,+201001234567,,0
,+306901234568,,5
Zoë,6901234569,,5
Ana,+306901234567,,7
Eva,+306901234570,no e-mail,1
Leo,+306901234571,,many
"open,+306901234572,,1
`

/** Reads a file with lines of every kind. */
const preview = async (scene: ServiceScene): Promise<void> => {
  await open(scene, '/data')
  const file = { name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) }
  await scene.page.locator('#file').setInputFiles(file)
  await submit(scene, '/imports')
}

/** The states that need no steps but a path. */
const plain = (
  name: string,
  below: string,
  prepare?: (shop: Shop) => Promise<unknown>
): ServiceScreenshot => ({
  name: `manage-${name}`,
  steps: async (scene) => {
    await prepare?.(scene.shop)
    await open(scene, below)
  }
})

/** States of one customer. */
const ofCustomer = (
  name: string,
  below: string,
  then?: (scene: ServiceScene, customer: string) => Promise<void>
): ServiceScreenshot => ({
  name: `manage-${name}`,
  steps: async (scene) => {
    const customer = await fullCustomer(scene.shop)
    await open(scene, `/customers/${customer}${below}`, 'staff')
    await then?.(scene, customer)
  }
})

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
  plain('customers-empty', '/customers'),
  plain('customers', '/customers', fillDays),
  plain('customers-none-found', '/customers?name=Xanthippe', fillDays),
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
  plain('profile', '/profile'),
  plain('data', '/data'),
  {
    name: 'manage-import-preview',
    steps: (scene) => preview(scene)
  },
  {
    name: 'manage-import-done',
    steps: async (scene) => {
      await preview(scene)
      await submit(scene, '/start')
      await scene.page.locator('main form[action$="/stop"]').waitFor({ state: 'detached' })
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
  plain('not-found', '/customers/nobody')
]
