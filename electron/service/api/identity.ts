/** How a program that has the data of a service finds out whether an address leads to that service. */
import { Hono } from 'hono'
import { hash } from 'node:crypto'
import * as v from 'valibot'
import type { Queries } from '../store/database.ts'

const PATH = '/.well-known/tillpoints-service'
const CHALLENGE = '[0-9a-f]{32}'

const businessRow = v.object({ id: v.string() })

/** Returns the path that answers a challenge, which is 32 hexadecimal digits. */
export const identityPath = (challenge: string): string => `${PATH}/${challenge}`

/**
 * Returns what the service on these data answers to a challenge: a hash, which tells who has not the data nothing about them,
 * and is another one for each challenge.
 */
export const identityOf = async (queries: Queries, challenge: string): Promise<string> => {
  const rows = await queries.read('SELECT id FROM businesses')
  const ids = rows.map((row) => v.parse(businessRow, row).id).toSorted()
  return hash('sha256', JSON.stringify([challenge, ...ids]))
}

/** Whether an answer has the form of `identityOf`: it comes from a service, whatever its data are. */
export const isIdentity = (answer: string): boolean => /^[0-9a-f]{64}$/.test(answer)

/** Creates the route that answers challenges. It needs no token. */
export const createIdentityRoute = (queries: Queries): Hono => {
  const routes = new Hono()
  routes.get(`${PATH}/:challenge{${CHALLENGE}}`, async (c) => {
    c.header('Cache-Control', 'no-store')
    return c.text(await identityOf(queries, c.req.param('challenge')))
  })
  return routes
}
