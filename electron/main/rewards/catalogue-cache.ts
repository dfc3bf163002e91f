/** The catalogue on disk: a cache, so whatever is wrong with it, it is read from the service again. */
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as v from 'valibot'
import { MAX_REWARDS, rewardSchema, type Reward } from '../../contract/loyalty.ts'

/** Largest file that is read or written, bytes: twice what so many rewards with long names take. */
const MOST_BYTES = 8 * 1024 * 1024

const fileSchema = v.object({
  version: v.literal(1),
  /** whose catalogue it is */
  of: v.string(),
  readAt: v.pipe(v.string(), v.isoTimestamp()),
  rewards: v.pipe(v.array(rewardSchema), v.maxLength(MAX_REWARDS))
})

/** A catalogue that was read to its end. */
export interface CachedCatalogue {
  readonly rewards: readonly Reward[]
  /** ISO 8601, UTC */
  readonly readAt: string
}

export interface CatalogueCache {
  /** The catalogue of `owner`; null when there is none that can be used. */
  read(owner: string): Promise<CachedCatalogue | null>
  /** Keeps the catalogue of `owner` in the place of whatever was kept. A disk that takes nothing keeps nothing. */
  keep(owner: string, catalogue: CachedCatalogue): Promise<void>
  forget(): Promise<void>
}

/** Keeps one catalogue in `file`. Nothing here rejects. */
export function createCatalogueCache(file: string): CatalogueCache {
  /** What is under way: a catalogue that is being written when it is to be forgotten must not come after that. */
  let last = Promise.resolve()
  const inTurn = (work: () => Promise<void>): Promise<void> => (last = last.then(work))

  const write = async (text: string): Promise<void> => {
    try {
      await mkdir(dirname(file), { recursive: true })
      await writeFile(`${file}.part`, text, { mode: 0o600 })
      await rename(`${file}.part`, file)
    } catch {
      // It lasts until the till closes, and is read again after that.
    }
  }
  const remove = async (): Promise<void> => {
    await Promise.all([file, `${file}.part`].map((path) => rm(path, { force: true }))).catch(() => undefined)
  }

  return {
    async read(owner) {
      try {
        if ((await stat(file)).size > MOST_BYTES) return null
        const kept: unknown = JSON.parse(await readFile(file, 'utf8'))
        const { of, readAt, rewards } = v.parse(fileSchema, kept)
        return of === owner ? { readAt, rewards } : null
      } catch {
        return null
      }
    },
    async keep(owner, { readAt, rewards }) {
      const text = JSON.stringify({ version: 1, of: owner, readAt, rewards })
      if (Buffer.byteLength(text) > MOST_BYTES) return
      await inTurn(() => write(text))
    },
    forget: () => inTurn(remove)
  }
}
