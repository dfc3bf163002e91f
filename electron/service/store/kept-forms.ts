/** What forms leave for the pages that answer them, for half an hour. The database cannot read it: see `sealForm`. */
import { createCipheriv, createDecipheriv, createSecretKey, hash, type KeyObject } from 'node:crypto'
import { deflateSync, inflateSync } from 'node:zlib'
import * as v from 'valibot'
import { hashOrderedToken, hashToken, newOrderedToken, type RandomBytes } from '../domain/identifiers.ts'
import type { Database } from './database.ts'
import type { Statement } from './rows.ts'

/** How long what a form left is kept: a phone is laid aside and taken up again. */
export const KEPT_MS = 30 * 60_000

/** Characters of a text that are kept; the rest of a longer one is dropped. */
const MAX_TEXT = 1000

const keptSchema = v.object({
  page: v.string(),
  outcome: v.string(),
  texts: v.record(v.string(), v.string()),
  /** id of the one member of the staff who may see it; anyone who finds it unless given */
  member: v.optional(v.string())
})

/** What a form leaves for the page that answers it. */
export type KeptForm = Readonly<v.InferOutput<typeof keptSchema>>

const foundRow = v.object({ sealed: v.string(), browser: v.string(), isBound: v.number() })

// A key is used once, so that the nonce may always be the same (NIST SP 800-38D, 8.2).
const NONCE = Buffer.alloc(12)
const TAG_BYTES = 16

/** Bytes from which a form is compressed: its fields have names like each other, and a cookie has little room. */
const MIN_COMPRESSED = 2000
/** Bytes of a form at most, before they are compressed: more than the largest one has. */
const MAX_BYTES = 1024 * 1024
/** The first byte of what is compressed (RFC 1950, 2.2); JSON begins with another one. */
const ZLIB = 0x78

// As an object: of bytes, Node makes one in twice the time.
const keyOf = (secret: string): KeyObject => createSecretKey(hash('sha256', `form ${secret}`, 'buffer'))

/** Encrypts with the secret of the page's address, of which the database has the hash: backups hold nothing that was typed. */
export const sealForm = (form: KeptForm, secret: string): string => {
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), NONCE)
  const json = Buffer.from(JSON.stringify(form))
  const sealed = json.length < MIN_COMPRESSED ? json : deflateSync(json)
  const text = Buffer.concat([cipher.update(sealed), cipher.final()])
  return Buffer.concat([cipher.getAuthTag(), text]).toString('base64url')
}

/** Returns what `sealForm` was given. Throws for another secret, and for what is not sealed. */
export const unsealForm = (sealed: string, secret: string): KeptForm => {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), NONCE)
  decipher.setAuthTag(bytes.subarray(0, TAG_BYTES))
  const text = Buffer.concat([decipher.update(bytes.subarray(TAG_BYTES)), decipher.final()])
  const json = text[0] === ZLIB ? inflateSync(text, { maxOutputLength: MAX_BYTES }) : text
  return v.parse(keptSchema, JSON.parse(json.toString()))
}

export class KeptFormStore {
  readonly #database: Database
  readonly #now: () => Date
  readonly #random: RandomBytes

  constructor({
    database,
    now,
    random
  }: {
    readonly database: Database
    readonly now: () => Date
    readonly random: RandomBytes
  }) {
    this.#database = database
    this.#now = now
    this.#random = random
  }

  /**
   * Returns the secret by which what a form leaves is found, and the statement that keeps it.
   *
   * @param browser what the browser's cookie says or will say
   * @param isBound whether the browser has sent that cookie, so that no other one finds the form
   */
  prepare(
    form: KeptForm,
    browser: string,
    isBound: boolean
  ): { readonly secret: string; readonly statement: Statement } {
    const secret = newOrderedToken(this.#now(), this.#random)
    const texts = Object.fromEntries(
      Object.entries(form.texts).map(([name, text]) => [name, text.slice(0, MAX_TEXT)])
    )
    const expiresAt = new Date(this.#now().getTime() + KEPT_MS).toISOString()
    const sealed = sealForm({ ...form, texts }, secret)
    return {
      secret,
      statement: {
        sql: `INSERT INTO kept_forms (hash, sealed, browser, is_bound, expires_at) VALUES ($1, $2, $3, $4, $5)
          ON CONFLICT (hash) DO NOTHING`,
        values: [hashOrderedToken(secret), sealed, hashToken(browser), isBound ? 1 : 0, expiresAt]
      }
    }
  }

  /** Keeps what a form leaves, as `prepare` says, and returns the secret. */
  async keep(form: KeptForm, browser: string, isBound: boolean): Promise<string> {
    const { secret, statement } = this.prepare(form, browser, isBound)
    await this.#database.write(statement.sql, statement.values)
    return secret
  }

  /**
   * Returns what was kept; null for an unknown or old secret, and for another browser than the one that sent the form. A
   * browser without cookies is not known again: what it sent is found by the secret alone.
   *
   * @param browser what the browser's cookie says; undefined without one
   */
  async find(secret: string, browser: string | undefined): Promise<KeptForm | null> {
    const hashed = hashOrderedToken(secret)
    const [row] = await this.#database.read(
      'SELECT sealed, browser, is_bound AS "isBound" FROM kept_forms WHERE hash = $1 AND expires_at > $2',
      [hashed, this.#now().toISOString()]
    )
    if (row === undefined) return null
    const found = v.parse(foundRow, row)
    const isOwn = browser !== undefined && hashToken(browser) === found.browser
    if (found.isBound === 1 && !isOwn) return null
    if (found.isBound === 0 && isOwn) {
      await this.#database.write('UPDATE kept_forms SET is_bound = 1 WHERE hash = $1', [hashed])
    }
    return unsealForm(found.sealed, secret)
  }

  /** Forgets what is older. Call now and then. */
  async clean(): Promise<void> {
    await this.#database.write('DELETE FROM kept_forms WHERE expires_at <= $1', [this.#now().toISOString()])
  }
}
