/** The cost of a slip and of a page of the journal in SQL statements and commits. */
import { randomUUID } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { openSlipService, press, valueOf } from '../../unit/main/slips/slip-service-fixture.ts'
import { countSql } from './sql.ts'

it('a slip, from Print slip to its paper, takes 4 commits and 21 statements', async () => {
  const till = openSlipService()
  const counts = countSql()
  valueOf(await till.slips.counter.issue(press()))
  await vi.waitUntil(() => till.reportedSlips.at(-1)?.state === 'printed', { timeout: 30_000, interval: 5 })
  // Requested, issued, printing, printed: each on disk before the next.
  expect(counts()).toEqual({ statements: 21, commits: 4 })
})

it('a page of the journal takes 1 statement, however many slips there are', async () => {
  const till = openSlipService()
  const batch = { batchId: randomUUID(), points: 5, count: 60, oneJob: true }
  const started = await till.slips.batches.start(batch)
  expect(started.ok).toBe(true)
  await till.finished()
  const counts = countSql()
  expect(valueOf(till.slips.queries.list({ offset: 0 })).slips).toHaveLength(50)
  expect(counts()).toEqual({ statements: 1, commits: 0 })
})
