/** Worker threads, for work that would block the main thread. */
import { Worker } from 'node:worker_threads'
import * as v from 'valibot'

/**
 * Runs `entry` in a worker thread, from its source: it can use nothing outside of itself but the function declarations
 * `used`. It finds `data` as `workerData` and posts one message, which `schema` validates. Rejects when the message is
 * invalid, or when the thread throws or exits without one.
 */
export function runInWorker<Output>(
  entry: () => void,
  data: unknown,
  schema: v.GenericSchema<unknown, Output>,
  used: readonly ((input: string) => unknown)[] = []
): Promise<Output> {
  return new Promise((resolve, reject) => {
    const source = `${used.map(String).join('\n')}\n;(${entry.toString()})()`
    const worker = new Worker(source, { eval: true, workerData: data })
    worker.once('message', (message: unknown) => {
      const parsed = v.safeParse(schema, message)
      if (parsed.success) resolve(parsed.output)
      else reject(new Error('The worker sent an invalid message'))
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The worker exited with ${String(code)}`)))
  })
}
