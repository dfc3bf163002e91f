/** Customers who come together are neighbours in the index of their ids, so that a commit writes few pages of it. */
import { expect, it } from 'vitest'
import { openPages } from './pages/visitor.ts'
import { importText } from './store/import-text.ts'

it('gives ids in the order in which customers join, by a code, by the page and by a file', async () => {
  const { shop, business, visitor } = await openPages()
  const ways = [
    async (phone: string) => visitor().post(`/q/${await shop.issue(5)}`, { phone }),
    (phone: string) => visitor().post(`/join/${business}`, { phone }),
    (phone: string) => importText(shop, 'customers', `name,phone\nAna,${phone}\n`)
  ]
  for (let turn = 0; turn < 3; turn++) {
    for (const [way, join] of ways.entries()) {
      shop.now = new Date(shop.now.getTime() + 1)
      await join(`+3069012345${String(turn)}${String(way)}`)
    }
  }
  const rows = await shop.database.read('SELECT id FROM customers ORDER BY created_at')
  expect(rows).toHaveLength(9)
  expect(rows).toEqual(await shop.database.read('SELECT id FROM customers ORDER BY id'))
})
