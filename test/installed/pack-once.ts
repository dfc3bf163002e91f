/** Packs the installers before the tests in a separate process, so that electron-builder's output shows only on failure. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

export default async function packOnce(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'pack.ts')])
}
