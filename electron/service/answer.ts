/** What an answer of the interface is, whatever it says: JSON that nobody may keep, with its language. */
import type { Context } from 'hono'
import { languageOf, type Language } from './messages/index.ts'

/** The language that the caller wants to be told things in. */
export const languageFor = (c: Context): Language => languageOf(c.req.header('x-lang'))

/**
 * Headers of every answer. They are given with the answer itself: set before it, they go through the system's
 * `Headers`, which takes a tenth of a request.
 */
export const headersFor = (c: Context): Readonly<Record<string, string>> => ({
  'Cache-Control': 'no-store',
  'Content-Language': languageFor(c)
})

/** Answers with `body`, which must be plain data. */
export const answer = (c: Context, body: object): Response => c.json(body, 200, headersFor(c))
