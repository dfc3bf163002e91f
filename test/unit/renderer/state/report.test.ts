import { expect, test } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { ReportRange } from '../../../../electron/contract/slip-report.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { QUICK_RANGES, Report } from '../../../../renderer/src/state/report.svelte.ts'
import { fakeReport } from '../../../support/screenshots/fake-calls.ts'
import { bridgeWith, flushPromises } from '../support/bridge.ts'

/** A report at this day, and what was asked for. While `failing`, no report can be read. */
const createReport = (day: string) => {
  const clock = { day, failing: false }
  const asked: [string, ReportRange][] = []
  const bridge = bridgeWith({
    slips: {
      report: (range) =>
        Promise.resolve(
          clock.failing ? err({ kind: 'not-saved', what: 'journal' }) : ok(fakeReport(range, []))
        ),
      printReport: (range) => {
        asked.push(['print', range])
        return Promise.resolve(ok({ delivery: 'printed', printer: null }))
      },
      exportCsv: ({ search }) => {
        asked.push(['slips', { from: search?.from ?? '', to: search?.to ?? '' }])
        return Promise.resolve(ok({ file: null, slips: 0 }))
      },
      exportCollections: ({ range }) => {
        asked.push(['collected', range])
        return Promise.resolve(ok({ file: null }))
      }
    }
  } as Parameters<typeof bridgeWith>[0])
  return { report: new Report(bridge, new IpcClient(), () => clock.day), asked, clock }
}

test('the report that is shown is printed and exported, also when another day could not be read', async () => {
  const { report, asked, clock } = createReport('2026-11-20')
  report.refresh()
  await flushPromises()
  clock.failing = true
  report.stepDay(-1)
  await flushPromises()
  expect(report.report?.range).toEqual({ from: '2026-11-20', to: '2026-11-20' })
  await report.print()
  await report.exportCsv()
  await report.exportCollections()
  const shown = { from: '2026-11-20', to: '2026-11-20' }
  expect(asked).toEqual([
    ['print', shown],
    ['slips', shown],
    ['collected', shown]
  ])
})

test.each(QUICK_RANGES)(
  '%s, pressed on the first of a month, is the same range on the next day',
  async (name) => {
    const { report, clock } = createReport('2026-12-01')
    report.showQuickRange(name)
    expect(report.shownQuickRange).toBe(name)
    clock.day = '2026-12-02'
    report.refresh()
    await flushPromises()
    expect(report.shownQuickRange).toBe(name)
  }
)
