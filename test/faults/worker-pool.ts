/** Tills in child processes, which separates their open resources from those of the test, and a pool of them. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { AUTHORITY_FILE } from '../support/certificates/index.ts'
import type { CallName, Calls, WorkerReply } from './protocol.ts'

const PROGRAM = fileURLToPath(new URL('./till-worker.ts', import.meta.url))

/** A till in a child process. */
export interface TillWorker {
  /** Executes a call. Rejects if the till throws or its process ends. */
  ask<Call extends CallName>(call: Call, input: Parameters<Calls[Call]>[0]): Promise<ReturnType<Calls[Call]>>
  readonly process: ChildProcess
  /** Disconnects, and resolves when the process has ended. */
  end(): Promise<void>
}

/** Starts a till that also trusts the certificate authority of the tests. */
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

/** Tills that run concurrently, each for one test at a time. */
export interface WorkerPool {
  /** Waits for a free till and calls `work` with it. */
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
