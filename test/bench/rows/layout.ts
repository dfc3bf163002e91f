/** Laying out a slip, warm, against other ways to make the same PDF; and a job of many slips. */
import { performance } from 'node:perf_hooks'
import { SlipPdfRenderer } from '../../../electron/main/slip-pdf/slip-pdf-renderer.ts'
import type { Bench, Growing } from '../bench.ts'
import { openChromium } from '../layout/chromium.ts'
import type { OpenPeer } from '../layout/peer.ts'
import { FONTS_FOLDER, sheetOf, type Sheet } from '../layout/sheet.ts'
import { SLIPS, type Script } from '../layout/slips.ts'
import type { Measured, Target } from '../line.ts'
import { milliseconds, sideBySide, type Rounds } from '../side-by-side.ts'
import { atRank } from '../statistics.ts'
import { targetOf } from '../../support/print-target.ts'

const SCRIPTS = ['Latin', 'Arabic', 'Japanese'] as const satisfies readonly Script[]

/** Returns the other ways to make a PDF. A smoke test has Chromium alone: the libraries may not be installed. */
async function openers(full: boolean): Promise<readonly OpenPeer[]> {
  if (!full) return [openChromium]
  const { openPdfmake } = await import('../layout/pdfmake.ts')
  const { openJsPdf } = await import('../layout/jspdf.ts')
  const { openPdfLib } = await import('../layout/pdf-lib.ts')
  return [openPdfmake, openJsPdf, openPdfLib, openChromium]
}

/** Slips in one document: a sale, a few, a promotion. */
const JOBS = [1, 10, 100, 1000]

const HALF: Target = { kind: 'at most times', times: 0.5, rank: 'p50' }
const NONE: Target = { kind: 'none' }

/** Defects in the other libraries' pages of the same slips, found by eye. */
const FAULTS: Readonly<Record<Script, Readonly<Partial<Record<string, string>>>>> = {
  Latin: { 'pdf-lib': 'loses letters of these fonts' },
  Arabic: {
    pdfmake: 'puts the words in the wrong order and drops spaces',
    jsPDF: 'turns the digits of the date around',
    'pdf-lib': 'loses letters of these fonts'
  },
  Japanese: { 'pdf-lib': 'loses letters of these fonts' }
}

/** PDF bytes of ours, of the smallest of the others, and whose that is. */
interface Sizes {
  readonly ours: number
  readonly least: { readonly name: string; readonly bytes: number } | null
}

const renderer = new SlipPdfRenderer(FONTS_FOLDER)

async function against(
  script: Script,
  sheet: Sheet,
  open: OpenPeer,
  rounds: Rounds
): Promise<{ readonly line: Measured; readonly name: string; readonly bytes: number }> {
  const peer = await open(sheet)
  try {
    const document = [SLIPS[script]]
    const samples = await sideBySide(
      rounds,
      () => milliseconds(() => renderer.renderSlips(document, targetOf('80mm'))),
      () => milliseconds(() => peer.make())
    )
    const note = FAULTS[script][peer.name]
    const line: Measured = {
      name: `layout: ${script}`,
      unit: 'ms',
      samples,
      against: peer.name,
      target: script === 'Latin' ? HALF : NONE,
      ...(note !== undefined && { note: `${peer.name} ${note}` })
    }
    return { line, name: peer.name, bytes: (await peer.make()).byteLength }
  } finally {
    await peer.close()
  }
}

const sizeLine = (script: Script, { ours, least }: Sizes): Measured => ({
  name: `layout: ${script}, the file`,
  unit: 'kB',
  samples: { ours: [ours / 1000], baseline: least === null ? [] : [least.bytes / 1000] },
  ...(least !== null && { against: `the smallest: ${least.name}` }),
  target: script === 'Latin' ? { kind: 'at most times', times: 1.2, rank: 'p50' } : NONE
})

/** Milliseconds that a job of so many slips takes, each with a code of its own. `budget`: for each size, milliseconds. */
async function jobs(
  sizes: readonly number[],
  budget: number,
  say: (message: string) => void
): Promise<Growing> {
  const points = []
  for (const size of sizes) {
    say(`a document of ${size}`)
    const slips = Array.from({ length: size }, (_, index) => {
      const code = `K7QF-${String(index).padStart(4, '0')}`
      return { ...SLIPS.Latin, code, url: `https://loyalty.example/q/${code}` }
    })
    const costs: number[] = []
    const until = performance.now() + budget
    do costs.push(await milliseconds(() => renderer.renderSlips(slips, targetOf('80mm'))))
    while (performance.now() < until && costs.length < 200)
    points.push({ size, cost: atRank(costs, 'p50') })
  }
  return { name: 'layout: one document', of: 'slips in it', points }
}

/** The row of the layout. */
export const layoutBench: Bench = {
  name: 'layout',
  description: 'laying out one slip, against pdfmake, jsPDF, pdf-lib and Chromium’s print-to-PDF',
  async measure({ extent, say }) {
    const full = extent === 'full'
    const rounds = full ? { rounds: 40, warmUp: 20 } : { rounds: 1, warmUp: 0 }
    const lines: Measured[] = []
    for (const script of full ? SCRIPTS : (['Latin'] as const)) {
      const sheet = await sheetOf(SLIPS[script])
      let least: Sizes['least'] = null
      for (const open of await openers(full)) {
        const { line, name, bytes } = await against(script, sheet, open, rounds)
        say(`${script}: ${name}`)
        lines.push(line)
        if (least === null || bytes < least.bytes) least = { name, bytes }
      }
      lines.push(
        sizeLine(script, {
          ours: (await renderer.renderSlips([SLIPS[script]], targetOf('80mm'))).pdf.byteLength,
          least
        })
      )
    }
    return { lines, growing: [await (full ? jobs(JOBS, 2000, say) : jobs([1, 2], 0, say))] }
  }
}
