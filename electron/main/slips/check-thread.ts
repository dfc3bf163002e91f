/** Reading a journal's file in a thread of its own: it may take seconds, and neither the page nor a slip waits for it. */
import { Worker } from 'node:worker_threads'
import * as v from 'valibot'

/**
 * Runs `work` in a thread, from its source: nothing outside of it is known there. It finds `file` as `workerData`, and
 * posts one message, which `schema` reads. Rejects when it posts something else, throws, or ends without a word.
 */
export function checkInThread<Found>(
  work: () => void,
  file: string,
  schema: v.GenericSchema<unknown, Found>
): Promise<Found> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(`(${work.toString()})()`, { eval: true, workerData: file })
    thread.once('message', (message: unknown) => {
      const checked = v.safeParse(schema, message)
      if (checked.success) resolve(checked.output)
      else reject(new Error('The check told something else'))
    })
    thread.once('error', reject)
    thread.once('exit', (code) => reject(new Error(`The check ended with ${String(code)}`)))
  })
}
