import { createHash } from 'node:crypto'

/** Telling a picture by its first bytes, since a server's `content-type` is only a claim. */

const SIGNATURES: readonly {
  readonly type: string
  readonly at: number
  readonly bytes: readonly number[]
}[] = [
  { type: 'image/png', at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', at: 0, bytes: [0x47, 0x49, 0x46, 0x38] },
  // RIFF....WEBP: the length between the two differs
  { type: 'image/webp', at: 8, bytes: [0x57, 0x45, 0x42, 0x50] }
]

/** The MIME type of a PNG, JPEG, GIF or WebP; undefined for anything else, SVG included: it can carry script. */
function imageType(bytes: Uint8Array): string | undefined {
  return SIGNATURES.find((one) => one.bytes.every((byte, index) => bytes[one.at + index] === byte))?.type
}

/* from index.ts:
 * Logos and avatars. The page never loads anything remote: it is given a path of the till's own, and main fetches
 * the picture behind it, without the token, limited in size, type and number.
 */

/** A picture ready to show. */
export interface LoadedImage {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** MIME type, told from the bytes themselves */
  readonly type: string
}

/** Images by the keys of their links. */
export interface Images {
  /** The page's path for a remote link, or null when the link cannot be a picture's address. */
  path(link: string | null): string | null
  /** The picture behind a key that `path` gave out; undefined when there is none to be had. */
  read(key: string): Promise<LoadedImage | undefined>
  /** Fetches the picture behind a link again, for the next who looks: it may be another one by now. Never rejects. */
  renew(link: string): Promise<void>
}

/** Images that outlast a restart, by their links. */
interface ImageStore {
  /** null where a link's is not kept */
  kept(link: string): Uint8Array | null
  /** Hears each picture that was fetched, and keeps it or not. */
  keep(link: string, bytes: Uint8Array): void
}

const NO_DISK: ImageStore = { kept: () => null, keep: () => undefined }

/** Most bytes of one picture. */
const MOST_BYTES = 1024 * 1024
/** How long the service's host may take, ms. */
const TIME_LIMIT = 10_000
/** Images and links kept in memory; the oldest goes first. */
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
export function createImages(
  fetchPicture: (request: Request) => Promise<Response>,
  disk: ImageStore = NO_DISK
): Images {
  const links = new BoundedMap<string>()
  const kept = new BoundedMap<Promise<LoadedImage | undefined>>()

  const pictureOf = (bytes: Uint8Array<ArrayBuffer>): LoadedImage | undefined => {
    const type = imageType(bytes)
    return type === undefined ? undefined : { bytes, type }
  }

  const fetchOne = async (link: string): Promise<LoadedImage | undefined> => {
    const response = await fetchPicture(new Request(link, { signal: AbortSignal.timeout(TIME_LIMIT) }))
    if (!response.ok) return undefined
    const bytes = await readBounded(response)
    const picture = bytes && pictureOf(bytes)
    if (picture) disk.keep(link, picture.bytes)
    return picture
  }

  const readOne = async (link: string): Promise<LoadedImage | undefined> => {
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
