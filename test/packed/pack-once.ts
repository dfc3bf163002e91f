/** Packs the till before the tests, in a process of its own: what electron-builder says is shown when it fails. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

export default async function packOnce(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'pack-now.ts')])
}
