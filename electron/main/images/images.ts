/**
 * Logos and avatars. The renderer never loads anything remote: it receives a local path, and main fetches the image
 * without the token, limited in size, type and number, and from no host that is nearer than the service's. How far a
 * host is, the link alone tells: the names of hosts are not resolved.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { BlockList, isIP, isIPv4 } from 'node:net'
import { join } from 'node:path'
import { writeFileAtomic } from '../fs/atomic-write.ts'
import { readImageHeader } from '../image-size.ts'

/** An image that can be shown. */
interface LoadedImage {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** MIME type, detected from the bytes */
  readonly type: string
}

/** The business whose logos are kept: `Session`. */
interface LogoOwner {
  /** tells businesses and services apart */
  readonly businessKey: string
  readonly business: { readonly logo: string | null } | null
}

const MAX_IMAGE_BYTES = 1024 * 1024
/** Decoded, a pixel takes four bytes in the page: a file of 31 kB can take 1.4 GB. */
const MAX_PIXELS = 4_000_000
const FETCH_TIMEOUT_MS = 10_000
/** Maximum number of images and of links in memory; the oldest are dropped first. */
const MAX_CACHED = 300

/**
 * Allows https to hosts that are as far as the service or farther, and http to this machine if the service is on it: a
 * service elsewhere has no business with the programs that listen here, or in the network of the shop.
 */
const isAllowed = (link: string, serviceUrl: string | null): boolean => {
  if (!URL.canParse(link)) return false
  const url = new URL(link)
  const reach = reachOf(url)
  const serviceReach =
    serviceUrl !== null && URL.canParse(serviceUrl) ? reachOf(new URL(serviceUrl)) : REACH.internet
  const isEncrypted = url.protocol === 'https:' || (url.protocol === 'http:' && reach === REACH.machine)
  return isEncrypted && reach >= serviceReach
}

/** Returns an image that can be decoded without harm; undefined for any other content. */
const imageOf = (bytes: Uint8Array<ArrayBuffer>): LoadedImage | undefined => {
  const header = readImageHeader(bytes)
  return header && header.width * header.height <= MAX_PIXELS ? { bytes, type: header.type } : undefined
}

/** Reads a body; undefined if it is larger than MAX_IMAGE_BYTES. */
const readBounded = async (response: Response): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const chunks: Uint8Array[] = []
  let length = 0
  const body: ReadableStream<Uint8Array> | null = response.body
  if (!body) return undefined
  for await (const chunk of body) {
    length += chunk.byteLength
    if (length > MAX_IMAGE_BYTES) return undefined
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

class BoundedMap<Value> extends Map<string, Value> {
  override set(key: string, value: Value): this {
    if (!this.has(key) && this.size >= MAX_CACHED) {
      const oldest = this.keys().next()
      if (!oldest.done) this.delete(oldest.value)
    }
    return super.set(key, value)
  }
}

/** The links that have a path, and their images, by the key in the path. */
interface Memory {
  readonly links: Map<string, string>
  readonly images: Map<string, Promise<LoadedImage | undefined>>
}

const keyOf = (link: string): string => createHash('sha256').update(link).digest('base64url').slice(0, 22)

/** Fetches and caches remote images, and gives each link a path that the renderer can load. */
export class Images {
  readonly #fetchImage: (request: Request) => Promise<Response>
  readonly #serviceUrl: () => string | null
  readonly #logos: Pick<LogoCache, 'get' | 'set'> | null
  readonly #owner: () => object
  readonly #memories = new WeakMap<object, Memory>()

  /**
   * @param fetchImage fetches without credentials; rejects on network failures
   * @param serviceUrl returns the URL of the service, which sends the links
   * @param logos the images that survive a restart: what is found here is used without a request
   * @param owner returns whose images these are: those of another one are not found any more
   */
  constructor(
    fetchImage: (request: Request) => Promise<Response>,
    serviceUrl: () => string | null,
    logos: Pick<LogoCache, 'get' | 'set'> | null = null,
    owner: () => object = () => this
  ) {
    this.#fetchImage = fetchImage
    this.#serviceUrl = serviceUrl
    this.#logos = logos
    this.#owner = owner
  }

  get #memory(): Memory {
    const owner = this.#owner()
    const memory = this.#memories.get(owner) ?? { links: new BoundedMap(), images: new BoundedMap() }
    this.#memories.set(owner, memory)
    return memory
  }

  /** Returns the renderer's path for a remote link, or null if the link is not an allowed URL. */
  path(link: string | null): string | null {
    if (link === null || !isAllowed(link, this.#serviceUrl())) return null
    const key = keyOf(link)
    this.#memory.links.set(key, link)
    return `/image/${key}`
  }

  /** Resolves with the image of a key that `path` returned; undefined if it is not available. Never rejects. */
  async read(key: string): Promise<LoadedImage | undefined> {
    const { links, images } = this.#memory
    const link = links.get(key)
    if (link === undefined) return undefined
    const pending = images.get(key) ?? this.#load(link).catch(() => undefined)
    images.set(key, pending)
    const image = await pending
    // Failures are not cached: the next read tries again.
    if (!image && images.get(key) === pending) images.delete(key)
    return image
  }

  /** Drops the image of a path that `path` returned. */
  forget(path: string): void {
    const key = path.slice(path.lastIndexOf('/') + 1)
    this.#memory.links.delete(key)
    this.#memory.images.delete(key)
  }

  /** Fetches the image of a link again, since it may have changed. Keeps the cached one on failure. Never rejects. */
  async refresh(link: string): Promise<void> {
    if (!isAllowed(link, this.#serviceUrl())) return
    const { images } = this.#memory
    const image = await this.#fetch(link).catch(() => undefined)
    if (image) images.set(keyOf(link), Promise.resolve(image))
  }

  /**
   * Returns the stored image of a link, or null. If it is not stored, starts to fetch and store it: the caller does not
   * wait, and the next call has the image.
   */
  getStored(link: string): Uint8Array | null {
    const stored = this.#logos?.get(link) ?? null
    const key = stored === null ? this.path(link)?.split('/').at(-1) : undefined
    if (key !== undefined) void this.read(key).then((image) => image && this.#logos?.set(link, image.bytes))
    return stored
  }

  async #load(link: string): Promise<LoadedImage | undefined> {
    const stored = this.#logos?.get(link)
    return (stored && imageOf(new Uint8Array(stored))) ?? this.#fetch(link)
  }

  async #fetch(link: string): Promise<LoadedImage | undefined> {
    const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS)
    // A redirect could lead to the network of the shop. Customers' avatars must not stay in Chromium's cache.
    const request = new Request(link, { signal, redirect: 'error', cache: 'no-store' })
    const response = await this.#fetchImage(request)
    if (!response.ok) return undefined
    const bytes = await readBounded(response)
    const image = bytes && imageOf(bytes)
    if (image) void this.#logos?.set(link, image.bytes)
    return image
  }
}

/**
 * Keeps the logo of each business by its link, in memory and in a folder: it is shown and printed without a network. Of
 * other images, such as customers' avatars, it keeps none.
 */
export class LogoCache {
  readonly #folder: string
  readonly #owner: LogoOwner
  /** by their files */
  readonly #logos = new Map<string, Uint8Array>()
  #lastWrite: Promise<void> = Promise.resolve()

  constructor(folder: string, owner: LogoOwner) {
    this.#folder = folder
    this.#owner = owner
  }

  /** Returns the kept image if the link is the business's logo, or null. */
  get(link: string): Uint8Array | null {
    if (!this.#isLogo(link)) return null
    const file = this.#fileOf(link)
    const logo = this.#logos.get(file) ?? this.#read(file)
    if (logo !== null) this.#logos.set(file, logo)
    return logo
  }

  /**
   * Keeps the image if the link is the business's logo. Resolves when it is on disk; if the disk does not take it, it is
   * in memory only. Never rejects.
   */
  async set(link: string, logo: Uint8Array): Promise<void> {
    if (!this.#isLogo(link)) return
    const before = this.get(link)
    if (before && Buffer.from(before).equals(logo)) return
    const file = this.#fileOf(link)
    this.#logos.set(file, logo)
    this.#lastWrite = this.#lastWrite.then(() => this.#write(file, logo))
    await this.#lastWrite
  }

  /** Deletes all logos, in memory and on disk. Never rejects. */
  async clear(): Promise<void> {
    this.#logos.clear()
    this.#lastWrite = this.#lastWrite.then(() =>
      rm(this.#folder, { recursive: true, force: true }).catch(() => undefined)
    )
    await this.#lastWrite
  }

  #isLogo(link: string): boolean {
    return link === this.#owner.business?.logo
  }

  #fileOf(link: string): string {
    const key = `${this.#owner.businessKey} ${link}`
    return join(this.#folder, createHash('sha256').update(key).digest('hex').slice(0, 32))
  }

  #read(file: string): Uint8Array | null {
    try {
      return readFileSync(file)
    } catch {
      return null
    }
  }

  async #write(file: string, logo: Uint8Array): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true })
      await writeFileAtomic(file, logo)
    } catch {
      // Cached in memory until the app quits.
    }
  }
}

/** From near to far. */
const REACH = { machine: 0, network: 1, internet: 2 } as const
type Reach = (typeof REACH)[keyof typeof REACH]

type Subnet = readonly [network: string, prefix: number]

/** An IPv4 rule of a `BlockList` matches the address as IPv4-mapped IPv6, too. */
const listOf = (subnets: readonly Subnet[]): BlockList => {
  const list = new BlockList()
  for (const [network, prefix] of subnets) {
    list.addSubnet(network, prefix, isIPv4(network) ? 'ipv4' : 'ipv6')
  }
  return list
}

/** Loopback and unspecified addresses, and the prefixes of IPv6 that hold any IPv4 address (RFC 4291, 6052, 8215, 3056). */
const MACHINE = listOf([
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16]
])

/** What else of IPv4 is not globally reachable (IANA's special-purpose address registry). */
const NETWORK_IPV4 = listOf([
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3]
])

/** All of IPv6 but 2000::/3, and what is not globally reachable of that. */
const NETWORK_IPV6 = listOf([
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20]
])

/** Returns how far the host of a URL is. */
function reachOf({ hostname }: URL): Reach {
  if (/^(.*\.)?localhost\.?$/.test(hostname)) return REACH.machine
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) === 0) return REACH.internet
  const [family, network] = isIPv4(address)
    ? (['ipv4', NETWORK_IPV4] as const)
    : (['ipv6', NETWORK_IPV6] as const)
  if (MACHINE.check(address, family)) return REACH.machine
  return network.check(address, family) ? REACH.network : REACH.internet
}
