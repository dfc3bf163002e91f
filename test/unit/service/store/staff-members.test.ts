import { expect, it, onTestFinished } from 'vitest'
import { EMPTY_PROFILE } from '../../../../electron/service/domain/businesses.ts'
import {
  hashToken,
  newIdentifier,
  systemRandomBytes
} from '../../../../electron/service/domain/identifiers.ts'
import {
  hashPassword,
  isPassword,
  isPasswordAccepted,
  SESSION_IDLE_MS,
  SESSION_TIME_MS,
  SIGN_IN_LINK_TIME_MS
} from '../../../../electron/service/domain/staff.ts'
import { StaffMemberStore } from '../../../../electron/service/store/staff-members.ts'
import { createEmptyDatabase, openShop, type Shop } from './shop.ts'

const HASH = 'scrypt:AA==:AA=='

const openStaff = async () => {
  const shop = await openShop()
  let time = Date.parse('2026-11-25T08:00:00.000Z')
  const staff = new StaffMemberStore({
    database: shop.database,
    now: () => new Date(time),
    random: systemRandomBytes
  })
  return { shop, staff, later: (ms: number) => (time += ms) }
}

const join = async (
  { shop, staff }: { readonly shop: Shop; readonly staff: StaffMemberStore },
  name: string,
  role: 'owner' | 'staff'
) => {
  const member = await staff.add(shop.business, { name, role })
  const secret = await staff.offerLink(member.id)
  const joined = await shop.database.transaction((queries) =>
    staff.useLink(queries, secret, { name, passwordHash: HASH })
  )
  return { member: { ...member, passwordHash: HASH }, secret, joined }
}

it('hashes a password with a salt, and compares what is typed in another way', async () => {
  const stored = await hashPassword('Café am Eck')
  expect(stored).not.toBe(await hashPassword('Café am Eck'))
  expect(stored).not.toContain('Café')
  expect(await isPassword('Cafe\u0301 am Eck', stored)).toBe(true)
  expect(await isPassword('Cafe am Eck', stored)).toBe(false)
  expect(await isPassword('', null)).toBe(false)
  expect(isPasswordAccepted('9 letters')).toBe(false)
  expect(isPasswordAccepted('10 letters')).toBe(true)
  expect(isPasswordAccepted('x'.repeat(201))).toBe(false)
})

it('lets a link be used once, within a day, and only the newest of a member', async () => {
  const opened = await openStaff()
  const { shop, staff, later } = opened
  const { member, secret } = await join(opened, 'Ana', 'owner')
  expect(await staff.findLink(secret)).toBeNull()
  const first = await staff.offerLink(member.id)
  const second = await staff.offerLink(member.id)
  expect(await staff.findLink(first)).toBeNull()
  expect(await staff.findLink(second)).toMatchObject({ member: { id: member.id, name: 'Ana' } })
  expect(JSON.stringify(await shop.database.read('SELECT * FROM sign_in_links'))).not.toContain(second)
  later(SIGN_IN_LINK_TIME_MS)
  expect(await staff.findLink(second)).toBeNull()
})

it('gives two who use one link at once one password', async () => {
  const { shop, staff } = await openStaff()
  const member = await staff.add(shop.business, { name: 'Ana', role: 'owner' })
  const secret = await staff.offerLink(member.id)
  const used = await Promise.all(
    ['one', 'two'].map((passwordHash) =>
      shop.database.transaction((queries) => staff.useLink(queries, secret, { name: 'Ana', passwordHash }))
    )
  )
  const [winner] = used.filter((each) => each !== null)
  expect(used.filter((each) => each === null)).toHaveLength(1)
  expect((await staff.find(shop.business, member.id))?.passwordHash).toBe(winner?.passwordHash)
})

it('has one member of a name, whatever its case, and frees the name of a removed one', async () => {
  const opened = await openStaff()
  const { shop, staff } = opened
  await join(opened, 'Ana', 'owner')
  const { member } = await join(opened, 'Ben  Müller', 'staff')
  await expect(staff.add(shop.business, { name: 'ben müller', role: 'staff' })).rejects.toThrow('already')
  expect(await staff.named(shop.business, ' BEN müller ')).toMatchObject({ id: member.id })
  const cookie = (await staff.beginSession(member)) ?? ''
  await staff.remove(shop.business, member.id)
  expect(await staff.memberOf(shop.business, cookie)).toBeNull()
  expect(await staff.find(shop.business, member.id)).toBeNull()
  expect((await staff.names(shop.business)).get(member.id)).toBe('Ben  Müller')
  await staff.add(shop.business, { name: 'Ben Müller', role: 'staff' })
  expect((await staff.list(shop.business)).map(({ name }) => name)).toEqual(['Ana', 'Ben Müller'])
})

it('keeps an owner who can sign in, also when two remove each other', async () => {
  const opened = await openStaff()
  const { shop, staff } = opened
  const { member: one } = await join(opened, 'Ana', 'owner')
  await expect(staff.remove(shop.business, one.id)).rejects.toThrow('needs an owner')
  expect(await staff.find(shop.business, one.id)).not.toBeNull()
  const { member: other } = await join(opened, 'Eva', 'owner')
  const removed = await Promise.allSettled([one, other].map(({ id }) => staff.remove(shop.business, id)))
  expect(removed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await staff.hasOwner(shop.business)).toBe(true)
})

it('ends a session by signing out, unused for 12 hours, after 30 days, and by a new password', async () => {
  const opened = await openStaff()
  const { shop, staff, later } = opened
  const { member } = await join(opened, 'Ana', 'owner')
  const begin = async () => (await staff.beginSession(member)) ?? ''
  const isOpen = async (cookie: string) => (await staff.memberOf(shop.business, cookie)) !== null

  const signedOut = await begin()
  expect(JSON.stringify(await shop.database.read('SELECT * FROM sessions'))).not.toContain(signedOut)
  expect(await isOpen(signedOut)).toBe(true)
  expect(await staff.memberOf(shop.business + 1, signedOut)).toBeNull()
  await staff.endSession(signedOut)
  expect(await isOpen(signedOut)).toBe(false)

  const used = await begin()
  const unused = await begin()
  for (let spent = 0; spent < SESSION_TIME_MS; spent += SESSION_IDLE_MS - 1) {
    expect(await isOpen(used)).toBe(true)
    later(SESSION_IDLE_MS - 1)
  }
  expect(await isOpen(used)).toBe(false)
  expect(await isOpen(unused)).toBe(false)
  await staff.clean()
  expect(await shop.database.read('SELECT * FROM sessions')).toEqual([])

  const before = await begin()
  expect(await staff.setPassword(member, 'scrypt:BB==:BB==')).toBe(true)
  expect(await isOpen(before)).toBe(false)
})

it('begins no session, and sets no password, for what was checked before a change', async () => {
  const opened = await openStaff()
  const { shop, staff } = opened
  const { member: owner } = await join(opened, 'Ana', 'owner')
  const { member } = await join(opened, 'Ben', 'staff')
  expect(await staff.setPassword(owner, 'scrypt:BB==:BB==')).toBe(true)
  expect(await staff.beginSession(owner)).toBeNull()
  expect(await staff.setPassword(owner, 'scrypt:CC==:CC==')).toBe(false)

  const sessions = Array.from({ length: 12 }, () => staff.beginSession(member))
  await staff.remove(shop.business, member.id)
  for (const cookie of await Promise.all(sessions)) {
    expect(cookie && (await staff.memberOf(shop.business, cookie))).toBeNull()
  }
  expect(await staff.beginSession(member)).toBeNull()
  expect(await shop.database.read('SELECT * FROM sessions')).toEqual([])
})

it('knows no session of a member who was removed, whatever the table of sessions has', async () => {
  const opened = await openStaff()
  const { shop, staff } = opened
  await join(opened, 'Ana', 'owner')
  const { member } = await join(opened, 'Ben', 'staff')
  const cookie = (await staff.beginSession(member)) ?? ''
  expect((await staff.memberOf(shop.business, cookie))?.id).toBe(member.id)
  await staff.remove(shop.business, member.id)
  await shop.database.write(
    'INSERT INTO sessions (hash, member, created_at, last_used_at) VALUES ($1, $2, $3, $3)',
    [hashToken(cookie), member.id, '2026-11-25T08:00:00.000Z']
  )
  expect(await staff.memberOf(shop.business, cookie)).toBeNull()
})

it('invites one owner of a business that has none', async () => {
  const { shop, staff } = await openStaff()
  const member = await staff.invitedOwner(shop.business)
  expect(await staff.invitedOwner(shop.business)).toEqual(member)
  expect(await staff.hasOwner(shop.business)).toBe(false)
})

it('makes the first business once, however many links there are', async () => {
  const created = await createEmptyDatabase()
  const database = await created.open()
  onTestFinished(async () => {
    await database.close()
    await created.remove()
  })
  const staff = new StaffMemberStore({ database, now: () => new Date(), random: systemRandomBytes })
  const links = [await staff.offerLink(null), await staff.offerLink(null)]
  expect(await staff.findLink(links[0] ?? '')).toEqual({ member: null })
  const make = (secret: string) => {
    const business = {
      ...EMPTY_PROFILE,
      id: newIdentifier('usr', systemRandomBytes),
      createdAt: new Date().toISOString()
    }
    return database.transaction((queries) =>
      staff.makeFirst(queries, secret, { name: 'Ana', passwordHash: HASH }, business)
    )
  }
  const made = await Promise.all(links.map(make))
  const [owner] = made.filter((member) => member !== null)
  expect(made).toContain(null)
  expect(await staff.named(owner?.business ?? 0, 'ana')).toMatchObject({ role: 'owner', passwordHash: HASH })
  expect(await staff.findLink(links[1] ?? '')).toBeNull()
  const used = await Promise.all(links.map((secret) => staff.findUsedLink(secret)))
  expect(used.filter((member) => member !== null)).toMatchObject([{ id: owner?.id, passwordHash: HASH }])
})
