/** Runs the load generator against a service and a printer that fail at random, and collects the outcome. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { serve } from '../../electron/service/server.ts'
import { openJournal } from '../../electron/main/journal/open-journal.ts'
import { collectState } from '../crash/collected-state.ts'
import { violationsOf } from '../crash/invariants.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { openFaultyNetwork, type Fault } from '../support/faulty-network.ts'
import { startReceiptPrinter, type ReceiptPrinterBehaviour } from '../support/receipt-printer/index.ts'
import { growthAfterWarmUp } from './growth.ts'
import { sampleSchema, type Plan, type Sample } from './plan.ts'

const PROGRAM = fileURLToPath(new URL('load-generator.ts', import.meta.url))
const FONTS = fileURLToPath(new URL('../../resources/fonts', import.meta.url))

/** Faults of single requests. */
const FAULTS: readonly (readonly [Fault, string | undefined])[] = [
  ['lose-answer', 'POST'],
  ['lose-request', 'POST'],
  ['lose-request', 'GET'],
  ['half-body', undefined],
  [{ delay: 60 }, undefined],
  [{ answer: { status: 500 } }, undefined],
  [{ answer: { status: 503 } }, 'GET'],
  [{ answer: { status: 429, headers: { 'retry-after': '0' } } }, undefined],
  ['reset-connection', 'GET'],
  ['silence', 'GET']
]

/** States of the printer. */
const PRINTER_STATES: readonly ReceiptPrinterBehaviour[] = [
  {},
  {},
  {},
  { paper: 'out' },
  { cover: 'open' },
  { error: 'cutter' },
  { closeAfterBytes: 3_000, afterClosing: {} },
  { changesAfterBytes: [{ bytes: 5_000, state: { paper: 'out' } }] }
]

const FAULT_INTERVAL_MS = 60

/** The outcome of a soak test. */
export interface Outcome {
  readonly samples: readonly Sample[]
  /** violated invariants; see test/crash/invariants.ts */
  readonly violations: Readonly<Record<string, readonly string[]>>
  /** growth after the warm-up: bytes, handles, file descriptors */
  readonly growth: { readonly heap: number; readonly handles: number; readonly descriptors: number }
  readonly states: ReadonlyMap<string, number>
  readonly copies: number
  readonly batches: number
  /** error output of the process */
  readonly errors: string
}

/** Runs a soak test in `folder`, which is empty. `onSample` receives each sample. */
export async function soak(
  folder: string,
  wanted: Pick<Plan, 'seed' | 'lookups' | 'slips' | 'leak'>,
  onSample: (sample: Sample) => void = () => undefined
): Promise<Outcome> {
  const serviceFile = join(folder, 'service.sqlite')
  const service = await serve({ port: 0, tokens: ['demo'], file: serviceFile })
  const network = await openFaultyNetwork(service.url)
  const printer = await startReceiptPrinter()
  const random = seededRandom(wanted.seed)
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)]
  const faults = setInterval(() => {
    const [fault, method] = pick(FAULTS) ?? []
    if (fault !== undefined && random() < 0.4) network.fail(fault, method, 1)
    if (random() < 0.1) printer.behave(pick(PRINTER_STATES) ?? {})
  }, FAULT_INTERVAL_MS)

  try {
    const plan: Plan = {
      folder,
      fontsFolder: FONTS,
      baseUrl: network.url,
      printerHost: printer.host,
      printerPort: printer.port,
      ...wanted
    }
    const till = fork(PROGRAM, [JSON.stringify(plan)], {
      // Compiled code that V8 drops and compiles again would count as growth: some 6 MB.
      execArgv: ['--expose-gc', '--no-flush-bytecode'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc']
    })
    const samples: Sample[] = []
    till.on('message', (message) => {
      const sample = v.parse(sampleSchema, message)
      samples.push(sample)
      onSample(sample)
    })
    let errors = ''
    till.stderr?.on('data', (chunk: Buffer) => {
      errors += chunk.toString('utf8')
    })
    const [code] = (await once(till, 'exit')) as [number | null]
    if (code !== 0) errors += `The process exited with ${String(code)}`

    const { journal, error } = openJournal(join(folder, 'journal.db'), new Date())
    if (journal === null) throw new Error('The journal cannot be opened', { cause: error })
    const state = collectState(folder, journal, serviceFile, network.seen)
    journal.close()
    const states = new Map<string, number>()
    for (const slip of state.slips) states.set(slip.state, (states.get(slip.state) ?? 0) + 1)
    return {
      samples,
      violations: violationsOf(state),
      growth: {
        heap: growthAfterWarmUp(samples.map(({ heap }) => heap)),
        handles: growthAfterWarmUp(samples.map(({ handles }) => handles)),
        descriptors: growthAfterWarmUp(samples.map(({ descriptors }) => descriptors ?? 0))
      },
      states,
      copies: state.slips.reduce((sum, { copies }) => sum + copies, 0),
      batches: new Set(state.slips.flatMap(({ batch }) => batch?.batchId ?? [])).size,
      errors
    }
  } finally {
    clearInterval(faults)
    await printer.stop()
    await network.close()
    await service.close()
  }
}
