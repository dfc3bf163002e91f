/** The business's logo on disk, so that it can be shown and printed without a network. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from '../fs/atomic-write.ts'

/** Caches logos by their links, in memory and in a folder. */
export class LogoCache {
  readonly #folder: string
  readonly #logos = new Map<string, Uint8Array>()
  #lastWrite: Promise<void> = Promise.resolve()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Returns the cached logo of a link, or null. */
  get(link: string): Uint8Array | null {
    const logo = this.#logos.get(link) ?? this.#read(link)
    if (logo !== null) this.#logos.set(link, logo)
    return logo
  }

  /**
   * Caches a logo. Resolves when it is on disk; if the disk does not take it, the logo is cached in memory only. Never
   * rejects.
   */
  async set(link: string, logo: Uint8Array): Promise<void> {
    const before = this.get(link)
    if (before && Buffer.from(before).equals(logo)) return
    this.#logos.set(link, logo)
    this.#lastWrite = this.#lastWrite.then(() => this.#write(link, logo))
    await this.#lastWrite
  }

  #path(link: string): string {
    return join(this.#folder, createHash('sha256').update(link).digest('hex').slice(0, 32))
  }

  #read(link: string): Uint8Array | null {
    try {
      return readFileSync(this.#path(link))
    } catch {
      return null
    }
  }

  async #write(link: string, logo: Uint8Array): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true })
      await writeFileAtomic(this.#path(link), logo)
    } catch {
      // Cached in memory until the app quits.
    }
  }
}
