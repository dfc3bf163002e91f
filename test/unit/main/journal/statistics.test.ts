import { describe, expect, it } from 'vitest'
import { err } from '../../../../electron/contract/failure.ts'
import { SCHEMA_VERSION } from '../../../../electron/main/journal/schema.ts'
import { issueAndPrint, openSlipService, press } from '../slips/slip-service-fixture.ts'

describe('SlipQueries.statistics', () => {
  it('returns counts of slips by status, copies and batches, and no names', async () => {
    const till = openSlipService()
    const first = { ...press(5), customer: { id: 'c1', name: 'Μαρία' } }
    await issueAndPrint(till, first)
    await till.slips.printouts.reprint(first)
    await till.slips.batches.start({ batchId: press().intentId, points: 5, count: 2, oneJob: true })
    await till.finished()
    const refusing = await till.restart({ createQr: () => Promise.resolve(err({ kind: 'offline' })) })
    await issueAndPrint(refusing, press(9))
    const numbers = await refusing.slips.reports.statistics()
    expect(numbers).toMatchObject({
      version: SCHEMA_VERSION,
      slips: { saved: 3, printed: 0, 'not-sent': 1, unknown: 0 },
      copies: 1,
      batches: 1,
      first: '2026-11-21T12:05:33.000Z'
    })
    expect(numbers?.bytes).toBeGreaterThan(4096)
    expect(JSON.stringify(numbers)).not.toContain('Μαρία')
  })

  it('returns zeros for an empty journal', async () => {
    expect(await openSlipService().slips.reports.statistics()).toMatchObject({
      slips: { printed: 0 },
      copies: 0,
      first: null,
      last: null
    })
  })
})
