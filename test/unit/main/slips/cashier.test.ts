import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Slip } from '../../../../electron/contract/till.ts'
import { err } from '../../../../electron/contract/failure.ts'
import { openTill, press, valueOf } from './till.ts'

it('notes on a slip who served when it was asked for', async () => {
  let serving: Slip['cashier'] = { id: 'k1', name: 'Anna' }
  const till = openTill({ currentCashier: () => serving })
  const pressed = press()
  expect(valueOf(await till.slips.issue(pressed)).slip.cashier).toEqual(serving)
  serving = null
  expect(valueOf(await till.slips.issue(press())).slip.cashier).toBeNull()
  expect(valueOf(await till.slips.print(pressed)).slip.cashier?.name).toBe('Anna')
})

it('notes on all slips of a batch who started it', async () => {
  let serving: Slip['cashier'] = { id: 'k1', name: 'Anna' }
  const till = openTill({ currentCashier: () => serving })
  const batch = { batchId: randomUUID(), points: 5, count: 30, oneJob: true }
  valueOf((await till.slips.batches?.start(batch)) ?? err({ kind: 'internal' }))
  serving = { id: 'k2', name: 'Ben' }
  await till.finished()
  const { slips } = valueOf(till.slips.list({ offset: 0, search: { cashierId: 'k1' } }))
  expect(slips).toHaveLength(30)
})
