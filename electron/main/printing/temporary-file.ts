import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs `use` with the path of a file that holds `pdf`, readable by this user alone, and removes it afterwards:
 * a slip is worth points, so no copy of one stays behind. The file's name is its own, so that a print system's job can
 * be told by it.
 */
export async function withTemporaryPdf<Result>(
  pdf: Uint8Array,
  use: (path: string) => Promise<Result>
): Promise<Result> {
  // mkdtemp makes the folder 0700
  const folder = await mkdtemp(join(tmpdir(), 'tillpoints-'))
  try {
    const path = join(folder, `${randomUUID()}.pdf`)
    await writeFile(path, pdf, { mode: 0o600 })
    return await use(path)
  } finally {
    // Windows refuses while a program that was given up has the file open; the system's own cleaning is left then.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
  }
}
