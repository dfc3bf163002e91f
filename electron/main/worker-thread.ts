/** Worker threads, for work that would block the main thread. */
import { Worker } from 'node:worker_threads'
import * as v from 'valibot'

/**
 * Runs the file `entry`, whose name ends with `-worker`, in a worker thread. It finds `data` as `workerData` and posts one message, which
 * `schema` validates. Resolves when the thread has ended: until then it can have files open. Rejects when the message is
 * invalid, or when the thread throws or exits without one.
 */
export function runInWorker<Output>(
  entry: URL,
  data: unknown,
  schema: v.GenericSchema<unknown, Output>
): Promise<Output> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(entry, { workerData: data })
    const messages: unknown[] = []
    worker.on('message', (message: unknown) => messages.push(message))
    worker.once('error', reject)
    worker.once('exit', (code) => {
      const parsed = v.safeParse(schema, messages[0])
      if (parsed.success) resolve(parsed.output)
      else if (messages.length > 0) reject(new Error('The worker sent an invalid message'))
      else reject(new Error(`The worker exited with ${String(code)}`))
    })
  })
}
