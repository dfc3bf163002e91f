/** What customers of training mode collect. */
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { newCode, systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { SampleCustomers } from '../../../../electron/service/seed/collecting.ts'
import { CodeStore } from '../../../../electron/service/store/codes.ts'
import { openShop } from '../store/shop.ts'

/** Makes codes of one kind: every third is never collected. */
const codesOf = (count: number, isLeft: boolean): readonly string[] => {
  const codes: string[] = []
  while (codes.length < count) {
    const code = newCode(systemRandomBytes)
    const [chance = 0] = createHash('sha256').update(code).digest()
    if ((chance % 3 === 0) === isLeft) codes.push(code)
  }
  return codes
}

it('collect a code behind a hundred that they left', async () => {
  const shop = await openShop()
  await shop.register('+306940000001')
  const add = async (codes: readonly string[], at: string) => {
    const dates = { createdAt: at, updatedAt: at, expiresAt: '2027-01-01T00:00:00.000Z' }
    await shop.database.transaction(async (queries) => {
      for (const code of codes) {
        await new CodeStore(queries).add(shop.business, { code, points: 5, image: false, ...dates })
      }
    })
  }
  await add(codesOf(150, true), '2026-11-21T08:00:00.000Z')
  const [collected = ''] = codesOf(1, false)
  await add([collected], '2026-11-21T09:00:00.000Z')
  const dependencies = { database: shop.database, now: () => shop.now, random: systemRandomBytes }
  await new SampleCustomers(dependencies).collect()
  expect(await shop.database.read('SELECT code FROM codes WHERE used_at IS NOT NULL')).toEqual([
    { code: collected }
  ])
})
