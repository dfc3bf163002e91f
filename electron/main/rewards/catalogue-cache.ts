/** The rewards catalogue on disk. Only a cache: an unusable file is ignored and the catalogue is read again. */
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as v from 'valibot'
import { MAX_REWARDS, rewardSchema, type Reward } from '../../contract/loyalty.ts'
import { writeFileAtomic } from '../fs/atomic-write.ts'

/** Maximum file size: twice the size of MAX_REWARDS rewards with long names. */
const MAX_FILE_BYTES = 8 * 1024 * 1024

const fileSchema = v.object({
  version: v.literal(1),
  owner: v.string(),
  readAt: v.pipe(v.string(), v.isoTimestamp()),
  rewards: v.pipe(v.array(rewardSchema), v.maxLength(MAX_REWARDS))
})

/** A complete catalogue. */
export interface CachedCatalogue {
  readonly rewards: readonly Reward[]
  /** ISO 8601, UTC */
  readonly readAt: string
}

/** Stores one catalogue, of one owner, in a file. No method rejects. */
export class CatalogueCache {
  readonly #file: string
  /** The last operation: a catalogue that is being written when it is cleared must not be written afterwards. */
  #queue = Promise.resolve()

  constructor(file: string) {
    this.#file = file
  }

  /** Resolves with the catalogue of `owner`; null if there is none or the file is unusable. */
  async read(owner: string): Promise<CachedCatalogue | null> {
    try {
      if ((await stat(this.#file)).size > MAX_FILE_BYTES) return null
      const content: unknown = JSON.parse(await readFile(this.#file, 'utf8'))
      const { owner: storedOwner, readAt, rewards } = v.parse(fileSchema, content)
      return storedOwner === owner ? { readAt, rewards } : null
    } catch {
      return null
    }
  }

  /** Replaces the stored catalogue. Stores nothing if the catalogue is too large or the disk does not take it. */
  async write(owner: string, { readAt, rewards }: CachedCatalogue): Promise<void> {
    const text = JSON.stringify({ version: 1, owner, readAt, rewards })
    if (Buffer.byteLength(text) > MAX_FILE_BYTES) return
    await this.#enqueue(async () => {
      await mkdir(dirname(this.#file), { recursive: true })
      await writeFileAtomic(this.#file, text)
    })
  }

  /** Deletes the stored catalogue. */
  async clear(): Promise<void> {
    await this.#enqueue(() => rm(this.#file, { force: true }))
  }

  #enqueue(operation: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(operation).catch(() => undefined)
    return this.#queue
  }
}
