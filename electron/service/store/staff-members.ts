/** The staff of the store, with the links by which they choose a password, and their sessions. */
import * as v from 'valibot'
import type { BusinessKey, NewBusiness } from '../domain/businesses.ts'
import {
  hashToken,
  newIdentifier,
  newToken,
  SECRET_FORM_TIME_MS,
  type RandomBytes
} from '../domain/identifiers.ts'
import { parseName } from '../domain/names.ts'
import { Refusal, RequestOver } from '../domain/refusal.ts'
import {
  SESSION_IDLE_MS,
  SESSION_TIME_MS,
  SIGN_IN_LINK_TIME_MS,
  sessionCookie,
  STAFF_ROLES,
  staffNameKey,
  USED_LINK_TIME_MS,
  type StaffMember
} from '../domain/staff.ts'
import { BusinessStore } from './businesses.ts'
import type { Database, Queries } from './database.ts'

interface StaffMemberDependencies {
  readonly database: Database
  readonly now: () => Date
  readonly random: RandomBytes
}

/** Whom a sign-in link is for: a member, or whoever makes the first business. */
export type SignInLink = { readonly member: StaffMember } | { readonly member: null }

const MINUTE_MS = 60_000

const COLUMNS = `staff_members.id, staff_members.business, staff_members.name, role, password_hash AS "passwordHash",
  staff_members.created_at AS "createdAt"`

const memberRow = v.object({
  id: v.string(),
  business: v.number(),
  name: v.string(),
  role: v.picklist(STAFF_ROLES),
  passwordHash: v.nullable(v.string()),
  createdAt: v.string()
})

const listedRow = v.object({ ...memberRow.entries, lastUsedAt: v.nullable(v.string()) })
const sessionRow = v.object({ ...memberRow.entries, lastUsedAt: v.string() })
const linkRow = v.object({ member: v.nullable(v.string()) })

/** A member as the list shows it. */
export type ListedStaffMember = v.InferOutput<typeof listedRow>

const nameTaken = (name: string): Refusal => new Refusal('staff-exists', `There is a ${name} already.`)

export class StaffMemberStore {
  readonly #database: Database
  readonly #now: () => Date
  readonly #random: RandomBytes

  constructor({ database, now, random }: StaffMemberDependencies) {
    this.#database = database
    this.#now = now
    this.#random = random
  }

  /**
   * Adds a member without a password; done already if the member who has the name has the `id`. Throws a `Refusal` for a
   * name that another member has, and for the `id` of a member who was removed since.
   */
  async add(
    business: BusinessKey,
    {
      name,
      role,
      id = newIdentifier('stf', this.#random)
    }: Pick<StaffMember, 'name' | 'role'> & { readonly id?: string },
    queries: Queries = this.#database
  ): Promise<StaffMember> {
    const createdAt = this.#now().toISOString()
    const added = await queries.write(
      `INSERT INTO staff_members (id, business, name, name_key, role, created_at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT DO NOTHING RETURNING id`,
      [id, business, name, staffNameKey(name), role, createdAt]
    )
    // A form that is sent twice, and a run whose answer was lost, may have added it.
    if (added.length === 0 && (await this.named(business, name))?.id !== id) {
      const removed = await queries.read('SELECT id FROM staff_members WHERE id = $1 AND name_key IS NULL', [
        id
      ])
      if (removed.length > 0) throw new Refusal('staff-removed', `${name} was removed since.`)
      throw nameTaken(name)
    }
    return { id, business, name, role, passwordHash: null, createdAt }
  }

  /** Returns a member who was not removed, or null. */
  async find(business: BusinessKey, id: string): Promise<StaffMember | null> {
    return this.#member('id = $2 AND name_key IS NOT NULL', [business, id])
  }

  /** Returns the member of this name, or null. */
  async named(business: BusinessKey, name: string): Promise<StaffMember | null> {
    return this.#member('name_key = $2', [business, staffNameKey(name)])
  }

  /** Returns the members, owners first, with the last use of a session. */
  async list(business: BusinessKey): Promise<readonly ListedStaffMember[]> {
    const rows = await this.#database.read(
      `SELECT ${COLUMNS}, (SELECT max(last_used_at) FROM sessions WHERE member = staff_members.id) AS "lastUsedAt"
       FROM staff_members WHERE business = $1 AND name_key IS NOT NULL ORDER BY role, created_at, id`,
      [business]
    )
    return rows.map((row) => v.parse(listedRow, row))
  }

  /** Returns the names of all members by id, removed ones included: the ledger names who made an entry. */
  async names(business: BusinessKey): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#database.read('SELECT id, name FROM staff_members WHERE business = $1', [
      business
    ])
    return new Map(
      rows
        .map((row) => v.parse(v.object({ id: v.string(), name: v.string() }), row))
        .map(({ id, name }) => [id, name])
    )
  }

  /** Removes a member and ends their sessions. Throws a `Refusal` for the last owner who can sign in. */
  remove(business: BusinessKey, id: string): Promise<void> {
    return this.#database.transaction(async (queries) => {
      await this.#lock(queries, business)
      await queries.write(
        'UPDATE staff_members SET name_key = NULL, password_hash = NULL WHERE business = $1 AND id = $2',
        [business, id]
      )
      const owners = await queries.read(
        `SELECT id FROM staff_members
         WHERE business = $1 AND role = 'owner' AND password_hash IS NOT NULL`,
        [business]
      )
      if (owners.length === 0) throw new Refusal('owner-missing', 'The shop needs an owner who can sign in.')
      await this.#endSessions(queries, id)
      await queries.write('DELETE FROM sign_in_links WHERE member = $1', [id])
    })
  }

  /** Whether an owner of the business has chosen a password. */
  async hasOwner(business: BusinessKey): Promise<boolean> {
    const owners = await this.#database.read(
      `SELECT id FROM staff_members WHERE business = $1 AND role = 'owner' AND password_hash IS NOT NULL LIMIT 1`,
      [business]
    )
    return owners.length > 0
  }

  /** Returns the owner who was invited and has not chosen a password, or adds one without a name. */
  async invitedOwner(business: BusinessKey): Promise<StaffMember> {
    const invited = await this.#member(`role = 'owner' AND name_key = ''`, [business])
    return invited ?? this.add(business, { name: '', role: 'owner' })
  }

  /**
   * Returns the secret of a new link by which a member chooses a password, valid once for a day; earlier ones of the
   * member are void.
   * @param member id; null for a link by which the first business is made
   * @param random with bytes that it has given before, returns the link that was made of them while that is valid. Throws a
   *   `Refusal` when that was used or replaced, or has expired.
   */
  async offerLink(member: string | null, random = this.#random): Promise<string> {
    const now = this.#now()
    const secret = newToken(random)
    const hash = hashToken(secret)
    const expiresAt = new Date(now.getTime() + SIGN_IN_LINK_TIME_MS).toISOString()
    await this.#database.transaction(async (queries) => {
      // Two links of a member follow each other.
      await queries.write('UPDATE staff_members SET name = name WHERE id = $1', [member])
      const added = await queries.write(
        `INSERT INTO sign_in_links (hash, member, expires_at) VALUES ($1, $2, $3)
         ON CONFLICT (hash) DO NOTHING RETURNING hash`,
        [hash, member, expiresAt]
      )
      if (added.length === 0) {
        if ((await this.findLink(secret, queries)) === null) throw new RequestOver()
        return
      }
      await queries.write(
        'UPDATE sign_in_links SET expires_at = $3 WHERE member = $1 AND hash <> $2 AND expires_at > $3',
        [member, hash, now.toISOString()]
      )
    })
    return secret
  }

  /** Returns whom a link is for; null for one that was used, replaced or has expired. */
  async findLink(secret: string, queries: Queries = this.#database): Promise<SignInLink | null> {
    const [row] = await queries.read(
      'SELECT member FROM sign_in_links WHERE hash = $1 AND expires_at > $2 AND is_used = 0',
      [hashToken(secret), this.#now().toISOString()]
    )
    if (row === undefined) return null
    const { member: id } = v.parse(linkRow, row)
    if (id === null) return { member: null }
    const [member] = await queries.read(`SELECT ${COLUMNS} FROM staff_members WHERE id = $1`, [id])
    return { member: v.parse(memberRow, member) }
  }

  /** Returns the member who has used a link a moment ago, for the form that is sent twice; null for another link. */
  async findUsedLink(secret: string): Promise<StaffMember | null> {
    const [row] = await this.#database.read(
      `SELECT ${COLUMNS} FROM sign_in_links JOIN staff_members ON staff_members.id = member
       WHERE hash = $1 AND expires_at > $2 AND is_used = 1 AND name_key IS NOT NULL`,
      [hashToken(secret), this.#now().toISOString()]
    )
    return row === undefined ? null : v.parse(memberRow, row)
  }

  /**
   * Uses a link up: gives its member a name and a password, in a transaction of the caller, and ends the member's other
   * sessions. Returns null for a link that is not valid. Throws a `Refusal` for a name that another member has.
   */
  async useLink(
    queries: Queries,
    secret: string,
    { name, passwordHash }: { readonly name: string; readonly passwordHash: string }
  ): Promise<StaffMember | null> {
    const member = (await this.findLink(secret, queries))?.member ?? null
    if (member === null) return null
    const used = await queries.write(
      'UPDATE sign_in_links SET is_used = 1, expires_at = $2 WHERE hash = $1 AND is_used = 0 RETURNING hash',
      [hashToken(secret), this.#usedUntil()]
    )
    if (used.length === 0) return null
    await this.#setIdentity(queries, member, { name: parseName(name), passwordHash })
    await this.#endSessions(queries, member.id)
    return { ...member, name, passwordHash }
  }

  /**
   * Uses up the link by which the first business is made: adds the business and its owner, in a transaction of the caller.
   * Returns null for a link that is not valid, and when there is a business already.
   */
  async makeFirst(
    queries: Queries,
    secret: string,
    { name, passwordHash }: { readonly name: string; readonly passwordHash: string },
    business: NewBusiness
  ): Promise<StaffMember | null> {
    if ((await this.findLink(secret, queries))?.member !== null) return null
    const used = await queries.write('DELETE FROM sign_in_links WHERE member IS NULL RETURNING hash', [])
    const businesses = await queries.read('SELECT business FROM businesses LIMIT 1')
    if (used.length === 0 || businesses.length > 0) return null
    const key = await new BusinessStore(queries).add(business)
    const member = await this.add(key, { name, role: 'owner' }, queries)
    await this.#setIdentity(queries, member, { name, passwordHash })
    await queries.write(
      'INSERT INTO sign_in_links (hash, member, expires_at, is_used) VALUES ($1, $2, $3, 1)',
      [hashToken(secret), member.id, this.#usedUntil()]
    )
    return { ...member, passwordHash }
  }

  /**
   * Replaces the password that `member` was read with, and ends all sessions of theirs. Returns false, and changes
   * nothing, when the member was removed or has another password by now.
   */
  setPassword(member: StaffMember, passwordHash: string): Promise<boolean> {
    return this.#database.transaction(async (queries) => {
      if (!(await this.#lockMember(queries, member))) return false
      await queries.write('UPDATE staff_members SET password_hash = $2 WHERE id = $1', [
        member.id,
        passwordHash
      ])
      await this.#endSessions(queries, member.id)
      return true
    })
  }

  /**
   * Begins a session and returns its cookie, of which only the hash is kept. Returns null when the member was removed, or
   * has another password than `member` was read with: checking a password takes long enough for both.
   */
  async beginSession(member: Pick<StaffMember, 'id' | 'passwordHash'>): Promise<string | null> {
    const cookie = sessionCookie(member.id, newToken(this.#random))
    const at = this.#now().toISOString()
    return this.#database.transaction(async (queries) => {
      if (!(await this.#lockMember(queries, member))) return null
      await queries.write(
        `INSERT INTO sessions (hash, member, created_at, last_used_at) VALUES ($1, $2, $3, $3)
         ON CONFLICT (hash) DO NOTHING`,
        [hashToken(cookie), member.id, at]
      )
      return cookie
    })
  }

  /** Returns who a session is of; null for one that has ended. Notes its use, to the minute. */
  async memberOf(business: BusinessKey, cookie: string): Promise<StaffMember | null> {
    const now = this.#now().getTime()
    const hash = hashToken(cookie)
    const [row] = await this.#database.read(
      `SELECT ${COLUMNS}, sessions.last_used_at AS "lastUsedAt" FROM sessions
       JOIN staff_members ON staff_members.id = sessions.member
       WHERE hash = $1 AND staff_members.business = $2 AND name_key IS NOT NULL AND sessions.last_used_at > $3 AND sessions.created_at > $4`,
      [
        hash,
        business,
        new Date(now - SESSION_IDLE_MS).toISOString(),
        new Date(now - SESSION_TIME_MS).toISOString()
      ]
    )
    if (row === undefined) return null
    const { lastUsedAt, ...member } = v.parse(sessionRow, row)
    if (now - Date.parse(lastUsedAt) >= MINUTE_MS) {
      await this.#database.write('UPDATE sessions SET last_used_at = $2 WHERE hash = $1', [
        hash,
        new Date(now).toISOString()
      ])
    }
    return member
  }

  /** Ends a session. */
  async endSession(cookie: string): Promise<void> {
    await this.#database.write('DELETE FROM sessions WHERE hash = $1', [hashToken(cookie)])
  }

  /** Ends every session of a member, such as on a device that was lost. */
  async endSessions(member: string): Promise<void> {
    await this.#endSessions(this.#database, member)
  }

  /** Forgets sessions and links that have ended. Call now and then. */
  async clean(): Promise<void> {
    const now = this.#now().getTime()
    await this.#database.write('DELETE FROM sessions WHERE last_used_at <= $1 OR created_at <= $2', [
      new Date(now - SESSION_IDLE_MS).toISOString(),
      new Date(now - SESSION_TIME_MS).toISOString()
    ])
    // One that has ended stays while the form that made it may be sent, which then makes no such link again.
    await this.#database.write('DELETE FROM sign_in_links WHERE expires_at <= $1', [
      new Date(now - SECRET_FORM_TIME_MS).toISOString()
    ])
  }

  #usedUntil(): string {
    return new Date(this.#now().getTime() + USED_LINK_TIME_MS).toISOString()
  }

  async #member(where: string, values: readonly [BusinessKey, string?]): Promise<StaffMember | null> {
    const [row] = await this.#database.read(
      `SELECT ${COLUMNS} FROM staff_members WHERE business = $1 AND ${where}`,
      values.filter((value) => value !== undefined)
    )
    return row === undefined ? null : v.parse(memberRow, row)
  }

  async #setIdentity(
    queries: Queries,
    { id, business }: StaffMember,
    { name, passwordHash }: { readonly name: string; readonly passwordHash: string }
  ): Promise<void> {
    await this.#lock(queries, business)
    const key = staffNameKey(name)
    const others = await queries.read(
      'SELECT id FROM staff_members WHERE business = $1 AND name_key = $2 AND id <> $3',
      [business, key, id]
    )
    if (others.length > 0) throw nameTaken(name)
    await queries.write(
      'UPDATE staff_members SET name = $2, name_key = $3, password_hash = $4 WHERE id = $1 AND name_key IS NOT NULL',
      [id, name, key, passwordHash]
    )
  }

  /** Locks a member until the transaction ends; false for one who was removed or has another password by now. */
  async #lockMember(
    queries: Queries,
    { id, passwordHash }: Pick<StaffMember, 'id' | 'passwordHash'>
  ): Promise<boolean> {
    // Both databases take equal hashes for equal, and NULL for no hash.
    const locked = await queries.write(
      `UPDATE staff_members SET name = name
       WHERE id = $1 AND name_key IS NOT NULL AND coalesce(password_hash, '') = $2 RETURNING id`,
      [id, passwordHash ?? '']
    )
    return locked.length > 0
  }

  async #endSessions(queries: Queries, member: string): Promise<void> {
    await queries.write('DELETE FROM sessions WHERE member = $1', [member])
  }

  /** Lets two changes of a shop's staff follow each other. */
  async #lock(queries: Queries, business: BusinessKey): Promise<void> {
    await queries.write('UPDATE businesses SET name = name WHERE business = $1', [business])
  }
}
