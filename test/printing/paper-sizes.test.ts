/**
 * Each paper of the till on queues with the drivers of CUPS's own samples and of DYMO, and of printers without one: it is
 * whole on the raster that the driver gets, or refused with what the queue has.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { PAPER_SIZES, type PaperSize } from '../../electron/contract/paper.ts'
import { Printing } from '../../electron/main/printing/index.ts'
import { type PrintJob, renderForQueues } from '../../electron/main/printing/print-job.ts'
import { inkBox } from '../support/ink-box.ts'
import { noOpLogger } from '../support/no-op-logger.ts'
import { notPrinted } from '../support/not-printed.ts'
import {
  OFFICE_SHEETS,
  type PrintSystem,
  RECEIPT_ROLL,
  startPrintSystem
} from '../support/print-system/index.ts'
import { printSystemSkipReason } from '../support/print-system/programs.ts'
import { readRaster, type RasterPage } from '../support/print-system/raster.ts'
import { targetOf } from '../support/print-target.ts'
import { scan, slipPicture } from '../support/read-slip.ts'
import { sampleSlip } from '../support/sample-slip.ts'
import { FULL } from '../support/size.ts'
import { renderer } from './sample-slip.ts'

/** The papers that each sample driver prints whole. */
const SAMPLES: Readonly<Record<string, readonly PaperSize[]>> = {
  deskjet: ['A4'],
  dymo: [],
  epson24: ['A6', 'A4'],
  epson9: ['A6', 'A4'],
  generic: ['A4'],
  generpcl: ['A4'],
  intelbar: ['58mm', '80mm', 'A6', 'A4'],
  laserjet: ['A4'],
  okidat24: ['58mm', '80mm', 'A6', 'A4'],
  okidata9: ['58mm', '80mm', 'A6', 'A4'],
  zebra: ['58mm', '80mm', 'A6', 'A4'],
  zebracpl: ['58mm', '80mm'],
  zebraep1: ['58mm', '80mm'],
  zebraep2: ['58mm', '80mm']
}

/** The same of the drivers of DYMO; most labels are narrower. */
const DYMO: Readonly<Record<string, readonly PaperSize[]>> = {
  lm400: [],
  lm450: [],
  lmpc: [],
  lmpc2: [],
  lmpnp: [],
  lp350: [],
  lw300: [],
  lw310: [],
  lw315: [],
  lw320: ['58mm'],
  lw330: ['58mm'],
  lw330t: ['58mm'],
  lw400: ['58mm'],
  lw400t: ['58mm'],
  lw450: ['58mm'],
  lw450dl: ['58mm'],
  lw450dt: [],
  lw450t: ['58mm'],
  lw450tt: ['58mm'],
  lw4xl: ['58mm', '80mm', 'A6'],
  lwduol: ['58mm'],
  lwduot: [],
  lwduot2: [],
  lwtt: ['58mm'],
  se450: ['58mm']
}

/**
 * The drivers whose queues are printed on in `npm run test:all`: for each set of papers one, and the kinds of printers, needles,
 * labels, ink and toner. `npm run test:printing` takes every one.
 */
const REPRESENTATIVE = [
  'deskjet',
  'dymo',
  'epson9',
  'laserjet',
  'zebra',
  'zebraep1',
  'lw450',
  'lw4xl',
  'lmpc'
]

/** Options that would change the pages, or add some. */
const OPTIONS = [
  ['booklet', 'true'],
  ['copies', '2'],
  ['crop-to-fit', 'true'],
  ['fill', 'true'],
  ['fit-to-page', 'true'],
  ['fitplot', 'true'],
  ['job-sheets', 'standard,none'],
  ['landscape', 'true'],
  ['media', 'iso_a5_148x210mm'],
  ['mirror', 'true'],
  ['natural-scaling', '50'],
  ['number-up', '2'],
  ['orientation-requested', '4'],
  ['page-border', 'double'],
  ['page-label', 'Confidential'],
  ['page-left', '150'],
  ['page-ranges', '5'],
  ['page-set', 'even'],
  ['page-top', '150'],
  ['position', 'bottom-right'],
  ['print-scaling', 'fill'],
  ['scaling', '50'],
  ['sides', 'two-sided-long-edge']
] as const

/** The same in the words of drivers. */
const DRIVER_OPTIONS = ['Duplex=DuplexNoTumble', 'PageSize=w288h360']

type Media = Parameters<PrintSystem['addPrinter']> extends [string, ...infer Rest] ? Rest : never

// CUPS 2.4.8 to 2.4.11 cannot describe a printer that takes PWG raster only.
const APPLE_ROLL: Media = [{ ...RECEIPT_ROLL, formats: 'image/urf' }, 'cups']
const APPLE_SHEETS: Media = [{ ...OFFICE_SHEETS, formats: 'image/urf' }, 'cups']
const PWG_ROLL: Media = [{ ...RECEIPT_ROLL, formats: 'image/pwg-raster' }, 'cups-filters']
const PWG_SHEETS: Media = [{ ...OFFICE_SHEETS, formats: 'image/pwg-raster' }, 'cups-filters']

/** Dots an inch of a page that PostScript describes. */
const POSTSCRIPT_DPI = 300

async function drawPostScript(postScript: Buffer): Promise<RasterPage> {
  const drawing = promisify(execFile)(
    'gs',
    ['-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', '-sOutputFile=-', '-'],
    { encoding: 'buffer', maxBuffer: 10_000_000 }
  )
  drawing.child.stdin?.end(postScript)
  const picture = await slipPicture((await drawing).stdout, POSTSCRIPT_DPI)
  return { dpi: [POSTSCRIPT_DPI, POSTSCRIPT_DPI], isTwoSided: false, picture }
}

const readPages = async (bytes: Buffer): Promise<readonly RasterPage[]> =>
  bytes.toString('latin1', 0, 2) === '%!' ? [await drawPostScript(bytes)] : readRaster(bytes)

/** Expects all ink of a PDF on a page, in its size, at most a dot more or less at each end. */
async function expectWhole({ dpi: [across, down], picture }: RasterPage, pdf: Uint8Array): Promise<void> {
  const box = inkBox(picture)
  const size = async (dpi: number) => inkBox(await slipPicture(pdf, dpi))
  const [drawn, drawnDown] = [await size(across), await size(down)]
  expect(Math.abs(box.right - box.left - (drawn.right - drawn.left))).toBeLessThanOrEqual(2)
  expect(Math.abs(box.bottom - box.top - (drawnDown.bottom - drawnDown.top))).toBeLessThanOrEqual(2)
}

describe.skipIf(printSystemSkipReason() !== null)('the papers of the till', () => {
  let system: PrintSystem
  let printing: Printing
  /** a copy, whose marks are at both ends, and the test page, whose frame is around all that may be printed */
  const jobs = new Map<PaperSize, readonly [copy: PrintJob, page: PrintJob]>()

  const print = (queue: string, job: PrintJob) => printing.print(job, { kind: 'queue', name: queue })

  const listed = async (name: string) => {
    const list = await printing.list()
    return list.ok ? list.value.find((queue) => queue.name === name) : undefined
  }

  /** Prints each paper. Returns those that were printed; each of their pages is whole, and of the others there is none. */
  async function printAll(queue: string, lastJob: () => Promise<Buffer | null>): Promise<PaperSize[]> {
    const printed: PaperSize[] = []
    for (const paper of PAPER_SIZES) {
      for (const [index, job] of (jobs.get(paper) ?? []).entries()) {
        const { ok, ...result } = await print(queue, job)
        const bytes = await lastJob()
        if (!ok) {
          expect(result).toMatchObject({ failure: { fault: 'refused-size', mayStillPrint: false } })
          expect(bytes).toBeNull()
          continue
        }
        const pages = await readPages(bytes ?? Buffer.alloc(0))
        const [page] = pages
        if (page === undefined) throw new Error('Nothing was printed')
        expect([pages.length, page.isTwoSided]).toEqual([1, false])
        await expectWhole(page, job.pdf)
        if (index > 0) continue
        printed.push(paper)
        if (page.dpi[0] === page.dpi[1] && page.dpi[0] >= 200)
          expect(await scan(page.picture)).toEqual([sampleSlip.url])
      }
    }
    return printed
  }

  beforeAll(async () => {
    system = await startPrintSystem()
    const timeouts = { job: 50_000, hindrance: 50_000, response: 30_000 }
    printing = new Printing({
      platform: 'linux',
      environment: system.environment,
      log: noOpLogger,
      timeouts
    })
    for (const paper of PAPER_SIZES) {
      const about = { locale: 'en', printedAt: '2026-11-21T12:05:33.000Z' }
      const copy = await renderForQueues(
        (target) => renderer.renderSlips([{ ...sampleSlip, copy: 1 }], target),
        targetOf(paper)
      )
      const page = await renderForQueues((target) => renderer.renderTestPage(about, target), targetOf(paper))
      jobs.set(paper, [{ ...copy, title: 'Copy' }, page])
    }
    return () => system.stop()
  })

  /** What the settings say of a queue, and what came out of it. */
  async function expectPapers(
    queue: string,
    papers: readonly PaperSize[],
    lastJob: () => Promise<Buffer | null>
  ) {
    expect([queue, (await listed(queue))?.offered.papers]).toEqual([queue, papers])
    expect([queue, await printAll(queue, lastJob)]).toEqual([queue, papers])
  }

  const nameOf = (driver: string): string => /([^/]+)\.ppd$/.exec(driver)?.[1] ?? ''

  describe.each([
    ['sample drivers of CUPS', 'drv:', SAMPLES],
    ['drivers of DYMO', 'dymo:', DYMO]
  ] as const)('with the %s', (_whose, scheme, papersOf) => {
    const drivers = async () => (await system.drivers()).filter((driver) => driver.startsWith(scheme))

    test('are tested', async () => {
      expect((await drivers()).map(nameOf).sort()).toEqual(Object.keys(papersOf))
    })

    // One test for each: together they draw for minutes on a busy machine.
    const drawn = Object.entries(papersOf).filter(([name]) => FULL || REPRESENTATIVE.includes(name))
    test.each(drawn)('are whole or refused: %s', async (name, papers) => {
      const driver = (await drivers()).find((one) => nameOf(one) === name) ?? ''
      await expectPapers(name, papers, await system.addDriver(name, driver))
    })
  })

  /** Adds a printer without a driver. */
  async function addPrinter(
    name: string,
    ...[media, driverOf]: Media
  ): Promise<() => Promise<Buffer | null>> {
    const printer = await system.addPrinter(name, media, driverOf)
    let seen = 0
    return async () => {
      const [printed = null] = (await printer.received()).slice(seen)
      if (printed !== null) seen++
      return printed
    }
  }

  test.each([
    ['Apple raster on a roll', APPLE_ROLL, ['58mm', '80mm']],
    ['Apple raster on sheets', APPLE_SHEETS, ['A6', 'A4']],
    ['PWG raster on a roll', PWG_ROLL, ['58mm', '80mm']],
    ['PWG raster on sheets', PWG_SHEETS, ['A6', 'A4']]
  ] as const)('are whole or refused without a driver, by a printer of %s', async (what, media, papers) => {
    const queue = what.replaceAll(' ', '-')
    await expectPapers(queue, papers, await addPrinter(queue, ...media))
  })

  const defaults = [
    ['lpadmin', 'a driver', PAPER_SIZES],
    ['lpoptions', 'no driver', ['58mm', '80mm']],
    ['lpadmin', 'a driver that prints both sides', ['A4']],
    ['lpoptions', 'a driver', PAPER_SIZES],
    ['lpadmin', 'no driver', ['58mm', '80mm']],
    ['lpoptions', 'a driver that prints both sides', ['A4']]
  ] as const
  // Else each kind of queue, and each program.
  test.each(FULL ? defaults : defaults.slice(0, 3))(
    'are whole whatever %s made the defaults of a queue with %s',
    async (by, kind, papers) => {
      const queue = `${by}-${kind}`.replaceAll(' ', '-')
      const lastJob = await {
        'a driver': () => system.addDriver(queue, 'drv:///sample.drv/zebra.ppd'),
        'a driver that prints both sides': () => system.addDriver(queue, 'drv:///sample.drv/laserjet.ppd'),
        'no driver': () => addPrinter(queue, ...PWG_ROLL)
      }[kind]()
      const options = [
        ...OPTIONS.map(([name, value]) =>
          by === 'lpadmin' ? `${name}-default=${value}` : `${name}=${value}`
        ),
        ...DRIVER_OPTIONS
      ]
      await system.command(by, '-p', queue, ...options.flatMap((option) => ['-o', option]))
      await expectPapers(queue, papers, lastJob)
    }
  )

  test('are whole on every member of a class, or refused', async () => {
    const [labels, needles] = [
      await system.addDriver('Labels', 'drv:///sample.drv/zebra.ppd'),
      await system.addDriver('Needles', 'drv:///sample.drv/epson9.ppd')
    ]
    await system.addClass('Both', 'Labels', 'Needles')
    await expectPapers('Both', ['A6', 'A4'], async () => (await labels()) ?? (await needles()))
  })

  test('are refused as PDFs by a class of which a member has no driver', async () => {
    await system.addDriver('Driver', 'drv:///sample.drv/zebra.ppd')
    await system.addRawQueue('Raw')
    await system.addClass('Mixed', 'Driver', 'Raw')
    expect(await listed('Mixed')).toMatchObject({ isRaw: true })
    const [copy] = jobs.get('80mm') ?? []
    if (copy === undefined) throw new Error('There is no copy')
    expect(await print('Mixed', copy)).toEqual(notPrinted('refused-pdf', false))
  })

  test('are refused by a queue that does not say which sizes it has', async () => {
    await system.addRawQueue('Driverless', 'ipp://localhost:1/ipp/print')
    await expectPapers('Driverless', [], () => Promise.resolve(null))
  })
})
