/** A shop with its own pages, and the browsers of its owner and staff, without a network. */
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { hashPassword, type StaffRole } from '../../../../electron/service/domain/staff.ts'
import type { BackupFolder } from '../../../../electron/service/manage/backups.ts'
import { StaffMemberStore } from '../../../../electron/service/store/staff-members.ts'
import { openPages, type Visitor } from '../pages/visitor.ts'
import type { Shop } from '../store/shop.ts'

export const PASSWORD = 'coffee with milk'
/** One for all: each takes a third of a second. */
const passwordHash = await hashPassword(PASSWORD)

/** Opens a shop whose owner is Ana and whose staff is Ben; one in an empty database unless given. */
export const openOffice = async (opened?: Shop, backups?: BackupFolder) => {
  const pages = await openPages(opened, undefined, backups)
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

/** Where a form leads. */
export const locationOf = (response: Response): string | null => response.headers.get('location')

/** The hidden id of a page's form. */
export const requestOf = async (browser: Visitor, path: string): Promise<string> =>
  /name="request" value="([\w-]{43})"/.exec(await (await browser.get(path)).text())?.[1] ?? ''
