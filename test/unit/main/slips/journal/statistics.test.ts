import { describe, expect, it } from 'vitest'
import { err } from '../../../../../electron/contract/failure.ts'
import { issueAndPrint, openTill, press } from '../slip-service-fixture.ts'

describe('the numbers of the journal', () => {
  it('count slips by state, copies and batches, and name nobody', async () => {
    const till = openTill()
    const first = { ...press(5), customer: { id: 'c1', name: 'Μαρία' } }
    await issueAndPrint(till, first)
    await till.slips.reprint(first)
    await till.slips.batches?.start({ batchId: press().intentId, points: 5, count: 2, oneJob: true })
    await till.finished()
    const refusing = await till.restart({ createQr: () => Promise.resolve(err({ kind: 'offline' })) })
    await issueAndPrint(refusing, press(9))
    const numbers = refusing.slips.numbers()
    expect(numbers).toMatchObject({
      version: 4,
      slips: { printed: 3, refused: 1, unknown: 0 },
      copies: 1,
      batches: 1,
      first: '2026-11-21T12:05:33.000Z'
    })
    expect(numbers?.bytes).toBeGreaterThan(4096)
    expect(JSON.stringify(numbers)).not.toContain('Μαρία')
  })

  it('of an empty journal are none', () => {
    expect(openTill().slips.numbers()).toMatchObject({
      slips: { printed: 0 },
      copies: 0,
      first: null,
      last: null
    })
  })
})
