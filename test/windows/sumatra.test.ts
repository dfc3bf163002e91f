/** Slips and reports through the app's Windows printing, SumatraPDF and Wine's spooler, onto a driver's forms. */
import { randomUUID } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import type { SlipsReport } from '../../electron/contract/slip-report.ts'
import { SLIP_STATUSES, type SlipStatus } from '../../electron/contract/slips.ts'
import { type PrintJob, renderForQueues } from '../../electron/main/printing/print-job.ts'
import { PROJECT } from '../../resources/scripts/tools.ts'
import { renderer } from '../printing/sample-slip.ts'
import { startPrintSystem, type PrintSystem } from '../support/print-system/index.ts'
import { inkBox } from '../support/ink-box.ts'
import { scan, slipPicture, type Picture } from '../support/read-slip.ts'
import { sampleSlip } from '../support/sample-slip.ts'
import { addReceiptDriver, FORMS, type ReceiptDriver } from './receipt-driver.ts'
import { runOnWindows, windowsPath } from './wine.ts'
import { targetOf } from '../support/print-target.ts'

/** What a command line may change, except what CUPS refuses in names of queues. */
const QUEUE = 'Theke%PATH%^&(1)'

const PROGRAM_FOLDER = join(PROJECT, 'node_modules/pdf-to-printer/dist')

let system: PrintSystem
let driver: ReceiptDriver

beforeAll(async () => {
  system = await startPrintSystem()
  driver = await addReceiptDriver(system, QUEUE)
})

beforeEach(() => driver.forgetJobs())

afterAll(async () => {
  await driver.stop()
  await system.stop()
})

const outcomeSchema = v.object({ result: v.looseObject({ ok: v.boolean() }), left: v.array(v.string()) })

/** Prints on a queue whose driver has these forms. */
async function print(
  { pdf, headPdf, widthMillimetres, heightMillimetres }: Omit<PrintJob, 'title'>,
  forms: readonly string[],
  queue = QUEUE
) {
  const [file, headFile] = [`/tmp/${randomUUID()}.pdf`, `/tmp/${randomUUID()}.pdf`]
  await writeFile(file, pdf)
  await writeFile(headFile, (await headPdf?.()) ?? pdf)
  try {
    const size = { widthMillimetres, heightMillimetres }
    const input = { queue, forms, pdf: windowsPath(file), headPdf: windowsPath(headFile), ...size }
    return v.parse(outcomeSchema, await runOnWindows('print', input, system.environment))
  } finally {
    await Promise.all([rm(file), rm(headFile)])
  }
}

const dots = (millimetres: number): number => Math.round((millimetres / 25.4) * 203)

/** Expects a page of this form with the ink of `pdf` at its place, `shift` dots further left, within one dot. */
async function expectUnscaled(
  page: Picture | undefined,
  pdf: Uint8Array,
  form: keyof typeof FORMS,
  shift: number
): Promise<void> {
  if (page === undefined) throw new Error('Nothing was printed')
  expect(Math.abs(page.width - dots(FORMS[form][0]))).toBeLessThanOrEqual(1)
  const [printed, drawn] = [inkBox(page), inkBox(await slipPicture(pdf))]
  expect(Math.abs(printed.left - (drawn.left - shift))).toBeLessThanOrEqual(1)
  expect(Math.abs(printed.right - (drawn.right - shift))).toBeLessThanOrEqual(1)
  expect(Math.abs(printed.top - drawn.top)).toBeLessThanOrEqual(1)
  expect(Math.abs(printed.bottom - drawn.bottom)).toBeLessThanOrEqual(1)
}

const emptyDay: SlipsReport = {
  range: { from: '2026-11-21', to: '2026-11-21' },
  timeZone: 'UTC',
  bucketSize: 'hour',
  buckets: [],
  slips: 0,
  points: 0,
  copies: 0,
  offline: 0,
  removed: 0,
  collections: null,
  statuses: Object.fromEntries(SLIP_STATUSES.map((status) => [status, 0])) as Record<SlipStatus, number>
}

describe.each([
  { paper: '80mm', form: '80(72)x 297mm', shift: 0 },
  { paper: '58mm', form: 'Roll Paper 58 x 210 mm', shift: 0 },
  // These forms begin at the left edge of the print head.
  { paper: '80mm', form: '72mm x 200mm', shift: 32 },
  { paper: '58mm', form: '48mm x 200mm', shift: 40 }
] as const)('on $form for a roll of $paper', ({ paper, form, shift }) => {
  test('a slip is printed unscaled, and its code can be scanned', async () => {
    const slip = await renderForQueues(
      (target) => renderer.renderSlips([sampleSlip], target),
      targetOf(paper)
    )
    expect(await print(slip, ['A4', form])).toMatchObject({ result: { ok: true }, left: [] })
    const [page] = await driver.nextJob()
    await expectUnscaled(page, slip.pdf, form, shift)
    if (page) expect(await scan(page)).toEqual([sampleSlip.url])
  })

  test('a short report is printed unscaled and is not turned', async () => {
    const document = {
      report: emptyDay,
      business: 'Kafeneio Aroma',
      tillName: 'Till 2',
      locale: 'en-GB',
      training: false,
      printedAt: '2026-11-21T19:02:00.000Z'
    }
    const report = await renderForQueues((target) => renderer.renderReport(document, target), targetOf(paper))
    expect(await print(report, ['A4', form])).toMatchObject({ result: { ok: true }, left: [] })
    const [page] = await driver.nextJob()
    await expectUnscaled(page, report.pdf, form, shift)
  })
})

test('slips of one job are printed on a page each', async () => {
  const slips = ['one', 'two', 'three'].map((code) => ({
    ...sampleSlip,
    code,
    url: `https://points.example/qr/${code}`
  }))
  const job = await renderer.renderSlips(slips, targetOf('80mm'))
  expect((await print(job, ['80(72)x 297mm'])).result.ok).toBe(true)
  const pages = await driver.nextJob()
  const codes = await Promise.all(pages.map(scan))
  expect(codes.flat()).toEqual(slips.map(({ url }) => url))
})

test('SumatraPDF leaves no file beside its program', async () => {
  const before = await readdir(PROGRAM_FOLDER)
  const slip = await renderer.renderSlips([sampleSlip], targetOf('80mm'))
  expect((await print(slip, ['80(72)x 297mm'])).left).toEqual([])
  await driver.nextJob()
  expect(await readdir(PROGRAM_FOLDER)).toEqual(before)
  expect(before).not.toContain('SumatraPDF-settings.txt')
})

test.each([
  ['on a queue that Windows does not have', 'Nowhere', null],
  ['of a document that is broken', QUEUE, Buffer.from('%PDF-1.7 broken')]
])('a job %s is not submitted', async (_what, queue, broken) => {
  const slip = await renderer.renderSlips([sampleSlip], targetOf('80mm'))
  const { result } = await print({ ...slip, pdf: broken ?? slip.pdf }, ['A4'], queue)
  expect(result).toMatchObject({ ok: false })
})
