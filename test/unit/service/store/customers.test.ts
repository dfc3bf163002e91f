import { expect, it } from 'vitest'
import { newIdentifier, systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { CustomerStore } from '../../../../electron/service/store/customers.ts'
import { openShop } from './shop.ts'

it('pages a search of two letters over all customers, in their order', async () => {
  const { database, business, now } = await openShop()
  const customers = Array.from({ length: 12_000 }, (_, number) => ({
    id: newIdentifier('cus', systemRandomBytes),
    name: number % 1000 === 999 ? `Özgür ${number}` : `Anna ${number}`,
    email: null,
    phone: `+30694${String(number).padStart(7, '0')}`
  }))
  await database.transaction((queries) =>
    new CustomerStore(queries).addAll(business, customers, now.toISOString())
  )
  const found = async (limit: number, offset: number) =>
    (await new CustomerStore(database).search(business, 'öz', { limit, offset })).map(({ name }) => name)
  const all = customers.map(({ name }) => name).filter((name) => name.startsWith('Ö'))
  expect(await found(100, 0)).toEqual(all)
  expect(await found(4, 3)).toEqual(all.slice(3, 7))
  expect(await found(5, 11)).toEqual(all.slice(11))
  expect(await found(5, 12)).toEqual([])
})
