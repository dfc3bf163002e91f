/**
 * Logos and avatars. The page never loads anything remote: it is given a path of the till's own, and main fetches
 * the picture behind it, without the token, limited in size, type and number.
 */
import { createHash } from 'node:crypto'
import { pictureType } from './picture-type.ts'

/** A picture ready to show. */
export interface Picture {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** MIME type, told from the bytes themselves */
  readonly type: string
}

/** Pictures by the keys of their links. */
export interface Pictures {
  /** The page's path for a remote link, or null when the link cannot be a picture's address. */
  path(link: string | null): string | null
  /** The picture behind a key that `path` gave out; undefined when there is none to be had. */
  read(key: string): Promise<Picture | undefined>
  /** Fetches the picture behind a link again, for the next who looks: it may be another one by now. Never rejects. */
  renew(link: string): Promise<void>
}

/** Pictures that outlast a restart, by their links. */
export interface PicturesOnDisk {
  /** null where a link's is not kept */
  kept(link: string): Uint8Array | null
  /** Hears each picture that was fetched, and keeps it or not. */
  keep(link: string, bytes: Uint8Array): void
}

const NO_DISK: PicturesOnDisk = { kept: () => null, keep: () => undefined }

/** Most bytes of one picture. */
const MOST_BYTES = 1024 * 1024
/** How long the service's host may take, ms. */
const TIME_LIMIT = 10_000
/** Pictures and links kept in memory; the oldest goes first. */
const MOST_KEPT = 300

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** https, or http on this very machine: the same rule as for the service's address. */
const acceptable = (link: string): boolean => {
  if (!URL.canParse(link)) return false
  const { protocol, hostname } = new URL(link)
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))
}

/** Reads a body up to the limit; undefined when it is longer. */
const readBounded = async (response: Response): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const chunks: Uint8Array[] = []
  let length = 0
  const body: ReadableStream<Uint8Array> | null = response.body
  if (!body) return undefined
  for await (const chunk of body) {
    length += chunk.byteLength
    if (length > MOST_BYTES) return undefined
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

class BoundedMap<Value> extends Map<string, Value> {
  override set(key: string, value: Value): this {
    if (!this.has(key) && this.size >= MOST_KEPT) {
      const oldest = this.keys().next()
      if (!oldest.done) this.delete(oldest.value)
    }
    return super.set(key, value)
  }
}

/**
 * @param fetchPicture fetches without credentials; rejects when the network fails
 * @param disk what is on it is shown without asking anybody; nothing is, unless given
 */
export function createPictures(
  fetchPicture: (request: Request) => Promise<Response>,
  disk: PicturesOnDisk = NO_DISK
): Pictures {
  const links = new BoundedMap<string>()
  const kept = new BoundedMap<Promise<Picture | undefined>>()

  const pictureOf = (bytes: Uint8Array<ArrayBuffer>): Picture | undefined => {
    const type = pictureType(bytes)
    return type === undefined ? undefined : { bytes, type }
  }

  const fetchOne = async (link: string): Promise<Picture | undefined> => {
    const response = await fetchPicture(new Request(link, { signal: AbortSignal.timeout(TIME_LIMIT) }))
    if (!response.ok) return undefined
    const bytes = await readBounded(response)
    const picture = bytes && pictureOf(bytes)
    if (picture) disk.keep(link, picture.bytes)
    return picture
  }

  const readOne = async (link: string): Promise<Picture | undefined> => {
    const before = disk.kept(link)
    return (before && pictureOf(new Uint8Array(before))) ?? fetchOne(link)
  }

  const keyOf = (link: string): string => createHash('sha256').update(link).digest('base64url').slice(0, 22)

  return {
    path(link) {
      if (link === null || !acceptable(link)) return null
      const key = keyOf(link)
      links.set(key, link)
      return `/picture/${key}`
    },
    async read(key) {
      const link = links.get(key)
      if (link === undefined) return undefined
      const picture = kept.get(key) ?? readOne(link).catch(() => undefined)
      kept.set(key, picture)
      const found = await picture
      // A failure is not kept: the network may be back at the next look.
      if (!found && kept.get(key) === picture) kept.delete(key)
      return found
    },
    async renew(link) {
      if (!acceptable(link)) return
      const picture = await fetchOne(link).catch(() => undefined)
      if (picture) kept.set(keyOf(link), Promise.resolve(picture))
    }
  }
}
