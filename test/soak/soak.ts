/** A soak: a busy till, a service and a printer that fail at random, and what came of it. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { serve } from '../../electron/service/server.ts'
import { openJournal } from '../../electron/main/slips/journal/open-journal.ts'
import { gather } from '../crash/collected-state.ts'
import { broken } from '../crash/invariants.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { openFaultyNetwork, type Fault } from '../support/faulty-network.ts'
import { startReceiptPrinter, type Behaviour } from '../support/receipt-printer/index.ts'
import { growthOnceWarm } from './growth.ts'
import { sampleSchema, type Plan, type Sample } from './plan.ts'

const PROGRAM = fileURLToPath(new URL('load-generator.ts', import.meta.url))
const FONTS = fileURLToPath(new URL('../../resources/fonts', import.meta.url))

/** What one request meets; most meet nothing. */
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

/** How the printer may be for a while. */
const MOODS: readonly Behaviour[] = [
  {},
  {},
  {},
  { paper: 'out' },
  { cover: 'open' },
  { error: true },
  { closeAfterBytes: 3_000, afterClosing: {} },
  { paperOutAfterBytes: 5_000 }
]

/** Milliseconds between two faults. */
const BETWEEN_FAULTS = 60

/** What a soak came to. */
export interface Outcome {
  readonly samples: readonly Sample[]
  /** promises that were broken, with what broke them; see test/crash/invariants.ts */
  readonly broken: Readonly<Record<string, readonly string[]>>
  /** what grew once the till was warm: bytes, handles, file descriptors */
  readonly growth: { readonly heap: number; readonly handles: number; readonly descriptors: number }
  readonly states: ReadonlyMap<string, number>
  readonly copies: number
  readonly batches: number
  /** what the till complained of on standard error */
  readonly complaints: string
}

/** Runs a soak in `folder`, which is empty. */
export async function soak(
  folder: string,
  wanted: Pick<Plan, 'seed' | 'lookups' | 'slips' | 'leak'>,
  tell: (sample: Sample) => void = () => undefined
): Promise<Outcome> {
  const serviceFile = join(folder, 'service.sqlite')
  const service = await serve({ port: 0, tokens: ['demo'], file: serviceFile })
  const network = await openFaultyNetwork(service.url)
  const printer = await startReceiptPrinter()
  const random = seededRandom(wanted.seed)
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)]
  const mischief = setInterval(() => {
    const [fault, method] = pick(FAULTS) ?? []
    if (fault !== undefined && random() < 0.4) network.fail(fault, method, 1)
    if (random() < 0.1) printer.behave(pick(MOODS) ?? {})
  }, BETWEEN_FAULTS)

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
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc']
    })
    const samples: Sample[] = []
    till.on('message', (message) => {
      const sample = v.parse(sampleSchema, message)
      samples.push(sample)
      tell(sample)
    })
    let complaints = ''
    till.stderr?.on('data', (chunk: Buffer) => {
      complaints += chunk.toString('utf8')
    })
    const [code] = (await once(till, 'exit')) as [number | null]
    if (code !== 0) complaints += `The till ended with ${String(code)}`

    const { journal, error } = openJournal(join(folder, 'journal.db'), new Date())
    if (journal === null) throw new Error('The journal cannot be opened', { cause: error })
    const evidence = gather(folder, journal, serviceFile, network.seen)
    journal.close()
    const states = new Map<string, number>()
    for (const { state } of evidence.slips) states.set(state, (states.get(state) ?? 0) + 1)
    return {
      samples,
      broken: broken(evidence),
      growth: {
        heap: growthOnceWarm(samples.map(({ heap }) => heap)),
        handles: growthOnceWarm(samples.map(({ handles }) => handles)),
        descriptors: growthOnceWarm(samples.map(({ descriptors }) => descriptors ?? 0))
      },
      states,
      copies: evidence.slips.reduce((sum, { copies }) => sum + copies, 0),
      batches: new Set(evidence.slips.flatMap(({ batch }) => batch?.batchId ?? [])).size,
      complaints
    }
  } finally {
    clearInterval(mischief)
    await printer.stop()
    await network.close()
    await service.close()
  }
}
