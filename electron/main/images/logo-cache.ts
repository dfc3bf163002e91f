/** The business's logo: fetched once, kept on disk, so that a till without a network shows and prints it, too. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface LogoCache {
  /**
   * The logo behind a link, as far as it is here; null without one. One that is not here is fetched meanwhile, for the
   * next slip: nobody waits for a picture.
   */
  current(link: string | null): Uint8Array | null
  /** The logo behind a link, where it is here; nothing is fetched. */
  kept(link: string): Uint8Array | null
  /** Keeps the logo behind a link that somebody else fetched. */
  keep(link: string, logo: Uint8Array): void
}

/** `fetchLogo` gives the bytes behind a link, or undefined when there are none to be had. */
export function createLogoCache(
  folder: string,
  fetchLogo: (link: string) => Promise<Uint8Array | undefined>
): LogoCache {
  const logos = new Map<string, Uint8Array>()
  const underWay = new Set<string>()
  const fileOf = (link: string): string =>
    join(folder, createHash('sha256').update(link).digest('hex').slice(0, 32))

  const onDisk = (link: string): Uint8Array | null => {
    try {
      return readFileSync(fileOf(link))
    } catch {
      return null
    }
  }
  const kept = (link: string): Uint8Array | null => {
    const logo = logos.get(link) ?? onDisk(link)
    if (logo !== null) logos.set(link, logo)
    return logo
  }
  const keep = (link: string, logo: Uint8Array): void => {
    const before = kept(link)
    if (before && Buffer.from(before).equals(logo)) return
    logos.set(link, logo)
    try {
      mkdirSync(folder, { recursive: true })
      writeFileSync(`${fileOf(link)}.part`, logo, { mode: 0o600 })
      renameSync(`${fileOf(link)}.part`, fileOf(link))
    } catch {
      // A disk that takes nothing: the logo lasts until the till closes.
    }
  }
  const fetchMeanwhile = (link: string): void => {
    if (underWay.has(link)) return
    underWay.add(link)
    void fetchLogo(link)
      .then((logo) => {
        if (logo) keep(link, logo)
      })
      .catch(() => undefined)
      .finally(() => underWay.delete(link))
  }

  return {
    kept,
    keep,
    current(link) {
      if (link === null) return null
      const logo = kept(link)
      if (logo === null) fetchMeanwhile(link)
      return logo
    }
  }
}
