/** Shops, customers and tills for the screenshots of the shop's pages, and the steps that many of them share. */
import { readFile, truncate, utimes, writeFile } from 'node:fs/promises'
import { join as joinPath } from 'node:path'
import { backupName } from '../../../electron/service/domain/backups.ts'
import { systemRandomBytes } from '../../../electron/service/domain/identifiers.ts'
import { parseLogo } from '../../../electron/service/domain/logos.ts'
import type { StaffRole } from '../../../electron/service/domain/staff.ts'
import { DeviceStore } from '../../../electron/service/store/devices.ts'
import { LogoStore } from '../../../electron/service/store/logos.ts'
import { PairingStore } from '../../../electron/service/store/pairings.ts'
import { RewardStore } from '../../../electron/service/store/rewards.ts'
import { StaffMemberStore } from '../../../electron/service/store/staff-members.ts'
import { TillStore } from '../../../electron/service/store/tills.ts'
import { OfflineTill, setLimits } from '../offline-till.ts'
import type { Shop } from '../service-shop.ts'
import type { ServiceScene, ServiceScreenshot } from './service-runner.ts'

const DAY_MS = 86_400_000
export const LONG_NAME = 'Παναγιώτης Κωνσταντινίδης-Παπαγεωργακόπουλος'
export const LONG_REWARD =
  'Παραδοσιακό πρωινό για τέσσερα άτομα με χειροποίητη μαρμελάδα και φρέσκο χυμό πορτοκαλιού'

const shared = ({ database }: Shop, now: () => Date) => ({ database, now, random: systemRandomBytes })
export const staffOf = (shop: Shop): StaffMemberStore => new StaffMemberStore(shared(shop, () => shop.now))

/** Does something as if it had been done so many days ago. */
export const daysAgo = async (shop: Shop, days: number, change: () => Promise<unknown>): Promise<void> => {
  const then = shop.now
  shop.now = new Date(then.getTime() - days * DAY_MS)
  await change()
  shop.now = then
}

/** One member of the staff who has chosen a password. */
export const join = async (shop: Shop, name: string, role: StaffRole) => {
  const staff = staffOf(shop)
  const member = await staff.add(shop.business, { name, role })
  const secret = await staff.offerLink(member.id)
  // Nobody signs in by the password.
  const identity = { name, passwordHash: 'scrypt:AA==:AA==' }
  await shop.database.transaction((queries) => staff.useLink(queries, secret, identity))
  return { ...member, ...identity }
}

/** Does something in the name of a customer, or of somebody at a till. */
const as = async (shop: Shop, by: string, change: () => Promise<unknown>): Promise<void> => {
  const before = shop.by
  shop.by = by
  await change()
  shop.by = before
}

/** Signs the browser in, and opens a page of the shop. */
export const open = async (scene: ServiceScene, below: string, role: StaffRole = 'owner'): Promise<void> => {
  const { shop, business, page, visit } = scene
  const member = await join(shop, role === 'owner' ? 'Μαρία' : 'Nikos', role)
  const value = (await staffOf(shop).beginSession(member)) ?? ''
  await visit(`/manage/${business}/sign-in`)
  const url = new URL(`/manage/${business}`, page.url()).href
  await page.context().addCookies([{ name: `staff-${business}`, value, url, httpOnly: true }])
  await visit(`/manage/${business}${below}`)
}

export const offer = async (shop: Shop, name: string, cost: number, index: number): Promise<string> => {
  const id = await shop.offer(cost, index)
  await new RewardStore(shop.database).update(shop.business, id, { name }, shop.now.toISOString())
  return id
}

export const offerRewards = async (shop: Shop): Promise<void> => {
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
export const fillDays = async (shop: Shop): Promise<void> => {
  const names = ['Άννα Γεωργίου', 'Ben Müller', 'Χαρά', 'علي حسن', LONG_NAME, 'Zoë Lefèvre']
  const customers: string[] = []
  shop.by = 'customer'
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
  const customer = customers[0] ?? ''
  await as(shop, `till:${await addTill(shop, 'Ταμείο 1')}`, () => shop.redeem(customer, reward))
}

/** A till that credits hardly anybody but two friends, and undoes some of it. */
export const fillUnusual = async (shop: Shop): Promise<void> => {
  const till = `till:${await addTill(shop, 'Ταμείο 1')}`
  const friends = [
    await shop.register('+306901234567', LONG_NAME),
    await shop.register('+306901234568', 'Άννα')
  ]
  for (let day = 5; day >= 0; day -= 1) {
    await daysAgo(shop, day, () =>
      as(shop, till, async () => {
        for (const friend of [...friends, ...friends]) await shop.credit(friend, 180)
        const { entry } = await shop.credit(friends[0] ?? '', 20)
        await shop.reverse(friends[0] ?? '', entry.id)
      })
    )
  }
}

/** Two branches, and cashiers with names. */
export const fillMakers = async (shop: Shop): Promise<void> => {
  const tills = new TillStore(shop.database)
  const customer = await shop.register('+306901234567', LONG_NAME)
  const reward = await offer(shop, 'Espresso', 30, 9)
  const counters = [
    ['till_sample', 'Ταμείο 1', 'Αγορά'],
    ['till_second', 'Ταμείο 2', 'Λιμάνι'],
    ['till_third', 'Kiosk', null]
  ] as const
  for (const [index, [id, name, branch]] of counters.entries()) {
    const createdAt = shop.now.toISOString()
    await tills.add({ id, business: shop.business, name, createdAt }, `hash ${id}`)
    await tills.change(shop.business, { id, name, branch })
    for (const cashier of [
      { number: index + 1, name: 'Ελένη' },
      { number: index + 7, name: LONG_NAME }
    ]) {
      for (let slip = 0; slip < 12 + index; slip += 1) await shop.issueAt(id, 85 + slip, cashier)
      await as(shop, `till:${id}`, async () => {
        await shop.credit(customer, 240, null, cashier)
        if (index === 0) await shop.redeem(customer, reward)
      })
    }
  }
}

/** A slip that a customer collected today. */
export const fillToday = async (shop: Shop): Promise<void> => {
  shop.by = 'customer'
  await shop.collect(await shop.register('+306901234567', LONG_NAME), await shop.issue(250))
}

/** More customers than a page shows. */
export const registerMany = async (shop: Shop): Promise<void> => {
  for (let index = 0; index < 65; index += 1) {
    await shop.register(`+3069012345${String(index).padStart(2, '0')}`, `Άννα ${String(index)}`)
  }
}

export const setLogo = async (shop: Shop): Promise<void> => {
  const bytes = await readFile(new URL('../../../resources/icons/icon.png', import.meta.url))
  const logo = await parseLogo(new Uint8Array(bytes))
  await shop.database.transaction((queries) => new LogoStore(queries).set(shop.business, logo))
}

/** A customer with every kind of entry and a linked phone. */
export const fullCustomer = async (shop: Shop, name = 'Άννα Γεωργίου'): Promise<string> => {
  shop.by = 'customer'
  const customer = await shop.register('+306901234567', name)
  const staff = `staff:${(await join(shop, 'Ελένη', 'staff')).id}`
  const till = `till:${await addTill(shop, 'Ταμείο 1')}`
  const other = await shop.register('+306907654321', 'Anna G.')
  await daysAgo(shop, 40, async () => shop.collect(other, await shop.issue(100)))
  await shop.identities.merge(shop.business, customer, other)
  await daysAgo(shop, 31, async () => shop.collect(customer, await shop.issue(250)))
  await daysAgo(shop, 12, () =>
    as(shop, staff, () => shop.adjust(customer, -15, 'Δύο φορές η ίδια απόδειξη'))
  )
  await daysAgo(shop, 3, () =>
    as(shop, till, async () => {
      const { entry } = await shop.redeem(customer, await offer(shop, 'Espresso', 60, 7))
      await shop.reverse(customer, entry.id)
    })
  )
  const devices = new DeviceStore(shared(shop, () => shop.now))
  const device = devices.create(shop.business)
  await devices.add(device)
  await devices.link(shop.business, customer, await devices.offerLink({ ...device, customer: null }))
  return customer
}

/** Pairs a till, and returns its id. */
const addTill = async (shop: Shop, name: string): Promise<string> => {
  const pairings = new PairingStore(shared(shop, () => shop.now))
  const { code } = await pairings.add(shop.business, name)
  await pairings.trade(code)
  const tills = await new TillStore(shop.database).list(shop.business)
  return tills.find((till) => till.name === name)?.id ?? ''
}

export const addTills = async (shop: Shop): Promise<void> => {
  for (const name of ['Ταμείο 1', 'Ταμείο 2', 'Old till']) await addTill(shop, name)
  const tills = new TillStore(shop.database)
  const [first, , last] = await tills.list(shop.business)
  await tills.noteUse(first?.id ?? '', shop.now.toISOString())
  await tills.revoke(last?.id ?? '', shop.now.toISOString())
}

/** Tills that print without a connection: one is stopped, one is not; slips that were not taken, for each reason, and two that are by now. */
export const fillOffline = async (shop: Shop): Promise<void> => {
  await addTills(shop)
  const [first, second] = await new TillStore(shop.database).list(shop.business)
  const [till, stopped] = [first, second].map((each) => new OfflineTill(shop, each?.id ?? ''))
  if (till === undefined || stopped === undefined) return
  await till.connect()
  await stopped.connect()
  const day = shop.now.toISOString().slice(0, 10)
  const above = [till.make(5200, day), till.make(6000, day)]
  await till.report([...[4900, 4800, 4700].map((points) => till.make(points, day)), ...above])
  shop.now = new Date(shop.now.getTime() + 60_000)
  await till.report([till.make(5000, day), till.make(5000, day), till.make(40, '2024-01-01')])
  await stopped.keys.stop(shop.business, stopped.id)
  await stopped.report([stopped.make(120, day)])
  await till.codes.allow(shop.business, above[0] ?? '', `staff:${(await join(shop, 'Νίκος', 'owner')).id}`)
  await setLimits(shop, { pointsOfCode: 6000, pointsOfDay: 26_000 })
  await till.report(above)
}

/** Presses the last button of the page's forms with the given action. */
export const submit = ({ page }: ServiceScene, action: string): Promise<void> =>
  page.locator(`main form[action$="${action}"] button`).last().click()

const CSV = `Customer name,Phone,Email,Points balance,Total visits,Bonus points 2025
Άννα Γεωργίου,+306901234567,anna@example.com,250.00,12,5
Ben Müller,+4915112345678,-,40.00,3,0
علي حسن,+201001234567,,0.00,1,0
,690 123 4568,,5.00
Zoë,12,,5.00,1,0
Ana,+306901234567,,7.00,1,0
Eva,+306901234570,no e-mail,1.00,1,0
Leo,+306901234571,,many,1,0
"open,+306901234572,,1.00,1,0
`

/** Reads a file with lines of every kind. */
export const preview = async (scene: ServiceScene): Promise<void> => {
  await open(scene, '/data')
  const file = { name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) }
  await scene.page.locator('#file').setInputFiles(file)
  await submit(scene, '/imports')
  // After the page of a file that is being read, which does not load again by itself here.
  await reloadUntil(scene, 'dl.figures')
}

/** A page of the owner, of a shop that was prepared. */
export const plain = (
  name: string,
  below: string,
  prepare?: (shop: Shop) => Promise<unknown>,
  then?: (scene: ServiceScene) => Promise<void>
): ServiceScreenshot => ({
  name: `manage-${name}`,
  steps: async (scene) => {
    await prepare?.(scene.shop)
    await open(scene, below)
    await then?.(scene)
  }
})

/** States of one customer. */
export const ofCustomer = (
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

/** Programs that make a backup: one for each of its ends, and two that stay where they are. */
export const BACKED_UP = `require('node:fs').writeFileSync(process.argv.at(-1), 'x'.repeat(14_630_000))`
export const BACKUP_FAILS = 'process.exit(1)'
export const BACKUP_COPIES = `process.stderr.write('pages: 1200 of 2871\\n'); setInterval(() => {}, 1000)`
export const BACKUP_CHECKS = `process.stderr.write('pages: 2871 of 2871\\n'); setInterval(() => {}, 1000)`

/** Backups of the last nights, the oldest of a small shop; and one that a power cut ended. */
export const addBackups = async ({ shop, backups }: ServiceScene): Promise<void> => {
  const sizes = [14_610_432, 14_204_928, 13_893_632, 987_136, 4_096]
  for (const [index, bytes] of sizes.entries()) {
    const at = new Date(shop.now.getTime() - (index + 1) * DAY_MS - 7.5 * 3_600_000)
    const file = joinPath(backups, backupName(at))
    await writeFile(file, '')
    await truncate(file, bytes)
    await utimes(file, at, at)
  }
  await writeFile(joinPath(backups, `${backupName(shop.now)}.partial`), '')
}

/** Loads the page again until it shows something. */
export const reloadUntil = async ({ page }: ServiceScene, shown: string): Promise<void> => {
  const found = page.locator(shown)
  for (let looks = 0; looks < 1000 && (await found.count()) === 0; looks += 1) await page.reload()
  await found.waitFor()
}

/** Presses *Backup now* and waits for what the page then says of it. */
export const backUpUntil = async (scene: ServiceScene, shown: string): Promise<void> => {
  await open(scene, '/data')
  await submit(scene, '/data/backup')
  await reloadUntil(scene, shown)
}
