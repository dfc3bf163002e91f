/** Random requests never cause a 5xx response, and every error response has an Error body. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  bodyOf,
  errorOf,
  exactly,
  openInProcess,
  openOverHttp,
  type Caller,
  type Reply
} from '../fixtures.ts'

const text = fc.string({
  unit: fc.oneof(fc.constantFrom('"', "'", '%', '\0', '\n', '*', '(', '٣', 'Ⅷ'), fc.string())
})
const paths = fc.oneof(
  fc.constantFrom('/customers', '/customers/', '/rewards', '/account', '/qr', ''),
  fc
    .tuple(fc.constantFrom('/customers/', '/rewards/', '/qr/', '/'), text)
    .map(([start, rest]) => start + encodeURIComponent(rest.toWellFormed()))
)
const queries = fc
  .array(fc.tuple(fc.constantFrom('pageNumber', 'pageSize', 'name', 'type', 'image', '__proto__'), text), {
    maxLength: 4
  })
  .map((pairs) => new URLSearchParams(pairs).toString())
const values = fc.oneof(
  fc.json(),
  text,
  fc
    .record({ name: fc.anything(), phone: fc.anything(), email: fc.anything(), points: fc.anything() })
    .map((record) =>
      JSON.stringify(record, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))
    )
)
const requests = fc.record({
  path: paths,
  query: queries,
  method: fc.constantFrom('GET', 'GET', 'POST', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'),
  body: values,
  type: fc.constantFrom(
    'application/json',
    'application/json',
    'text/plain',
    'application/json;charset=utf-16'
  ),
  language: fc.constantFrom('en', 'el', 'xx', '../main', '')
})

const check = (reply: Reply, method: string): void => {
  expect(reply.status).toBeLessThan(500)
  if (reply.status === 200 || method === 'HEAD') return
  expect(errorOf(reply).statusCode).toBe(reply.status)
}

describe.each([
  { transport: 'in process', open: openInProcess, numRuns: 600 },
  { transport: 'over HTTP', open: openOverHttp, numRuns: 200 }
])('hostile input, $transport', ({ open, numRuns }) => {
  let caller: Caller
  beforeAll(async () => {
    caller = await open({ seed: { customers: 40 } })
  })
  afterAll(() => caller.close())

  it('gets a response below 500, with an Error body unless it is 200', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async ({ path, query, method, body, type, language }) => {
        const reply = await caller.call(`${path}${query === '' ? '' : `?${query}`}`, {
          method,
          headers: { 'content-type': type, 'x-lang': language },
          ...(method === 'GET' || method === 'HEAD' ? {} : { body })
        })
        check(reply, method)
      }),
      { numRuns }
    )
  })

  it('in a search gets a 200', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (name) => {
        const reply = await caller.call(
          `/customers/?${new URLSearchParams({ name: name.slice(0, 500) }).toString()}`
        )
        expect(reply.status).toBe(200)
      }),
      { numRuns }
    )
  })

  it('finds each customer by any substring of the name and the phone', async () => {
    const reply = await caller.call('/customers?pageSize=100')
    const { data } = bodyOf(reply, exactly.customerPage)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...data),
        fc.constantFrom('name' as const, 'phone' as const),
        fc.nat(20),
        fc.integer({ min: 1, max: 12 }),
        async (customer, field, start, length) => {
          const part = Array.from(customer[field])
            .slice(start, start + length)
            .join('')
          const query = new URLSearchParams({ name: part, pageSize: '100' }).toString()
          const found = bodyOf(await caller.call(`/customers/?${query}`), exactly.customerPage)
          expect(found.data.map(({ id }) => id)).toContain(customer.id)
        }
      ),
      { numRuns: numRuns / 4 }
    )
  })
})
