import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LoyaltyService } from '../../../../electron/main/loyalty/index.ts'
import { customer, serviceAt } from './samples.ts'

describe('whatever a service answers', () => {
  const calls: readonly ((service: LoyaltyService) => Promise<{ readonly ok: boolean }>)[] = [
    (service) => service.listCustomers({ page: 1 }),
    (service) => service.searchCustomers({ text: 'a', page: 1 }),
    (service) => service.addCustomer({ name: 'a', phone: '+33612345678' }),
    (service) => service.customerBy('id', 'a'),
    (service) => service.listRewards({ page: 1 }),
    (service) => service.reward('a'),
    (service) => service.account(),
    (service) => service.createQr(1),
    (service) => service.qr('a')
  ]
  const anyText = fc.oneof(
    fc.json(),
    fc.string(),
    fc
      .record(
        {
          id: fc.jsonValue(),
          balance: fc.jsonValue(),
          data: fc.jsonValue(),
          code: fc.jsonValue(),
          statusCode: fc.integer()
        },
        { requiredKeys: [] }
      )
      .map((value) => JSON.stringify(value))
  )

  test('each call resolves to a value or a failure', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyText,
        fc.integer({ min: 200, max: 599 }),
        fc.constantFrom(...calls),
        async (text, status, call) => {
          const body = [204, 205, 304].includes(status) ? null : text
          const service = serviceAt('https://points.example/api', {
            fetch: () => Promise.resolve(new Response(body, { status }))
          })
          expect(await call(service)).toHaveProperty('ok')
        }
      ),
      { numRuns: 300 }
    )
  })

  test('and for any value in its path: one request below the base address, or none', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (value) => {
        const targets: string[] = []
        const service = serviceAt('https://points.example/api', {
          fetch: (input) => {
            targets.push(new URL(input instanceof Request ? input.url : input).pathname)
            return Promise.resolve(Response.json(customer))
          }
        })
        await service.customerBy('id', value)
        for (const target of targets) expect(target).toMatch(/^\/api\/customers\/[^/]+$/)
      }),
      { numRuns: 100 }
    )
  })
})
