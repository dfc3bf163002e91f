import { randomUUID } from 'node:crypto'
import { expect, it, onTestFinished, vi } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { HinderedPrint } from '../../../../electron/contract/slips.ts'
import {
  notPrinted,
  type PrintControl,
  type PrintResult
} from '../../../../electron/main/printing/print-job.ts'
import { TestPages } from '../../../../electron/main/slips/test-pages.ts'

const printer = { destination: { kind: 'queue', name: 'Counter' }, paperSize: '80mm' } as const

/** Test pages whose jobs the test ends. */
const open = () => {
  const jobs: { control: Partial<PrintControl>; end: (result: PrintResult) => void }[] = []
  const told: (HinderedPrint | null)[] = []
  const pages: TestPages = new TestPages({
    printing: {
      print: (_job, _to, control) => new Promise((end) => jobs.push({ control: control ?? {}, end }))
    },
    samples: { get: () => Promise.resolve({ saveToFolder: () => Promise.resolve(ok(null)) }) },
    pdfRenderer: {
      renderTestPage: () =>
        Promise.resolve({
          pdf: new Uint8Array(),
          title: 'Test page',
          widthMillimetres: 80,
          heightMillimetres: 80
        })
    },
    business: { slipLocale: () => 'en' },
    onHindered: () => told.push(pages.hindered)
  })
  return { pages, jobs, told }
}

const [first, second] = [randomUUID(), randomUUID()]

it('that something delays is told after two seconds, until it ends', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { pages, jobs, told } = open()
  const printed = pages.print({ jobId: first, printer })
  await vi.waitFor(() => expect(jobs).toHaveLength(1))
  jobs[0]?.control.hindered?.('printer-busy')
  vi.advanceTimersByTime(1_999)
  expect(told).toEqual([])
  vi.advanceTimersByTime(1)
  expect(told).toEqual([{ jobId: first, fault: 'printer-busy', slip: null, isTestPage: true }])
  jobs[0]?.end(ok({ printer: 'Counter', job: null }))
  expect(await printed).toEqual(ok(null))
  expect(told.slice(1)).toEqual([null])
})

it('is cancelled alone, also while another one is printed', async () => {
  const { pages, jobs } = open()
  const results = [first, second].map((jobId) => pages.print({ jobId, printer }))
  await vi.waitFor(() => expect(jobs).toHaveLength(2))
  pages.cancel(randomUUID())
  pages.cancel(second)
  expect(jobs.map(({ control }) => control.signal?.aborted)).toEqual([false, true])
  const cancelled = notPrinted('cancelled-here')
  jobs[1]?.end(cancelled)
  jobs[0]?.end(ok({ printer: 'Counter', job: null }))
  expect(await Promise.all(results)).toEqual([ok(null), cancelled])
  // One that has ended.
  pages.cancel(second)
})

it('goes to the folder of a till without a printer', async () => {
  const { pages, jobs } = open()
  const folder = { destination: { kind: 'folder' }, paperSize: '80mm' } as const
  expect(await pages.print({ jobId: first, printer: folder })).toEqual(ok(null))
  expect(jobs).toEqual([])
})

it('whose page cannot be drawn is no longer running', async () => {
  const pages = new TestPages({
    printing: { print: () => Promise.resolve(err({ kind: 'internal' })) },
    samples: { get: () => expect.fail() },
    pdfRenderer: { renderTestPage: () => Promise.reject(new Error('no fonts')) },
    business: { slipLocale: () => 'en' },
    onHindered: () => undefined
  })
  await expect(pages.print({ jobId: first, printer })).rejects.toThrow('no fonts')
  expect(pages.hindered).toBeNull()
})
