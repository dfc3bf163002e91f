/** The logos that slips were issued with, each once: a slip that is printed next year shows the one of today. */
import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'

export interface LogoRows {
  /** Keeps a logo's bytes; the same again is harmless. Throws as SQLite does when the disk fails. */
  keepLogo(image: Uint8Array): void
  /** The bytes that `hashOf` names, or null when they are not here. */
  logo(hash: string): Uint8Array | null
}

/** Hashes of bytes that were asked for before: a till issues with the same logo all day. */
const known = new WeakMap<Uint8Array, string>()

/** The name of a logo's bytes: their SHA-256. */
export function hashOf(image: Uint8Array): string {
  const before = known.get(image)
  if (before !== undefined) return before
  const hash = createHash('sha256').update(image).digest('hex')
  known.set(image, hash)
  return hash
}

/** Prepares the statements of the logos. */
export function createLogoRows(database: DatabaseSync): LogoRows {
  const insert = database.prepare('INSERT OR IGNORE INTO logos (hash, image) VALUES (?, ?)')
  const select = database.prepare('SELECT image FROM logos WHERE hash = ?')
  let kept: string | null = null
  let read: { readonly hash: string; readonly image: Uint8Array } | null = null
  return {
    keepLogo(image) {
      const hash = hashOf(image)
      if (hash === kept) return
      insert.run(hash, image)
      kept = hash
    },
    logo(hash) {
      if (read?.hash === hash) return read.image
      const image = select.get(hash)?.['image']
      if (!(image instanceof Uint8Array)) return null
      read = { hash, image }
      return image
    }
  }
}
