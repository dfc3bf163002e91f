/** Codes that tills make without a connection. `docs/service-extension.md` describes them. */
import { Hono } from 'hono'
import * as v from 'valibot'
import { normalizeCode } from '../domain/codes.ts'
import { BusinessStore } from '../store/businesses.ts'
import type { LedgerDependencies } from '../store/ledger.ts'
import { OfflineCodeStore } from '../store/offline-codes.ts'
import { OfflineKeyStore } from '../store/offline-keys.ts'
import { calculationEntries, identifier, refused, saleEntries, saleOf } from './keyed-requests.ts'
import { readJson } from './requests.ts'
import { respondJson } from './responses.ts'
import type { ApiEnvironment } from './routes.ts'

/** The body that asks for a key: what the till has. */
export const offlineKeySchema = v.object(
  { key: v.optional(identifier), ticket: v.optional(identifier) },
  'body-malformed'
)

/** Codes of a report. */
const MAX_CODES = 500
const MAX_REPORT_BYTES = 512 * 1024

/** The body that reports codes. */
export const offlineReportSchema = v.object(
  {
    codes: v.pipe(
      v.array(
        v.object(
          {
            code: identifier,
            issuedAt: v.pipe(v.string('body-malformed'), v.isoTimestamp('body-malformed')),
            ...saleEntries,
            ...calculationEntries
          },
          'body-malformed'
        ),
        'body-malformed'
      ),
      v.maxLength(MAX_CODES, 'body-malformed')
    )
  },
  'body-malformed'
)

/** How long a till uses its key before it asks again. */
const RENEWAL_MS = 60 * 60_000

/** Creates the routes, for requests that are authenticated. @param publicUrl origin of the links on slips */
export const createOfflineCodeRoutes = (
  dependencies: LedgerDependencies & { readonly publicUrl: string }
): Hono<ApiEnvironment> => {
  const { database, now, publicUrl } = dependencies
  const routes = new Hono<ApiEnvironment>()
  const businesses = new BusinessStore(database)
  const keys = new OfflineKeyStore(dependencies)
  const codes = new OfflineCodeStore(dependencies)
  // Capitals take less room in a QR code; a host has no case.
  const address = `${publicUrl}/q/`.toUpperCase()

  routes.post('/offline-keys', async (c) => {
    const { key, ticket } = await readJson(c.req.raw, offlineKeySchema)
    const { business: businessKey, till } = c.get('caller')
    const business = await businesses.get(businessKey)
    const known = key === undefined ? null : { key, ticket: ticket ?? '' }
    const renewed = await refused(keys.renew(business, till, known), {
      'offline-codes-off': [409, 'offline-codes-off']
    })
    const { codeValidityDays, timeZone, offlineLimits } = business
    const renewAfter = new Date(now().getTime() + RENEWAL_MS).toISOString()
    return respondJson(c, { ...renewed, address, ...offlineLimits, codeValidityDays, timeZone, renewAfter })
  })

  routes.post('/offline-codes', async (c) => {
    const body = await readJson(c.req.raw, offlineReportSchema, {}, MAX_REPORT_BYTES)
    const reported = body.codes.map(({ code, issuedAt, ...sale }) => ({
      code: normalizeCode(code),
      issuedAt: new Date(issuedAt).toISOString(),
      ...saleOf(sale)
    }))
    const reasons = await codes.report(c.get('caller').business, reported)
    const data = reported.map(({ code }) => {
      const reason = reasons.get(code)
      return reason === undefined ? { code, status: 'taken' } : { code, status: 'refused', reason }
    })
    return respondJson(c, { data })
  })

  return routes
}
