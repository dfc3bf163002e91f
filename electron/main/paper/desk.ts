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
}

/**
 * Megabytes for what lives briefly in the thread. V8's own choice is what a machine with memory to spare allows: after a
 * few hundred slips it holds a hundred megabytes more, for nothing that a slip needs.
 */
const BRIEFLY_LIVING = 2

interface Asked {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/**
 * Makes the desk. The thread starts at the first call; a thread that broke takes what it was asked with it, and the
 * next call starts another one.
 */
export function createPaperDesk({ program, fonts }: PaperDeskOptions): PaperDesk {
  let thread: Worker | null = null
  const waiting = new Map<number, Asked>()
  let last = 0

  const start = (): Worker => {
    const started = new Worker(program, {
      workerData: fonts,
      resourceLimits: { maxYoungGenerationSizeMb: BRIEFLY_LIVING }
    })
    let fault: unknown = null
    started.on('message', (reply: Reply) => {
      const asked = waiting.get(reply.id)
      waiting.delete(reply.id)
      if (waiting.size === 0) started.unref()
      if ('error' in reply) asked?.reject(errorOf(reply.error))
      else asked?.resolve(reply.value)
    })
    started.on('error', (error: unknown) => {
      fault = error
    })
    started.on('exit', (code) => {
      if (thread === started) thread = null
      for (const { reject } of waiting.values())
        reject(new Error(`The paper thread ended with ${String(code)}`, { cause: fault }))
      waiting.clear()
    })
    return started
  }

  const ask = (call: PaperCall, values: readonly unknown[]): Promise<unknown> => {
    thread ??= start()
    // A till that has nothing else to do may end, but not while a paper is being made.
    thread.ref()
    last += 1
    const id = last
    const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }))
    thread.postMessage({ id, call, values } satisfies Question)
    return answer
  }

  const elsewhere = <Call extends PaperCall>(call: Call): PaperWork[Call] => {
    const asking: AnyPaperCall = (...values) => ask(call, values)
    return asking as PaperWork[Call]
  }

  return {
    slips: elsewhere('slips'),
    report: elsewhere('report'),
    warm() {
      // What keeps it from being ready, the paper that needs it will say.
      ask('warm', []).catch(() => undefined)
    },
    receipt: elsewhere('receipt'),
    picture: elsewhere('picture'),
    testPage: elsewhere('testPage'),
    async close() {
      await thread?.terminate()
    }
  }
}
