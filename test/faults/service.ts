/** The service behind the faulty network: the training service over HTTP, with access to its data. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { KNOWN_CUSTOMERS, SEEDED_CODES } from '../../electron/service/index.ts'
import { serve } from '../../electron/service/server.ts'
import { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import type { OperationArguments } from './operations.ts'

export interface ServiceUnderTest {
  readonly url: string
  /** Returns arguments for one operation; the new phone and the points are unique. */
  next(): OperationArguments
  /** Returns how often the service executed a write: customers with this phone, or codes with these points. */
  made(what: { readonly phone: string } | { readonly points: number }): number
  /** Returns the codes with these points from the data of the service. */
  codesOf(points: number): readonly string[]
  close(): Promise<void>
}

const FIRST_POINTS = 100_000

/** Starts the service with one business and its sample data. */
export async function startService(): Promise<ServiceUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'tillpoints-faults-'))
  const file = join(folder, 'service.sqlite')
  const served = await serve({ port: 0, tokens: ['demo'], file })
  const data = new DatabaseSync(file, { readOnly: true })
  const customers = data.prepare('SELECT count(*) AS count FROM customers WHERE phone = ?')
  const codes = data.prepare('SELECT code FROM codes WHERE points = ?')

  const [known] = KNOWN_CUSTOMERS
  const service = new LoyaltyClient({
    baseUrl: served.url,
    token: 'demo',
    languages: { screen: 'en' },
    fetch
  })
  const customer = await service.customerBy('phone', known.phone)
  const rewards = await service.listRewards({ page: 1 })
  const reward = rewards.ok ? rewards.value.data[0] : undefined
  if (!customer.ok || reward === undefined) throw new Error('The training service has no sample data')

  let count = 0
  const codesOf = (points: number): string[] => codes.all(points).map(({ code }) => String(code))
  return {
    url: served.url,
    next() {
      count += 1
      return {
        customerId: customer.value.id,
        phone: known.phone,
        email: known.email,
        rewardId: reward.id,
        code: SEEDED_CODES.unused[0],
        // Sequential British mobile numbers.
        newPhone: `+4479${String(10_000_000 + count)}`,
        points: FIRST_POINTS + count
      }
    },
    made: (what) =>
      'phone' in what ? Number(customers.get(what.phone)?.['count']) : codesOf(what.points).length,
    codesOf,
    async close() {
      data.close()
      await served.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
