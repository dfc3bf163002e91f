/** A shop with its own pages, and the browsers of its owner and staff, without a network. */
import { ActivityStore } from '../../../../electron/service/store/activity.ts'
import { patternId } from '../../../../electron/service/store/explanations.ts'
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { hashPassword, type StaffRole } from '../../../../electron/service/domain/staff.ts'
import type { BackupFolder } from '../../../../electron/service/manage/backups.ts'
import { DeviceStore } from '../../../../electron/service/store/devices.ts'
import { StaffMemberStore } from '../../../../electron/service/store/staff-members.ts'
import { CHEAP, openPages, type Visitor } from '../pages/visitor.ts'
import type { Shop } from '../store/shop.ts'

export const PASSWORD = 'coffee with milk'
/** Opens a shop whose owner is Ana and whose staff is Ben; one in an empty database unless given. */
export const openOffice = async (opened?: Shop, backups?: BackupFolder, cost = CHEAP) => {
  const pages = await openPages(opened, undefined, backups, cost)
  const passwordHash = await hashPassword(PASSWORD, cost)
  const { shop, business } = pages
  const { database } = shop
  const staff = new StaffMemberStore({ database, now: () => shop.now, random: systemRandomBytes })
  const join = async (name: string, role: StaffRole) => {
    const member = await staff.add(shop.business, { name, role })
    const secret = await staff.offerLink(member.id)
    await database.transaction((queries) => staff.useLink(queries, secret, { name, passwordHash }))
    return { ...member, passwordHash }
  }
  const members = { owner: await join('Ana', 'owner'), staff: await join('Ben', 'staff') }
  return {
    ...pages,
    staff,
    members,
    /** path of a page of the shop */
    path: (below: string): string => `/manage/${business}${below}`,
    /** Returns a browser in which somebody is signed in. */
    signedIn: async (role: StaffRole): Promise<Visitor> => {
      const visitor = pages.visitor()
      visitor.setCookie(`staff-${business}`, (await staff.beginSession(members[role])) ?? '')
      return visitor
    }
  }
}

/** Opens a shop with two of everything that a page can list; one in an empty database unless given. */
export const openFull = async (opened?: Shop) => {
  const office = await openOffice(opened)
  const { shop, staff, members } = office
  shop.by = 'customer'
  const customer = await shop.register('+306901234567', 'Μαρία')
  await shop.register('+306907654321', 'Eva')
  for (const points of [100, 200]) await shop.collect(customer, await shop.issue(points))
  const [reward] = [await shop.offer(10, 1), await shop.offer(20, 2)]
  const devices = new DeviceStore({ database: shop.database, now: () => shop.now, random: systemRandomBytes })
  for (const minutes of [0, 1]) {
    const device = devices.create(shop.business)
    await devices.add(device)
    shop.now = new Date(shop.now.getTime() + minutes * 60_000)
    await devices.link(
      shop.business,
      customer,
      await devices.offerLink({ id: device.id, business: shop.business, customer: null })
    )
  }
  for (const number of [1, 2]) {
    await shop.database.write(
      `INSERT INTO tokens (id, business, hash, name, created_at) VALUES ($2, $1, $2, $3, '2026-11-21T10:00:00.000Z')`,
      [shop.business, `till_${number}`, `Till ${number}`]
    )
  }
  const entry = (await shop.identities.export(shop.business, customer))?.entries[0]?.id ?? ''
  const welcome = `/welcome/${await staff.offerLink((await staff.add(shop.business, { name: 'Nikos', role: 'staff' })).id)}`
  return { ...office, customer, reward, entry, welcome, member: members.staff.id }
}

/** Lets a till give a customer points so often that it is unusual. Returns the id of the pattern. */
export const addUnusual = async (shop: Shop, till: string, customer: string): Promise<string> => {
  const { by } = shop
  shop.by = `till:${till}`
  await Promise.all(Array.from({ length: 9 }, () => shop.credit(customer, 1)))
  shop.by = by
  const limits = { creditLimit: null, creditApprovalLimit: null }
  const business = { key: shop.business, timeZone: 'Europe/Athens', ...limits }
  const [pattern] = await new ActivityStore(shop.database).unusual(business, shop.now)
  if (pattern === undefined) throw new Error('nothing is unusual')
  return patternId(shop.business, pattern)
}

/** Where a form leads. */
export const locationOf = (response: Response): string | null => response.headers.get('location')

/** The hidden id of a page's form. */
export const requestOf = async (browser: Visitor, path: string): Promise<string> =>
  /name="request" value="([\w.-]+)"/.exec(await (await browser.get(path)).text())?.[1] ?? ''
