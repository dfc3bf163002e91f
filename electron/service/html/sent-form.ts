/** Reads what a form sends, with proof that the form is this service's own. */
import type { Context } from 'hono'
import { MAX_BODY_BYTES, readBytes } from '../api/requests.ts'
import { LANGUAGE_FIELD } from './document.ts'

/** What is not kept of a form. */
const NOT_KEPT = ['password', 'repeated', 'current', LANGUAGE_FIELD]

/** What a form sent. */
export class SentForm {
  readonly #fields: URLSearchParams | FormData

  constructor(fields: URLSearchParams | FormData = new URLSearchParams()) {
    this.#fields = fields
  }

  /** Returns the text of a field, without the NUL characters that PostgreSQL does not hold; empty without the field. */
  text(field: string): string {
    const value = this.#fields.get(field)
    return typeof value === 'string' ? value.replaceAll('\0', '') : ''
  }

  /** names of the fields */
  get names(): readonly string[] {
    return [...this.#fields.keys()]
  }

  /** the texts of all fields but secrets, by name */
  get texts(): Readonly<Record<string, string>> {
    const names = this.names.filter((name) => !NOT_KEPT.includes(name))
    return Object.fromEntries(names.map((name) => [name, this.text(name)]))
  }

  /** Returns the file of a field; null without one, and for an empty one. */
  file(field: string): File | null {
    const value = this.#fields.get(field)
    return value instanceof File && value.size > 0 ? value : null
  }
}

/**
 * Returns the form of a POST, or null for one that another site's page sends. A browser says where a request comes from
 * (Fetch Metadata, 2.2); an older one, such as Safari before 16.4, sends the origin. Throws an `HttpError` for a body that is
 * larger than `maxBytes`.
 */
export const readForm = async (
  c: Context,
  publicUrl: string,
  maxBytes = MAX_BODY_BYTES
): Promise<SentForm | null> => {
  const site = c.req.header('sec-fetch-site')
  const isOwn = site === undefined ? c.req.header('origin') === publicUrl : site === 'same-origin'
  const type = c.req.header('content-type') ?? ''
  const bytes = await readBytes(c.req.raw, maxBytes)
  if (!isOwn) return null
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
    return new SentForm(new URLSearchParams(new TextDecoder().decode(bytes)))
  }
  if (!/^multipart\/form-data\b/i.test(type)) return null
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated for streams; this body is in memory
  const fields = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => null)
  return fields === null ? null : new SentForm(fields)
}
