/**
 * Has papers made in a process of their own: laying a job of fifty slips out would keep the page waiting for it, what it
 * takes of memory goes when it ends, and a font that breaks it breaks nothing else.
 */
import { errorOf, type Question, type Reply } from './messages.ts'
import type { AnyPaperCall, PaperCall, PaperWork } from '../slip-pdf-renderer.ts'

/** The work, done elsewhere. */
export interface PaperDesk extends PaperWork {
  /** Ends the process; what it was asked and has not answered rejects. */
  close(): Promise<void>
}

/** A process that runs `process.ts`. A service knows no shell: what `shell/helper-process.ts` starts has this shape. */
export interface PaperProcess {
  send(question: Question): void
  /** Ends it, whatever it does. */
  end(): void
}

/** What a process tells. */
export interface PaperProcessEvents {
  replied(reply: unknown): void
  /** It is gone, with this code; called once. `fault` is what is known of why. */
  ended(code: number, fault?: string): void
}

export interface PaperDeskOptions {
  /** starts a process */
  readonly start: (events: PaperProcessEvents) => PaperProcess
  /** milliseconds without a paper after which the process is ended; REST unless given */
  readonly rest?: number
}

/** Milliseconds without a paper after which the process is ended: it holds some hundred megabytes. */
const REST = 60_000

interface Asked {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** A process, and what it was asked and has not answered. */
interface Running {
  readonly process: PaperProcess
  readonly waiting: Map<number, Asked>
  readonly over: Promise<void>
  isRehearsed: boolean
}

/**
 * Makes the desk. The process starts at the first call and ends when nothing was asked for a while; one that broke takes
 * what it was asked with it. The next call starts another one.
 */
export function createSlipPdfWorker({ start, rest = REST }: PaperDeskOptions): PaperDesk {
  let running: Running | null = null
  let resting: NodeJS.Timeout | undefined
  let last = 0

  const end = async (): Promise<void> => {
    clearTimeout(resting)
    const ended = running
    running = null
    ended?.process.end()
    await ended?.over
  }

  const begin = (): Running => {
    const waiting = new Map<number, Asked>()
    const over = Promise.withResolvers<undefined>()
    const process = start({
      replied(reply) {
        // Only `process.ts`, compiled from the same sources, has the other end.
        const told = reply as Reply
        const asked = waiting.get(told.id)
        waiting.delete(told.id)
        if (waiting.size === 0) {
          clearTimeout(resting)
          // Never another process, which may be at work.
          resting = setTimeout(() => void (running === begun && end()), rest).unref()
        }
        if ('error' in told) asked?.reject(errorOf(told.error))
        else asked?.resolve(told.value)
      },
      ended(code, fault) {
        if (running === begun) running = null
        for (const { reject } of waiting.values())
          reject(new Error(`The paper process ended with ${String(code)}`, { cause: fault }))
        waiting.clear()
        over.resolve(undefined)
      }
    })
    const begun: Running = { process, waiting, over: over.promise, isRehearsed: false }
    return begun
  }

  const ask = (call: PaperCall, values: readonly unknown[]): Promise<unknown> => {
    clearTimeout(resting)
    running ??= begin()
    const { process, waiting } = running
    last += 1
    const id = last
    const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }))
    process.send({ id, call, values })
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
