/** QR codes that carry points: create and read (interface document, 4.8 and 4.9). */
import * as v from 'valibot'
import { answer } from '../answer.ts'
import { MAXIMUM_POINTS } from '../../contract/failure.ts'
import { readJson } from '../body.ts'
import { Refusal } from '../errors.ts'
import { newCode } from '../identifiers.ts'
import type { App, Parts } from '../service.ts'
import type { BusinessNumber } from '../store/businesses.ts'
import type { StoredCode } from '../store/codes.ts'

/** The document does not show what the image parameter is called; this service calls it so. */
const imageParameter = 'image'

/** Codes to try before giving up. */
const attempts = 5

/** A number: which numbers are refused with which status is the route's to say. */
const newPoints = v.object({ points: v.number('points-not-whole') }, (issue) =>
  issue.path?.[0]?.key === 'points' ? 'points-not-whole' : 'body-not-object'
)

/** Adds the routes to `app`. */
export const codeRoutes = (app: App, { codes, links, now, random }: Parts): void => {
  /** The document's QR (part 2). `usedDate` and `qrImageURL` are empty texts while there is none. */
  const body = (stored: StoredCode) => ({
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
    code: stored.code,
    rewardPoints: stored.points,
    status: stored.usedAt === null ? 'active' : 'used',
    usedDate: stored.usedAt ?? '',
    qrURL: links.code(stored.code),
    qrImageURL: stored.image ? links.codeImage(stored.code) : ''
  })

  /** Adds a code that the business does not have yet: equal ones of 60 random bits are rare, and not impossible. */
  const add = (business: BusinessNumber, rest: Omit<StoredCode, 'code'>): StoredCode => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const stored = { ...rest, code: newCode(random) }
      if (codes.add(business, stored)) return stored
    }
    throw new Error(`the same codes came up ${attempts} times: the source of random bytes is broken`)
  }

  app.post('/qr', async (c) => {
    const { points } = await readJson(c.req.raw, newPoints)
    if (points > MAXIMUM_POINTS) throw new Refusal(406, 'points-too-many', { most: MAXIMUM_POINTS })
    if (!Number.isInteger(points) || points < 1) throw new Refusal(400, 'points-not-whole')
    const at = now().toISOString()
    const image = c.req.query(imageParameter) === '1'
    return answer(
      c,
      body(add(c.get('business'), { points, image, createdAt: at, updatedAt: at, usedAt: null }))
    )
  })

  app.get('/qr/:code', (c) => {
    // Codes are printed in capitals; who types one need not.
    const stored = codes.find(c.get('business'), c.req.param('code').trim().toUpperCase())
    if (stored === null) throw new Refusal(404, 'code-unknown')
    return answer(c, body(stored))
  })
}
