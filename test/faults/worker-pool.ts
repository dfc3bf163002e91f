/** A till in a process of its own, so that what it leaves behind can be told from what the test has open. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { AUTHORITY_FILE } from '../support/certificates/index.ts'
import type { CallName, Calls, WorkerReply } from './protocol.ts'

const PROGRAM = fileURLToPath(new URL('./till-worker.ts', import.meta.url))

/** A till that does as it is told. */
export interface TillWorker {
  /** Asks; rejects when the till threw, or its process has ended. */
  ask<Call extends CallName>(call: Call, input: Parameters<Calls[Call]>[0]): Promise<ReturnType<Calls[Call]>>
  readonly process: ChildProcess
  /** Lets it end by itself. */
  end(): Promise<void>
}

/** Starts a till that trusts the tests' authority beside the usual ones. */
export async function startTillWorker(): Promise<TillWorker> {
  const child = fork(PROGRAM, {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: AUTHORITY_FILE },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced'
  })
  const complaints: string[] = []
  child.stderr?.on('data', (chunk: Buffer) => complaints.push(chunk.toString('utf8')))
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let last = 0
  child.on('message', (reply: WorkerReply) => {
    const asked = waiting.get(reply.id)
    waiting.delete(reply.id)
    if ('thrown' in reply) asked?.reject(new Error(reply.thrown))
    else asked?.resolve(reply.value)
  })
  child.once('exit', (code) => {
    for (const { reject } of waiting.values())
      reject(new Error(`The till ended with ${String(code)}: ${complaints.join('')}`))
  })
  await once(child, 'message')
  return {
    process: child,
    ask: (call, input) => {
      last += 1
      const id = last
      const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }))
      child.send({ id, call, input })
      // Both ends are compiled from the same `Calls`.
      return answer as Promise<ReturnType<Calls[typeof call]>>
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    }
  }
}

/* from worker-pool.ts: Tills that work side by side, each for one test at a time. */

export interface WorkerPool {
  /** Waits for a free till and gives it to `work`. */
  use<Value>(work: (till: TillWorker) => Promise<Value>): Promise<Value>
  close(): Promise<void>
}

/** Starts `count` tills. */
export async function startWorkerPool(count: number): Promise<WorkerPool> {
  const tills = await Promise.all(Array.from({ length: count }, startTillWorker))
  const free = [...tills]
  const waiting: ((till: TillWorker) => void)[] = []
  const take = (): Promise<TillWorker> => {
    const till = free.pop()
    return till ? Promise.resolve(till) : new Promise((resolve) => waiting.push(resolve))
  }
  return {
    async use(work) {
      const till = await take()
      try {
        return await work(till)
      } finally {
        const next = waiting.shift()
        if (next) next(till)
        else free.push(till)
      }
    },
    async close() {
      await Promise.all(tills.map((till) => till.end()))
    }
  }
}
