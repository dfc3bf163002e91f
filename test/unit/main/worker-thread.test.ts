import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { runInWorker } from '../../../electron/main/worker-thread.ts'
import { temporaryFolder } from './slips/slip-service-fixture.ts'

/** Posts its answer, and then still works: 100 ms without a file, like a database that is being closed. */
function slowToEnd(): void {
  const worker = process.getBuiltinModule('node:worker_threads')
  const { writeFileSync } = process.getBuiltinModule('node:fs')
  worker.parentPort?.postMessage('done')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  writeFileSync(String(worker.workerData), '')
}

it('has an answer when the thread has ended, and has closed its files', async () => {
  const file = join(temporaryFolder(), 'ended')
  expect(await runInWorker(slowToEnd, file, v.string())).toBe('done')
  expect(existsSync(file)).toBe(true)
})

it.each([
  ['an invalid message', () => process.getBuiltinModule('node:worker_threads').parentPort?.postMessage(1)],
  ['no message', () => undefined],
  [
    'an exception',
    () => {
      throw new Error('broken')
    }
  ]
])('rejects for %s', async (_name, entry) => {
  await expect(runInWorker(entry, null, v.string())).rejects.toThrow(/invalid message|exited with 0|broken/)
})
