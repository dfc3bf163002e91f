/** Has papers made in a thread of their own: laying a job of fifty slips out would keep the page waiting for it. */
import { Worker } from 'node:worker_threads'
import { errorOf, type Question, type Reply } from './messages.ts'
import type { AnyPaperCall, PaperCall, PaperWork } from './work.ts'

/** The work, done elsewhere. */
export interface PaperDesk extends PaperWork {
  /** Ends the thread; what it was asked and has not answered rejects. */
  close(): Promise<void>
}

export interface PaperDeskOptions {
  /** path of the thread's program */
  readonly program: string
  /** folder of the font files */
  readonly fonts: string
  /** milliseconds without a paper after which the thread is ended; REST unless given */
  readonly rest?: number
}

/**
 * Megabytes for what lives briefly in the thread. V8's own choice is what a machine with memory to spare allows: after a
 * few hundred slips it holds a hundred megabytes more, for nothing that a slip needs.
 */
const BRIEFLY_LIVING = 2

/** Milliseconds without a paper after which the thread is ended: it holds some fifty megabytes. */
const REST = 60_000

interface Asked {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** A thread, and what it was asked and has not answered. */
interface Running {
  readonly worker: Worker
  readonly waiting: Map<number, Asked>
  isRehearsed: boolean
}

/**
 * Makes the desk. The thread starts at the first call and ends when nothing was asked for a while; a thread that broke
 * takes what it was asked with it. The next call starts another one.
 */
export function createPaperDesk({ program, fonts, rest = REST }: PaperDeskOptions): PaperDesk {
  let running: Running | null = null
  let resting: NodeJS.Timeout | undefined
  let last = 0

  const end = async (): Promise<void> => {
    clearTimeout(resting)
    const ended = running
    running = null
    await ended?.worker.terminate()
  }

  const start = (): Running => {
    const worker = new Worker(program, {
      workerData: fonts,
      resourceLimits: { maxYoungGenerationSizeMb: BRIEFLY_LIVING }
    })
    const started: Running = { worker, waiting: new Map(), isRehearsed: false }
    const { waiting } = started
    let fault: unknown = null
    worker.on('message', (reply: Reply) => {
      const asked = waiting.get(reply.id)
      waiting.delete(reply.id)
      if (waiting.size === 0) {
        worker.unref()
        clearTimeout(resting)
        // Never another thread, which may be at work.
        resting = setTimeout(() => void (running === started && end()), rest).unref()
      }
      if ('error' in reply) asked?.reject(errorOf(reply.error))
      else asked?.resolve(reply.value)
    })
    worker.on('error', (error: unknown) => {
      fault = error
    })
    worker.on('exit', (code) => {
      if (running === started) running = null
      for (const { reject } of waiting.values())
        reject(new Error(`The paper thread ended with ${String(code)}`, { cause: fault }))
      waiting.clear()
    })
    return started
  }

  const ask = (call: PaperCall, values: readonly unknown[]): Promise<unknown> => {
    clearTimeout(resting)
    running ??= start()
    const { worker, waiting } = running
    // A till that has nothing else to do may end, but not while a paper is being made.
    worker.ref()
    last += 1
    const id = last
    const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }))
    worker.postMessage({ id, call, values } satisfies Question)
    return answer
  }

  const elsewhere = <Call extends PaperCall>(call: Call): PaperWork[Call] => {
    const asking: AnyPaperCall = (...values) => ask(call, values)
    return asking as PaperWork[Call]
  }

  return {
    slips: elsewhere('slips'),
    report: elsewhere('report'),
    async rehearse(document, paper) {
      if (running?.isRehearsed) return
      const rehearsal = ask('rehearse', [document, paper])
      if (running) running.isRehearsed = true
      await rehearsal
    },
    receipt: elsewhere('receipt'),
    picture: elsewhere('picture'),
    testPage: elsewhere('testPage'),
    close: end
  }
}
