/** Pages far behind the first: what they read does not grow with what they skip. */
import { expect, it } from 'vitest'
import { countJoined } from '../../../../electron/service/store/businesses.ts'
import { CustomerStore } from '../../../../electron/service/store/customers.ts'
import type { Queries } from '../../../../electron/service/store/database.ts'
import { openShop, Shop } from './shop.ts'

/** More than two slices of a scan. */
const CUSTOMERS = 11_000
const LIMIT = 21

const fill = ({ database, business }: Shop): Promise<unknown> =>
  database.transaction((queries) =>
    new CustomerStore(queries).addAll(
      business,
      Array.from({ length: CUSTOMERS }, (_, index) => ({
        id: `cus_${String(index)}`,
        name: `Anna ${String(index)}`,
        email: null,
        phone: `+3069${String(index).padStart(8, '0')}`
      })),
      '2026-11-21T10:00:00.000Z'
    )
  )

/** A store that counts its statements and the rows that these return. */
const countReads = ({ database }: Shop) => {
  const counts = { statements: 0, rows: 0 }
  const queries: Queries = {
    dialect: database.dialect,
    read: async (sql, values) => {
      const rows = await database.read(sql, values)
      counts.statements += 1
      counts.rows += rows.length
      return rows
    },
    write: (sql, values) => database.write(sql, values)
  }
  return { counts, customers: new CustomerStore(queries) }
}

it('reads no more rows for a far page than for the first', async () => {
  const shop = await openShop()
  await fill(shop)
  // Two letters are read by a scan, three by an index; a blank text is the list.
  for (const text of ['an', 'anna', '']) {
    const read = async (offset: number) => {
      const { counts, customers } = countReads(shop)
      const page = await customers.search(shop.business, text, { limit: LIMIT, offset })
      return { first: page[0]?.id, found: page.length, ...counts }
    }
    const far = await read(10_990)
    expect({ text, ...far }).toMatchObject({ first: 'cus_10990', found: 10 })
    // What a page has, the business, and a number for each slice of a scan.
    expect(far.rows).toBeLessThanOrEqual(LIMIT + 4)
    // A page that no business of this size can have is answered by its number of customers.
    expect(await read(20_000_000)).toEqual({ first: undefined, found: 0, statements: 1, rows: 1 })
    expect(await read(CUSTOMERS)).toEqual({ first: undefined, found: 0, statements: 1, rows: 1 })
  }
})

it('has the same customers on each page, counted from the first or from the last one', async () => {
  const shop = await openShop()
  const other = await Shop.addTo(shop.database)
  const ids: string[] = []
  for (let index = 0; index < 23; index += 1) {
    ids.push(await shop.register(`+30694000${String(1000 + index)}`))
    await other.register(`+30694000${String(1000 + index)}`)
    // Some are counted, and the others wait for it.
    if (index === 11) await countJoined(shop.database)
  }
  const [first = '', , third = '', ...rest] = ids
  await shop.identities.erase(shop.business, third)
  await shop.identities.merge(shop.business, first, rest.at(-1) ?? '')
  const listed = ids.filter((id) => id !== third && id !== rest.at(-1))
  const customers = new CustomerStore(shop.database)
  for (const limit of [1, 4, 5, 30]) {
    for (let offset = 0; offset < 26; offset += 1) {
      const page = await customers.list(shop.business, { limit, offset })
      expect(page.map(({ id }) => id)).toEqual(listed.slice(offset, offset + limit))
    }
  }
})
