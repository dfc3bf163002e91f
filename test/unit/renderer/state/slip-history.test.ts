import { describe, expect, test, vi } from 'vitest'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { CheckedCode, ExportResult, Slip } from '../../../../electron/contract/slips.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { CodeCheck, SlipList } from '../../../../renderer/src/state/slip-history.svelte.ts'
import { bridgeWith, deferredCalls, flushPromises, slip } from '../support/bridge.ts'

const createHistory = (calls: Partial<Bridge['slips']>) => {
  const bridge = bridgeWith({ slips: calls })
  return { bridge, slips: new SlipList(bridge, new IpcClient()) }
}

const listOf =
  (...pages: string[][]): Bridge['slips']['list'] =>
  ({ offset }) => {
    const all = pages.flat()
    const size = pages[0]?.length ?? 0
    return Promise.resolve(
      ok({
        slips: all.slice(offset, offset + size).map((id) => slip(id)),
        hasMore: offset + size < all.length
      })
    )
  }

const ids = (slips: SlipList) => slips.rows.loadedRows.map(({ intentId }) => intentId)

describe('SlipList', () => {
  test('continues after a failed page, at an offset that counts slips issued meanwhile', async () => {
    const { requests, call } = deferredCalls<
      Parameters<Bridge['slips']['list']>[0],
      { slips: readonly Slip[]; hasMore: boolean }
    >()
    const { bridge, slips } = createHistory({ list: call })
    slips.start()
    void slips.load()
    requests[0]?.resolve(ok({ slips: [slip('c'), slip('b')], hasMore: true }))
    await vi.waitFor(() => {
      expect(ids(slips)).toEqual(['c', 'b'])
      expect(requests).toHaveLength(2)
    })
    bridge.sendSlip(slip('d'))
    requests[1]?.resolve(err({ kind: 'internal' }))
    await vi.waitFor(() => {
      expect(slips.rows.failure).not.toBeNull()
    })
    void slips.rows.retry()
    requests[2]?.resolve(ok({ slips: [slip('a')], hasMore: false }))
    await flushPromises()
    expect(requests.map(({ input }) => input.offset)).toEqual([0, 2, 3])
    expect(ids(slips)).toEqual(['d', 'c', 'b', 'a'])
    expect(slips.rows.hasMore).toBe(false)
  })

  test('adds a new slip at the top and updates a changed one in place', async () => {
    const { bridge, slips } = createHistory({ list: listOf(['b', 'a']) })
    const stop = slips.start()
    await slips.load()
    bridge.sendSlip(slip('c'))
    bridge.sendSlip(slip('a', { state: 'print-failed' }))
    expect(slips.rows.loadedRows.map(({ intentId, state }) => `${intentId} ${state}`)).toEqual([
      'c printed',
      'b printed',
      'a print-failed'
    ])
    stop()
    bridge.sendSlip(slip('d'))
    expect(ids(slips)).toEqual(['c', 'b', 'a'])
  })

  test('keeps the newer revision of a slip when events arrive out of order', async () => {
    const { bridge, slips } = createHistory({ list: listOf(['a']) })
    slips.start()
    await slips.load()
    slips.chosen = slips.rows.at(0) ?? null
    bridge.sendSlip(slip('a', { revision: 5, copies: 1 }))
    bridge.sendSlip(slip('a', { revision: 4 }))
    expect(slips.rows.at(0)?.copies).toBe(1)
    expect(slips.chosen?.copies).toBe(1)
  })

  test('ignores an event for a slip older than the loaded rows', async () => {
    const { bridge, slips } = createHistory({ list: listOf(['b']) })
    slips.start()
    await slips.load()
    bridge.sendSlip(slip('old', { requestedAt: '2026-11-20T12:00:00.000Z' }))
    expect(ids(slips)).toEqual(['b'])
  })
})

test('a search that is answered after all slips were asked for again does not say which is the newest', async () => {
  const { requests, call } = deferredCalls<unknown, { slips: readonly Slip[]; hasMore: boolean }>()
  const { bridge, slips } = createHistory({ list: call })
  slips.start()
  slips.filter({ text: 'maria' })
  slips.clearFilters()
  requests[1]?.resolve(ok({ slips: [slip('b')], hasMore: false }))
  await flushPromises()
  requests[0]?.resolve(
    ok({ slips: [slip('a', { requestedAt: '2026-11-19T12:00:00.000Z' })], hasMore: false })
  )
  await flushPromises()
  bridge.sendSlip(slip('old', { requestedAt: '2026-11-20T12:00:00.000Z' }))
  expect(ids(slips)).toEqual(['b'])
})

describe('SlipList scrolled back', () => {
  /** A history of a journal of 1000 slips in pages of 50, scrolled to row 800. */
  const scrolled = async (filters: { from?: string } = {}) => {
    const journal = Array.from({ length: 1000 }, (_, index) => slip(`s${String(index)}`)).reverse()
    const { bridge, slips } = createHistory({
      list: ({ offset }) =>
        Promise.resolve(
          ok({ slips: journal.slice(offset, offset + 50), hasMore: offset + 50 < journal.length })
        )
    })
    slips.start()
    slips.filter(filters)
    await flushPromises()
    const show = async (first: number): Promise<readonly string[]> => {
      slips.rows.setVisibleRange({ first, last: first + 9, active: first })
      await flushPromises()
      return Array.from({ length: 10 }, (_, index) => slips.rows.at(first + index)?.intentId ?? '')
    }
    for (let first = 0; first <= 800; first += 40) await show(first)
    return { bridge, journal, show }
  }

  test.each([
    ['all slips', {}],
    ['a search', { from: '2026-11-20' }]
  ])('%s: no slip is skipped after two new ones', async (_, filters) => {
    const { bridge, journal, show } = await scrolled(filters)
    for (const id of ['new 1', 'new 2']) {
      journal.unshift(slip(id, { state: 'requested' }))
      bridge.sendSlip(slip(id, { state: 'requested' }))
    }
    const seen = new Set<string>()
    for (let first = 800; first >= 0; first -= 5) for (const id of await show(first)) seen.add(id)
    expect(journal.slice(0, 800).filter(({ intentId }) => !seen.has(intentId))).toEqual([])
  })

  test('a new slip is shown although the newest one was issued while the clock was ahead', async () => {
    const { bridge, slips } = createHistory({
      list: () =>
        Promise.resolve(
          ok({ slips: [slip('ahead', { requestedAt: '2027-11-21T12:00:00.000Z' })], hasMore: false })
        )
    })
    slips.start()
    await slips.load()
    bridge.sendSlip(slip('next', { state: 'requested' }))
    bridge.sendSlip(slip('next', { state: 'issued', revision: 4 }))
    expect(ids(slips)).toEqual(['next', 'ahead'])
  })
})

describe('SlipList search', () => {
  test('sends all filters and adds no new slips by event', async () => {
    const { requests, call } = deferredCalls<
      Parameters<Bridge['slips']['list']>[0],
      { slips: readonly Slip[]; hasMore: boolean }
    >()
    const { bridge, slips } = createHistory({ list: call })
    slips.start()
    slips.filter({ from: '2026-11-20' })
    slips.filter({ customer: { id: 'maria', name: 'Maria' } })
    requests[1]?.resolve(ok({ slips: [slip('a')], hasMore: false }))
    await flushPromises()
    bridge.sendSlip(slip('b'))
    expect(requests[1]?.input).toEqual({ offset: 0, search: { from: '2026-11-20', customerId: 'maria' } })
    expect(ids(slips)).toEqual(['a'])
  })

  test('clear resets the filters and loads all slips', async () => {
    const { requests, call } = deferredCalls<
      Parameters<Bridge['slips']['list']>[0],
      { slips: readonly Slip[]; hasMore: boolean }
    >()
    const { slips } = createHistory({ list: call })
    slips.filter({ to: '2026-11-20' })
    slips.clearFilters()
    await flushPromises()
    expect(requests.at(-1)?.input).toEqual({ offset: 0 })
    expect(slips.filtered).toBe(false)
  })
})

describe('SlipList CSV export', () => {
  test('exports the filtered slips', async () => {
    const { requests, call } = deferredCalls<object, ExportResult>()
    const { slips } = createHistory({ list: listOf([]), exportCsv: call })
    slips.filter({ from: '2026-11-20' })
    const exporting = slips.exportCsv()
    requests[0]?.resolve(ok({ file: '/slips.csv', slips: 7 }))
    await exporting
    expect(requests[0]?.input).toEqual({ search: { from: '2026-11-20' } })
    expect(slips.exporting.saved).toEqual({ file: '/slips.csv', slips: 7 })
  })

  test('shows the failure when the file is not saved', async () => {
    const { slips } = createHistory({
      exportCsv: () => Promise.resolve(err({ kind: 'not-saved', what: 'slip' }))
    })
    await slips.exportCsv()
    expect(slips.exporting.saved).toBeNull()
    expect(slips.exporting.failure?.kind).toBe('not-saved')
  })
})

const checked = { used: true } as CheckedCode

describe('CodeCheck', () => {
  test('shows the result of the service', async () => {
    const check = new CodeCheck(
      bridgeWith({ slips: { check: () => Promise.resolve(ok(checked)) } }),
      new IpcClient()
    )
    check.type(' AR7K ')
    await check.check()
    expect(check.checked).toBe(checked)
  })

  test('drops the last result and keeps the text when the next check fails', async () => {
    const ipc = [ok(checked), err({ kind: 'not-found' } as const)]
    const check = new CodeCheck(
      bridgeWith({ slips: { check: () => Promise.resolve(ipc.shift() ?? err({ kind: 'internal' })) } }),
      new IpcClient()
    )
    check.type('AR7K')
    await check.check()
    check.type('NOSUCH')
    await check.check()
    expect(check.checked).toBeNull()
    expect(check.request.failure?.kind).toBe('not-found')
    expect(check.text).toBe('NOSUCH')
    check.type('')
    expect(check.request.failure).toBeNull()
  })

  test('ignores the result of an earlier check that arrives late', async () => {
    const { requests, call } = deferredCalls<{ code: string }, CheckedCode>()
    const check = new CodeCheck(bridgeWith({ slips: { check: call } }), new IpcClient())
    check.type('SLOW')
    const slow = check.check()
    check.type('QUICK')
    const quick = check.check()
    requests[1]?.resolve(ok(checked))
    await quick
    requests[0]?.resolve(err({ kind: 'not-found' }))
    await slow
    expect(check.checked).toBe(checked)
  })

  test('sends no request for an empty text', async () => {
    const check = new CodeCheck(bridgeWith({}), new IpcClient())
    check.type('  ')
    await check.check()
    expect(check.request.failure).toBeNull()
  })
})
