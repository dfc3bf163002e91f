/** A worker that opens a data file of the service when the others do: see `sqlite-start.test.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { openSqlite } from '../../electron/service/store/sqlite.ts'

const { file, barrier } = workerData as { readonly file: string; readonly barrier: Int32Array }
// The last one to arrive lets all of them go.
if (Atomics.sub(barrier, 0, 1) === 1) Atomics.notify(barrier, 0)
else
  for (let left = Atomics.load(barrier, 0); left > 0; left = Atomics.load(barrier, 0))
    Atomics.wait(barrier, 0, left, 5)

try {
  const database = await openSqlite(file)
  parentPort?.postMessage(await database.read('SELECT user_version AS version FROM pragma_user_version'))
  await database.close()
} catch (error) {
  parentPort?.postMessage(String(error))
}
