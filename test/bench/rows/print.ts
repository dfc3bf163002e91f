/** From Print slip to a job in CUPS's hands, against the POST, a bare PDF and `lp`, one after the other. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import * as v from 'valibot'
import { CashierPage } from '../../e2e/page-objects/cashier.ts'
import { changeSettings, slipsOf } from '../../e2e/support/bridge.ts'
import { sampleSlip } from '../../printing/sample-slip.ts'
import { startPrintSystem, type PrintSystem } from '../../support/print-system/index.ts'
import { sizeOf, type Bench } from '../bench.ts'
import { atMostTimes } from '../line.ts'
import { milliseconds, sideBySide } from '../side-by-side.ts'
import { barePost } from '../window/customers.ts'
import { withService, withTill } from '../window/open.ts'

/** Slips, and first slips after so many idle seconds: ten minutes, or what the environment variable BENCH_IDLE_SECONDS says. */
const EXTENT = {
  smoke: { rounds: 2, warmUp: 0, idle: { rounds: 1, seconds: 1 } },
  full: {
    rounds: 30,
    warmUp: 4,
    idle: { rounds: 3, seconds: sizeOf('IDLE_SECONDS', 600) }
  }
} as const

/** Between two keys of a person who types points, ms. */
const BETWEEN_KEYS = 200

/** The options that the app sends to CUPS, as `lp` arguments. */
const LIKE_THE_TILL = ['-n', '1', '-o', 'PageSize=Custom.80x120mm', '-o', 'print-scaling=none']

/** Milliseconds without polling after a print, several times its duration. */
const UNASKED = 500

/** A line of the till's log that says when CUPS had a slip's job. */
const queuedSchema = v.object({
  time: v.pipe(v.string(), v.isoTimestamp()),
  event: v.literal('print-queued'),
  intentId: v.string()
})

/** When CUPS had answered with the number of this slip's job, ms since 1970. */
async function queuedAt(userData: string, intentId: string): Promise<number> {
  const lines = (await readFile(join(userData, 'logs/till.log'), 'utf8')).trim().split('\n')
  for (const line of lines) {
    const queued = v.safeParse(queuedSchema, JSON.parse(line))
    if (queued.success && queued.output.intentId === intentId) return Date.parse(queued.output.time)
  }
  throw new Error('The till handed nothing to the print system')
}

declare global {
  interface Window {
    /** when the next Enter was pressed, ms since 1970 */
    benchPress?: Promise<number>
  }
}

/** Has the page note when Enter is pressed next, by the clock that main writes its log by. */
const watchEnter = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.benchPress = new Promise((resolve) => {
      addEventListener('keydown', ({ timeStamp }) => resolve(Date.now() - (performance.now() - timeStamp)), {
        capture: true,
        once: true
      })
    })
  })

const pressedAt = async (page: Page): Promise<number> => {
  const at = await page.evaluate(() => window.benchPress)
  if (at === undefined) throw new Error('Nothing was pressed')
  return at
}

/** Prints a slip at the till. Gives the milliseconds from the key to the answer of CUPS; resolves when it is out. */
async function printAtTill(page: Page, userData: string): Promise<number> {
  const cashier = new CashierPage(page)
  await cashier.points.focus()
  await page.keyboard.type('120', { delay: BETWEEN_KEYS })
  await watchEnter(page)
  await page.keyboard.press('Enter')
  // Polling would disturb the measurement.
  await wait(UNASKED)
  const pressed = await pressedAt(page)
  for (;;) {
    const [slip] = await slipsOf(page)
    if (slip && Date.parse(slip.requestedAt) >= pressed - 1000 && slip.state === 'printed')
      return (await queuedAt(userData, slip.intentId)) - pressed
    if (slip?.state === 'print-failed') throw new Error('The slip was not printed')
    await wait(50)
  }
}

/**
 * The POST alone, then a slip as pdfkit makes it without a font of its own, then `lp` alone. Resolves when the job is
 * out.
 */
async function printBare(url: string, system: PrintSystem, file: string): Promise<number> {
  const run = promisify(execFile)
  const answered = await milliseconds(() => barePost(url))
  const handed = await milliseconds(async () => {
    const job = await sampleSlip(80, 120)
    await writeFile(file, job.pdf)
    await run('lp', ['-d', system.receipt.queue, ...LIKE_THE_TILL, '-t', job.title, '--', file], {
      env: system.environment
    })
  })
  while ((await system.command('lpstat', '-o')).trim() !== '') await wait(50)
  return answered + handed
}

/** The bench of printing. */
export const print: Bench = {
  name: 'print',
  description: 'Print slip to a job in CUPS, against the POST, a bare PDF and lp',
  measure: ({ extent, folder, say }) =>
    withService(folder, 10, async (url) => {
      const system = await startPrintSystem()
      try {
        const file = join(folder, 'slip.pdf')
        const env = { CUPS_SERVER: system.environment['CUPS_SERVER'] ?? '' }
        return await withTill({ folder, url, env }, async ({ page, userData }) => {
          const destination = { kind: 'queue', name: system.receipt.queue } as const
          await changeSettings(page, { printer: { destination, paperSize: '80mm' } })
          const printSlip = (): Promise<number> => printAtTill(page, userData)
          const { idle, ...rounds } = EXTENT[extent]
          const samples = await sideBySide(rounds, printSlip, () => printBare(url, system, file))
          // Each against the two slips after it, which are warm.
          const [first, warm]: [number[], number[]] = [[], []]
          for (let round = 1; round <= idle.rounds; round++) {
            say(`idle for ${idle.seconds} s, ${round} of ${idle.rounds}`)
            await wait(idle.seconds * 1000)
            first.push(await printSlip())
            warm.push(await printSlip(), await printSlip())
          }
          return [
            {
              ...{ name: 'print: Print slip to a job in CUPS', unit: 'ms', samples },
              ...{ against: 'POST, bare PDF, lp', target: atMostTimes(2) }
            },
            {
              ...{ name: 'print: first slip after ten idle minutes', unit: 'ms' },
              ...{
                samples: { ours: first, baseline: warm },
                against: 'a warm slip',
                target: atMostTimes(1.5)
              },
              ...(idle.seconds !== 600 && { note: `idle for ${idle.seconds} s` })
            }
          ]
        })
      } finally {
        await system.stop()
      }
    })
}
