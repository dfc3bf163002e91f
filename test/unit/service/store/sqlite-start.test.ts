import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'

const WORKER = join(import.meta.dirname, '../../../support/open-service-store.ts')
const AT_ONCE = 8
const ROUNDS = 6

it('opens a new file from several programs at once, and one of them creates the schema', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'service-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (let round = 0; round < ROUNDS; round += 1) {
    const barrier = new Int32Array(new SharedArrayBuffer(4)).fill(AT_ONCE)
    const workerData = { file: join(folder, `${round}.sqlite`), barrier }
    const workers = Array.from({ length: AT_ONCE }, () => new Worker(WORKER, { workerData }))
    const answers = await Promise.all(
      workers.map(async (worker) => {
        const ended = once(worker, 'exit')
        const [answer] = (await once(worker, 'message')) as [unknown]
        await ended
        return answer
      })
    )
    expect(answers).toEqual(answers.map(() => [{ version: 2 }]))
  }
})
