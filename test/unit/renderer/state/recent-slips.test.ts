import { afterEach, expect, test, vi } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { ReportRange, SlipsReport } from '../../../../electron/contract/slip-report.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { IssuedToday } from '../../../../renderer/src/state/recent-slips.svelte.ts'
import { bridgeWith, deferredCalls, flushPromises, slip } from '../support/bridge.ts'

afterEach(() => vi.useRealTimers())

/** The totals of a till whose clock shows `now`, after the first read: one slip. */
async function startAt(now: string) {
  vi.useFakeTimers({ now: new Date(now), toFake: ['Date', 'setInterval', 'clearInterval'] })
  const { requests, call } = deferredCalls<ReportRange, SlipsReport>()
  const bridge = bridgeWith({ slips: { report: call } })
  const today = new IssuedToday(bridge, new IpcClient(), () => new Date().toISOString().slice(0, 10))
  const stop = today.start()
  const answer = async (slips: number | null): Promise<void> => {
    const report =
      slips === null ? err({ kind: 'internal' }) : ok({ slips, points: slips * 10 } as SlipsReport)
    requests.at(-1)?.resolve(report)
    await flushPromises()
  }
  await answer(1)
  expect(today.total).toEqual({ slips: 1, points: 10 })
  return { bridge, today, requests, answer, stop }
}

test('is read at the start and after a slip with a code, once for all that come meanwhile', async () => {
  const { bridge, today, requests, answer, stop } = await startAt('2026-11-20T12:00Z')
  bridge.sendSlip(slip('a', { code: null }))
  expect(requests).toHaveLength(1)
  for (const id of ['a', 'b', 'c']) bridge.sendSlip(slip(id))
  expect(requests).toHaveLength(2)
  await answer(2)
  expect(requests).toHaveLength(3)
  await answer(4)
  expect(requests).toHaveLength(3)
  expect(today.total).toEqual({ slips: 4, points: 40 })

  stop()
  bridge.sendSlip(slip('d'))
  vi.setSystemTime('2026-11-21T12:00Z')
  vi.advanceTimersByTime(120_000)
  expect(requests).toHaveLength(3)
})

test.each([
  ['after midnight', () => vi.advanceTimersByTime(60_000)],
  [
    'after a night that the machine slept',
    () => {
      // Timers stand still meanwhile.
      vi.setSystemTime('2026-11-21T07:30Z')
      vi.advanceTimersByTime(60_000)
    }
  ]
])('begins anew %s, and does not show the totals of the day before', async (_, pass) => {
  const { today, requests, answer } = await startAt('2026-11-20T23:59:30Z')
  pass()
  expect(requests.map(({ input }) => input.from)).toEqual(['2026-11-20', '2026-11-21'])
  expect(today.total).toBeNull()
  await answer(0)
  expect(today.total).toEqual({ slips: 0, points: 0 })
  vi.advanceTimersByTime(60_000)
  expect(requests).toHaveLength(2)
})

test('is read again until the journal answers', async () => {
  const { today, requests, answer } = await startAt('2026-11-20T23:59:30Z')
  vi.advanceTimersByTime(60_000)
  await answer(null)
  expect(today.total).toBeNull()
  vi.advanceTimersByTime(60_000)
  await answer(3)
  expect(today.total).toEqual({ slips: 3, points: 30 })
  expect(requests).toHaveLength(3)
})
