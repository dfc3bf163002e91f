import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { MIGRATIONS } from '../../../../electron/service/store/migrate.ts'
import { openSqlite } from '../../../../electron/service/store/sqlite.ts'

const SUPPORT = join(import.meta.dirname, '../../../support')
const AT_ONCE = 8
const ROUNDS = 6

const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'service-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

it('opens a new file from several programs at once, and one of them creates the schema', async () => {
  const folder = temporaryFolder()
  for (let round = 0; round < ROUNDS; round += 1) {
    const barrier = new Int32Array(new SharedArrayBuffer(4)).fill(AT_ONCE)
    const workerData = { file: join(folder, `${round}.sqlite`), barrier }
    const workers = Array.from(
      { length: AT_ONCE },
      () => new Worker(join(SUPPORT, 'open-service-store.ts'), { workerData })
    )
    const answers = await Promise.all(
      workers.map(async (worker) => {
        const ended = once(worker, 'exit')
        const [answer] = (await once(worker, 'message')) as [unknown]
        await ended
        return answer
      })
    )
    expect(answers).toEqual(answers.map(() => [{ version: MIGRATIONS.length }]))
  }
})

it('waits while another program recovers the write-ahead log', async () => {
  const file = join(temporaryFolder(), 'service.sqlite')
  const database = await openSqlite(file)
  onTestFinished(() => database.close())
  const worker = new Worker(join(SUPPORT, 'recover-wal.ts'), { workerData: { file } })
  await once(worker, 'message')
  const ended = once(worker, 'exit')
  worker.postMessage('recover')
  await once(worker, 'message')
  expect(await database.write(`UPDATE businesses SET name = 'A' RETURNING name`)).toEqual([])
  await ended
})
