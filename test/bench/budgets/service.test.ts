/** The cost of what customers and tills ask of a shop's service, in SQL statements and commits of its data file. */
import { expect, it } from 'vitest'
import { openPages } from '../../unit/service/pages/visitor.ts'
import { countSql } from './sql.ts'

const PHONE = '690 123 4567'

it('collecting takes 1 commit and the same statements by a phone that joins and one that is known', async () => {
  const { shop, visitor } = await openPages()
  const codes = [await shop.issue(5), await shop.issue(5)]
  const counts = countSql()
  const taken: unknown[] = []
  let before = counts()
  for (const code of codes) {
    expect((await visitor().post(`/q/${code}`, { phone: PHONE })).status).toBe(303)
    const after = counts()
    taken.push({ statements: after.statements - before.statements, commits: after.commits - before.commits })
    before = after
  }
  expect(taken).toEqual([
    { statements: 16, commits: 1 },
    { statements: 16, commits: 1 }
  ])
})
