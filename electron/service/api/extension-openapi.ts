/** `GET /openapi.json`: the extension as OpenAPI 3.1, for who writes another client or service. */
import { toJsonSchema } from '@valibot/to-json-schema'
import { Hono } from 'hono'
import type { GenericSchema } from 'valibot'
import { rulesAnswerSchema, standingSchema } from '../../contract/earning-rules.ts'
import { customerCodeSchema, linkSchema } from './device-extension.ts'
import { erasureSchema, issueSchema } from './codes.ts'
import { creditSchema } from './credits.ts'
import { EXTENSION_PREFIX, redemptionSchema } from './extension.ts'
import { reversalSchema } from './keyed-requests.ts'
import { offlineKeySchema, offlineReportSchema } from './offline-codes.ts'
import { returnSchema } from './returns.ts'

/** A schema as OpenAPI 3.1 takes it: JSON Schema 2020-12. */
const schemaOf = (schema: GenericSchema): object =>
  toJsonSchema(schema, { target: 'draft-2020-12', errorMode: 'ignore' })

const json = (schema: object): object => ({ 'application/json': { schema } })

/** @param optional what an answer that was kept by an earlier version lacks */
const object = (
  properties: Readonly<Record<string, object>>,
  optional: Readonly<Record<string, object>> = {}
): object => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...optional }
})

const text = { type: 'string' }
const whole = { type: 'integer' }
const date = { type: 'string', format: 'date' }
const moment = { type: 'string', format: 'date-time' }

const errorSchema = object({ message: text, error: text, statusCode: whole, code: text })

const refused = (description: string): object => ({ description, content: json(errorSchema) })

const key = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'Made by the till and kept on disk before it sends. A key that comes again gets the first answer.',
  schema: { type: 'string', minLength: 8, maxLength: 100 }
}

const keyed = (body: GenericSchema, answer: object, refusals: Readonly<Record<string, string>>): object => ({
  requestBody: { required: true, content: json(schemaOf(body)) },
  responses: {
    200: { description: 'Done, now or by an earlier request with this key.', content: json(answer) },
    400: refused('Malformed body or key.'),
    401: refused('The token is missing, unknown or revoked.'),
    422: refused('The key stood for another request.'),
    ...Object.fromEntries(Object.entries(refusals).map(([status, why]) => [status, refused(why)]))
  }
})

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Extension of the Loyalty Points Service', version: '1' },
  security: [{ token: [] }],
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  paths: {
    [`${EXTENSION_PREFIX}/redemptions`]: {
      post: {
        summary: 'Takes the cost of a reward from a customer.',
        parameters: [key],
        ...keyed(
          redemptionSchema,
          object({
            ...{ id: text, customer: text, reward: text, cost: whole, balance: whole },
            ...{ createdAt: moment, reversibleUntil: moment }
          }),
          {
            404: 'customer-unknown, reward-unknown',
            409: 'points-too-few, reward-disabled, price-changed: nothing was changed.'
          }
        )
      }
    },
    [`${EXTENSION_PREFIX}/redemptions/{id}/reversal`]: {
      post: {
        summary: 'Gives the points back, within the time that the shop has set.',
        parameters: [key, { name: 'id', in: 'path', required: true, schema: text }],
        ...keyed(reversalSchema, object({ id: text, redemption: text, balance: whole, createdAt: moment }), {
          404: 'redemption-unknown, customer-unknown',
          409: 'redemption-reversed, reversal-too-late'
        })
      }
    },
    [`${EXTENSION_PREFIX}/codes`]: {
      post: {
        summary: 'Issues a code, once for its key.',
        parameters: [key],
        ...keyed(
          issueSchema,
          object({
            ...{ createdAt: moment, updatedAt: moment, code: text, rewardPoints: whole, status: text },
            ...{ usedDate: text, qrURL: text, qrImageURL: text }
          }),
          {}
        )
      }
    },
    [`${EXTENSION_PREFIX}/cashiers/{number}/erasure`]: {
      post: {
        summary: 'Forgets the name of a cashier, as often as it is asked.',
        parameters: [{ name: 'number', in: 'path', required: true, schema: whole }],
        requestBody: { required: true, content: json(schemaOf(erasureSchema)) },
        responses: {
          200: { description: 'Forgotten, now or before.', content: json(object({ number: whole })) },
          400: refused('body-malformed'),
          401: refused('The token is missing, unknown or revoked.')
        }
      }
    },
    [`${EXTENSION_PREFIX}/credits`]: {
      post: {
        summary: 'Gives points to a customer, without a code.',
        parameters: [key],
        ...keyed(
          creditSchema,
          object({
            ...{ id: text, customer: text, points: whole, reference: { type: ['string', 'null'] } },
            ...{ balanceBefore: whole, balance: whole, createdAt: moment, reversibleUntil: moment }
          }),
          {
            404: 'customer-unknown',
            409: 'Nothing was changed. credit-limit-reached: the till has credited what the shop allows on its day. credit-needs-approval: a manager approves it; the same request comes again with its key and approved: true.'
          }
        )
      }
    },
    [`${EXTENSION_PREFIX}/credits/{id}/reversal`]: {
      post: {
        summary: 'Takes the points back, within the time that the shop has set.',
        parameters: [key, { name: 'id', in: 'path', required: true, schema: text }],
        ...keyed(reversalSchema, object({ id: text, credit: text, balance: whole, createdAt: moment }), {
          404: 'credit-unknown, customer-unknown',
          409: 'credit-reversed, reversal-too-late, points-too-few'
        })
      }
    },
    [`${EXTENSION_PREFIX}/returns`]: {
      post: {
        summary: 'Takes back points of a purchase with the goods; the balance may go below zero.',
        description:
          'One of code, credit and reference, and one of points, amount (decimal texts) and rest (all that remains).',
        parameters: [key],
        ...keyed(
          returnSchema,
          object(
            {
              ...{ id: text, points: whole, remaining: whole, target: { enum: ['code', 'credit'] } },
              codeStatus: { enum: ['active', 'cancelled', 'used', null] },
              ...{ customer: { type: ['string', 'null'] }, balance: { type: ['integer', 'null'] } },
              createdAt: moment
            },
            { purchase: text, given: whole }
          ),
          {
            404: 'purchase-unknown',
            409: 'purchase-ambiguous, purchase-returned, return-too-much (with remaining), code-expired, code-cancelled'
          }
        )
      }
    },
    [`${EXTENSION_PREFIX}/collections`]: {
      get: {
        summary: 'Codes that were collected, or whose points were taken back, since a cursor.',
        parameters: [
          {
            name: 'since',
            in: 'query',
            required: true,
            description:
              'The cursor of the page before, or a moment from which to begin. Items may come again.',
            schema: text
          }
        ],
        responses: {
          200: {
            description: 'At most 500, the oldest first.',
            content: json(
              object({
                hasMore: { type: 'boolean' },
                next: text,
                data: {
                  type: 'array',
                  items: object({
                    code: text,
                    state: { enum: ['collected', 'reversed'] },
                    points: whole,
                    at: moment
                  })
                }
              })
            )
          },
          400: refused('cursor-malformed'),
          401: refused('The token is missing, unknown or revoked.')
        }
      }
    }
  }
}

/** What only a shop's own service offers. */
const SHOP_PATHS = {
  [`${EXTENSION_PREFIX}/customer-codes`]: {
    post: {
      summary: 'Uses up the code that a linked phone shows, and returns its customer.',
      requestBody: { required: true, content: json(schemaOf(customerCodeSchema)) },
      responses: {
        200: {
          description: 'The customer, as GET /customers/{id} returns it.',
          content: json(
            object({
              ...{ id: text, name: text, email: { type: ['string', 'null'] }, phone: text, avatar: text },
              ...{ balance: whole, lifetimePoints: whole }
            })
          )
        },
        400: refused('body-malformed'),
        401: refused('The token is missing, unknown or revoked.'),
        404: refused('customer-code-unknown: not of this shop, or a day old.'),
        409: refused('customer-code-used, customer-code-expired')
      }
    }
  },
  [`${EXTENSION_PREFIX}/offline-keys`]: {
    post: {
      summary: 'Lets a till make codes without a connection, from today.',
      description:
        'The till names the key and the last ticket that it has; another one gets a new key, with its secret.',
      requestBody: { required: true, content: json(schemaOf(offlineKeySchema)) },
      responses: {
        200: {
          description: 'The key, and what codes it makes are taken.',
          content: json({
            ...object({
              ...{
                key: text,
                ticket: text,
                address: text,
                pointsOfCode: whole,
                pointsOfDay: whole,
                days: whole
              },
              ...{ codeValidityDays: whole, timeZone: text, day: date, renewAfter: moment }
            }),
            description: 'secret is there with a new key: 32 bytes, base64url.'
          })
        },
        400: refused('body-malformed'),
        401: refused('The token is missing, unknown or revoked.'),
        409: refused('offline-codes-off: the owner has none of such codes, or none of this till.')
      }
    }
  },
  [`${EXTENSION_PREFIX}/offline-codes`]: {
    post: {
      summary: 'Reports codes that were made without a connection, as often as it is asked.',
      requestBody: { required: true, content: json(schemaOf(offlineReportSchema)) },
      responses: {
        200: {
          description: 'What became of each, in order; reason is there where one is refused.',
          content: json(
            object({
              data: {
                type: 'array',
                items: {
                  ...object({ code: text, status: { enum: ['taken', 'refused'] } }),
                  description:
                    'reason: key-unknown, key-revoked, above-code-limit, above-day-limit, day-not-allowed.'
                }
              }
            })
          )
        },
        400: refused('body-malformed'),
        401: refused('The token is missing, unknown or revoked.')
      }
    }
  },
  [`${EXTENSION_PREFIX}/rules`]: {
    get: {
      summary: 'What earns points, as the owner has set it last.',
      responses: {
        200: {
          description:
            'version is 0 before any rules were saved; rules is null while tills use rules of their own. Points are the amounts by the factors of their groups, the rate, the largest bonus of now and the factor of the level, rounded once.',
          content: json(schemaOf(rulesAnswerSchema))
        },
        401: refused('The token is missing, unknown or revoked.')
      }
    }
  },
  [`${EXTENSION_PREFIX}/customers/{id}/standing`]: {
    get: {
      summary: 'The level of a customer, the next one, and the next points that end.',
      parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
      responses: {
        200: {
          description: 'level, next and ending are null where there is none. A bill names its level.',
          content: json(schemaOf(standingSchema))
        },
        401: refused('The token is missing, unknown or revoked.'),
        404: refused('customer-unknown')
      }
    }
  },
  [`${EXTENSION_PREFIX}/devices`]: {
    post: {
      summary: 'Links the phone that shows six digits to a customer.',
      requestBody: { required: true, content: json(schemaOf(linkSchema)) },
      responses: {
        200: {
          description: 'Linked, now or before.',
          content: json(object({ device: text, customer: text }))
        },
        400: refused('body-malformed'),
        401: refused('The token is missing, unknown or revoked.'),
        404: refused('customer-unknown, digits-unknown'),
        429: refused('attempts-too-many: more than 20 in ten minutes.')
      }
    }
  }
}

/** Creates the route of the document, which needs no token, with the paths that only a shop has or without them. */
export const createOpenApiRoute = (hasShopPaths: boolean): Hono => {
  const paths = { ...DOCUMENT.paths, ...(hasShopPaths && SHOP_PATHS) }
  const routes = new Hono()
  routes.get('/openapi.json', (c) => c.json({ ...DOCUMENT, paths }))
  return routes
}
