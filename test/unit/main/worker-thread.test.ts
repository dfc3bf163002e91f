import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { runInWorker } from '../../../electron/main/worker-thread.ts'
import { temporaryFolder } from './slips/slip-service-fixture.ts'

/** Returns the address of a worker with this source. */
function workerOf(source: string): URL {
  const file = join(temporaryFolder(), 'test-worker.mjs')
  writeFileSync(file, `import { parentPort, workerData } from 'node:worker_threads'\n${source}`)
  return pathToFileURL(file)
}

/** Posts its answer, and then still works: 100 ms without a file, like a database that is being closed. */
const SLOW_TO_END = `
  import { writeFileSync } from 'node:fs'
  parentPort.postMessage('done')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  writeFileSync(workerData, '')`

it('has an answer when the thread has ended, and has closed its files', async () => {
  const file = join(temporaryFolder(), 'ended')
  expect(await runInWorker(workerOf(SLOW_TO_END), file, v.string())).toBe('done')
  expect(existsSync(file)).toBe(true)
})

it.each([
  ['an invalid message', 'parentPort.postMessage(1)'],
  ['no message', ''],
  ['an exception', "throw new Error('broken')"]
])('rejects for %s', async (_name, source) => {
  await expect(runInWorker(workerOf(source), null, v.string())).rejects.toThrow(
    /invalid message|exited with 0|broken/
  )
})
