import { describe, expect, test } from 'vitest'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { ExportResult, Slip } from '../../../../electron/contract/slips.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { SlipList } from '../../../../renderer/src/state/slip-history.svelte.ts'
import { bridgeWith, byHand, settle, slip } from '../support/bridge.ts'

const make = (calls: Partial<Bridge['slips']>) => {
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

describe('the list of slips', () => {
  test('goes on where it stopped, also behind a slip that was issued meanwhile', async () => {
    const { asked, call } = byHand<
      Parameters<Bridge['slips']['list']>[0],
      { slips: readonly Slip[]; hasMore: boolean }
    >()
    const { bridge, slips } = make({ list: call })
    slips.start()
    void slips.load()
    asked[0]?.answer(ok({ slips: [slip('c'), slip('b')], hasMore: true }))
    await settle()
    bridge.sendSlip(slip('d'))
    asked[1]?.answer(err({ kind: 'internal' }))
    await settle()
    void slips.rows.retry()
    asked[2]?.answer(ok({ slips: [slip('a')], hasMore: false }))
    await settle()
    expect(asked.map(({ input }) => input.offset)).toEqual([0, 2, 3])
    expect([ids(slips), slips.rows.hasMore]).toEqual([['d', 'c', 'b', 'a'], false])
  })

  test('takes a new slip in at its top, and a changed one where it stands', async () => {
    const { bridge, slips } = make({ list: listOf(['b', 'a']) })
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

  test('keeps the newer of two versions of a row, in whichever order they come', async () => {
    const { bridge, slips } = make({ list: listOf(['a']) })
    slips.start()
    await slips.load()
    slips.chosen = slips.rows.at(0) ?? null
    bridge.sendSlip(slip('a', { revision: 5, copies: 1 }))
    bridge.sendSlip(slip('a', { revision: 4 }))
    expect([slips.rows.at(0)?.copies, slips.chosen?.copies]).toEqual([1, 1])
  })

  test('leaves an old slip out that it does not reach down to', async () => {
    const { bridge, slips } = make({ list: listOf(['b']) })
    slips.start()
    await slips.load()
    bridge.sendSlip(slip('old', { requestedAt: '2026-11-20T12:00:00.000Z' }))
    expect(ids(slips)).toEqual(['b'])
  })
})

describe('a search', () => {
  test('asks main with all that is given, and takes no new slip in by itself', async () => {
    const { asked, call } = byHand<
      Parameters<Bridge['slips']['list']>[0],
      { slips: readonly Slip[]; hasMore: boolean }
    >()
    const { bridge, slips } = make({ list: call })
    slips.start()
    slips.form.from = '2026-11-20'
    slips.form.customer = { id: 'maria', name: 'Maria' }
    asked[1]?.answer(ok({ slips: [slip('a')], hasMore: false }))
    await settle()
    bridge.sendSlip(slip('b'))
    expect(asked[1]?.input).toEqual({ offset: 0, search: { from: '2026-11-20', customerId: 'maria' } })
    expect(ids(slips)).toEqual(['a'])
  })

  test('cleared, asks for everything', async () => {
    const { asked, call } = byHand<
      Parameters<Bridge['slips']['list']>[0],
      { slips: readonly Slip[]; hasMore: boolean }
    >()
    const { slips } = make({ list: call })
    slips.form.to = '2026-11-20'
    slips.form.clear()
    await settle()
    expect([asked.at(-1)?.input, slips.form.active]).toEqual([{ offset: 0 }, false])
  })
})

describe('the export', () => {
  test('writes what the search finds', async () => {
    const { asked, call } = byHand<object, ExportResult>()
    const { slips } = make({ list: listOf([]), exportCsv: call })
    slips.form.from = '2026-11-20'
    const exporting = slips.exportCsv()
    asked[0]?.answer(ok({ file: '/slips.csv', slips: 7 }))
    await exporting
    expect(asked[0]?.input).toEqual({ search: { from: '2026-11-20' } })
    expect(slips.exported).toEqual({ file: '/slips.csv', slips: 7 })
  })

  test('says why nothing was written', async () => {
    const { slips } = make({ exportCsv: () => Promise.resolve(err({ kind: 'not-saved', what: 'slip' })) })
    await slips.exportCsv()
    expect([slips.exported, slips.exporting.failure?.kind]).toEqual([null, 'not-saved'])
  })
})
