/** `staff list|link`: who signs in to the shop's pages, and a link for a password that was forgotten. */
import { systemRandomBytes } from '../domain/identifiers.ts'
import { Refusal } from '../domain/refusal.ts'
import { BusinessStore } from '../store/businesses.ts'
import type { Database } from '../store/database.ts'
import { PublicAddress } from '../store/public-address.ts'
import { StaffMemberStore } from '../store/staff-members.ts'
import type { ShopCommand } from './command.ts'
import { businessOf, businessOption, timeFormatOf } from './options.ts'

/** Businesses for which `serve` prints a link. A chain has more than a log should show. */
const MAX_LINKS = 3

const storeOf = (database: Database, now: () => Date): StaffMemberStore =>
  new StaffMemberStore({ database, now, random: systemRandomBytes })

/**
 * Returns links by which an owner chooses a password, valid once for a day: one for each business without an owner, and one
 * that makes the first business where there is none.
 */
export const firstLinks = async (
  database: Database,
  now: () => Date,
  publicUrl: string
): Promise<readonly string[]> => {
  const staff = storeOf(database, now)
  const link = async (member: string | null): Promise<string> =>
    `${publicUrl}/welcome/${await staff.offerLink(member)}`
  const businesses = await new BusinessStore(database).list()
  if (businesses.length === 0) return [await link(null)]
  const links: string[] = []
  for (const { key } of businesses) {
    if (links.length === MAX_LINKS) break
    if (!(await staff.hasOwner(key))) links.push(await link((await staff.invitedOwner(key)).id))
  }
  return links
}

export const staffCommands: readonly ShopCommand[] = [
  {
    name: 'staff list',
    summary: 'Lists who signs in to the pages of the shop.',
    options: businessOption,
    run: async (input) => {
      const business = await businessOf(input)
      const members = await storeOf(input.database, input.now).list(business.key)
      const timeText = timeFormatOf(business)
      const line = ({ id, name, role, passwordHash, lastUsedAt }: (typeof members)[number]): string =>
        `${id}  ${name || '(no name yet)'}  ${role}  ${
          passwordHash === null
            ? 'no password yet'
            : `last used ${lastUsedAt === null ? 'never' : timeText(lastUsedAt)}`
        }`
      const json = members.map(({ id, name, role, createdAt, lastUsedAt }) => ({
        ...{ id, name, role, createdAt, lastUsedAt }
      }))
      return { text: members.map(line).join('\n') || 'No staff yet.', json }
    }
  },
  {
    name: 'staff link',
    summary: 'Makes a link by which an owner, or who is named, chooses a password; valid once for a day.',
    args: ['[NAME]'],
    options: {
      ...businessOption,
      'public-url': { value: 'URL', text: 'origin of the service (default the one that serve was given)' }
    },
    run: async (input) => {
      const { key } = await businessOf(input)
      const staff = storeOf(input.database, input.now)
      const name = input.option('NAME')
      const owner = (await staff.list(key)).find(
        ({ role, passwordHash }) => role === 'owner' && passwordHash !== null
      )
      const member =
        name === undefined ? (owner ?? (await staff.invitedOwner(key))) : await staff.named(key, name)
      if (member === null) throw new Refusal('staff-unknown', `There is no ${String(name)}.`)
      const given = input.option('public-url') ?? (await new PublicAddress(input.database).read())
      const origin = (given ?? 'http://127.0.0.1:4010').replace(/\/+$/, '')
      const link = `${origin}/welcome/${await staff.offerLink(member.id)}`
      return { text: link, json: { member: member.id, link } }
    }
  }
]
