/** A folder as destination: each job a PDF named after its title, whole or not there. */
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { err, ok, type Result } from '../../../contract/failure.ts'
import { syncFolder } from '../../fs/sync-folder.ts'
import type { Log } from '../../log/index.ts'
import type { Delivered, PaperJob } from './destination.ts'
import { fileNameOf } from './file-name.ts'

/** Files with one name tried before giving up: only codes that differ in case alone, or a reused code, collide. */
const MOST_NAMESAKES = 1000

const readIfThere = async (path: string): Promise<Buffer | null> => {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

async function writeWhole(folder: string, path: string, bytes: Uint8Array): Promise<void> {
  const part = `${path}.part`
  const handle = await open(part, 'w', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(part, path)
  await syncFolder(folder)
}

/**
 * Writes `<title>.pdf`. A file that holds another slip is never overwritten: a namesake (a file system that ignores
 * case, a code that a service gave twice) gets `<title>~2.pdf`. The same slip again finds its own bytes and keeps them.
 */
async function keep(folder: string, title: string, pdf: Uint8Array): Promise<string> {
  await mkdir(folder, { recursive: true })
  const name = fileNameOf(title)
  for (let namesake = 1; namesake <= MOST_NAMESAKES; namesake++) {
    const path = join(folder, namesake === 1 ? `${name}.pdf` : `${name}~${String(namesake)}.pdf`)
    const held = await readIfThere(path)
    if (held?.equals(pdf) === true) return path
    if (held !== null) continue
    await writeWhole(folder, path, pdf)
    return path
  }
  throw new Error(`The folder holds ${String(MOST_NAMESAKES)} other slips named ${name}`)
}

/**
 * Slips go to `folder`, made when absent. The same job again is harmless. One that cannot be written is the failure
 * `not-saved`.
 */
export function createFolder(folder: string, log: Log): (job: PaperJob) => Promise<Result<Delivered>> {
  /** One at a time: two slips must not find the same name free. */
  let last: Promise<unknown> = Promise.resolve()
  return async ({ title, pdf, trace }) => {
    const write = last.then(() => keep(folder, title, pdf))
    last = write.catch(() => undefined)
    try {
      return ok({ file: await write })
    } catch (error) {
      log.error('slip-file-not-written', { error, ...trace })
      return err({ kind: 'not-saved', what: 'slip' })
    }
  }
}
