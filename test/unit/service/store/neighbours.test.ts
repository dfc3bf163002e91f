/** What is added together stands together in the indexes: a commit writes each of their pages. */
import { expect, it } from 'vitest'
import { openPages } from '../pages/visitor.ts'

it('adds entries, devices and kept forms behind those of earlier moments', async () => {
  const { shop, visitor } = await openPages()
  for (let index = 0; index < 12; index += 1) {
    shop.now = new Date(shop.now.getTime() + 1)
    const collected = await visitor().post(`/q/${await shop.issue(5)}`, { phone: '690 123 4567' })
    expect(collected.status).toBe(303)
  }
  const keys = async (column: string, table: string, by: string): Promise<readonly unknown[]> =>
    shop.database.read(`SELECT ${column} AS key FROM ${table} ORDER BY ${by}`)
  for (const [column, table, time] of [
    ['id', 'entries', 'at'],
    ['id', 'devices', 'created_at'],
    ['hash', 'devices', 'created_at'],
    ['hash', 'kept_forms', 'expires_at']
  ] as const) {
    const byTime = await keys(column, table, time)
    expect(byTime, table).toHaveLength(12)
    expect(await keys(column, table, column), table).toEqual(byTime)
  }
})
