import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs `use` with the path of a file that holds `pdf`, readable by this user alone, and removes it afterwards:
 * a slip is worth points, so no copy of one stays behind.
 */
export async function withTemporaryPdf<Result>(
  pdf: Uint8Array,
  use: (path: string) => Promise<Result>
): Promise<Result> {
  // mkdtemp makes the folder 0700
  const folder = await mkdtemp(join(tmpdir(), 'tillpoints-'))
  try {
    const path = join(folder, 'slip.pdf')
    await writeFile(path, pdf, { mode: 0o600 })
    return await use(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
