import { expect, test } from 'vitest'
import { ok } from '../../../../electron/contract/failure.ts'
import type { ReportRange } from '../../../../electron/contract/slips.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { IssuedToday } from '../../../../renderer/src/state/issued-today.svelte.ts'
import { bridgeWith, deferredCalls, slip } from '../support/bridge.ts'

test('is read at the start and after a slip with a code, once for all that come meanwhile', async () => {
  const { requests, call } = deferredCalls()
  const ranges: ReportRange[] = []
  const bridge = bridgeWith({
    slips: {
      report: (range: ReportRange) => {
        ranges.push(range)
        return call(range) as never
      }
    }
  })
  let day = '2026-11-20'
  const today = new IssuedToday(bridge, new IpcClient(), () => day)
  const answer = async (slips: number): Promise<void> => {
    requests.at(-1)?.resolve(ok({ slips, points: slips * 10 }))
    await Promise.resolve()
    await new Promise(setImmediate)
  }

  const stop = today.start()
  await answer(1)
  expect(today.total).toEqual({ slips: 1, points: 10 })

  bridge.sendSlip(slip('a', { code: null }))
  expect(requests).toHaveLength(1)
  day = '2026-11-21'
  for (const id of ['a', 'b', 'c']) bridge.sendSlip(slip(id))
  expect(requests).toHaveLength(2)
  await answer(2)
  expect(requests).toHaveLength(3)
  await answer(4)
  expect(requests).toHaveLength(3)
  expect(today.total).toEqual({ slips: 4, points: 40 })
  expect(ranges.at(-1)).toEqual({ from: day, to: day })

  stop()
  bridge.sendSlip(slip('d'))
  expect(requests).toHaveLength(3)
})
