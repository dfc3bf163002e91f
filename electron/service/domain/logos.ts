/** A business's own logo: decoded once, when it is set, apart from what serves others; then sent as it is. */
import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import * as v from 'valibot'
import { readLogoHeader } from '../../images/logo-image.ts'
import { Refusal } from './refusal.ts'

/** What a phone loads with a page. */
export const MAX_LOGO_BYTES = 256 * 1024

/** Sizes of the icons on a home screen, in pixels. */
export const ICON_SIZES = [192, 512] as const

/** The largest logo takes a third of a second; a slow machine several. */
const DECODING_TIMEOUT_MS = 10_000
/** Of the heap of the thread that decodes; the pixels are limited by the file's structure. */
const MAX_HEAP_MB = 64

/** Beside this module, and beside the script of the packed service. */
const WORKER = new URL(`logo-worker${extname(import.meta.url)}`, import.meta.url)

export interface Logo {
  /** the SHA-256 of the bytes, shortened, and an extension: another logo has another name */
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** PNGs by `ICON_SIZES` */
  readonly icons: readonly Uint8Array[]
}

/** The media types of the extensions of a logo's name. */
export const LOGO_TYPES = { png: 'image/png', jpg: 'image/jpeg' } as const

const outcome = v.union([
  v.object({ icons: v.array(v.instance(Uint8Array)) }),
  v.object({ fault: v.string() })
])

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Decodes in a thread of its own, which is ended at its limits. Rejects with what is wrong. */
const decodeApart = async (bytes: Uint8Array): Promise<readonly Uint8Array[]> => {
  const worker = new Worker(WORKER, {
    workerData: { logo: bytes, sizes: ICON_SIZES },
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    execArgv: []
  })
  try {
    const message = await new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('takes too long')), DECODING_TIMEOUT_MS)
      worker.once('message', resolve).once('error', reject)
      worker.once('exit', () => {
        clearTimeout(timer)
        reject(new Error('ended'))
      })
    })
    const answer = v.parse(outcome, message)
    if ('fault' in answer) throw new Error(answer.fault)
    return answer.icons
  } finally {
    await worker.terminate()
  }
}

/** Logos are decoded one after the other: of several at once, each has the memory of one. */
let decoding: Promise<unknown> = Promise.resolve()

/**
 * Checks a file. Rejects with a `Refusal` unless it is a PNG or JPEG that can be decoded, of at most 256 kB and of the size that
 * `readLogoHeader` allows.
 */
export const parseLogo = async (file: Uint8Array): Promise<Logo> => {
  if (file.length > MAX_LOGO_BYTES) {
    const [size, most] = [file.length, MAX_LOGO_BYTES].map((bytes) => Math.ceil(bytes / 1024))
    throw new Refusal(
      'logo-unsuitable',
      `The logo has ${size} kB, at most ${most} kB are allowed. Make it smaller.`
    )
  }
  const bytes = Uint8Array.from(file)
  try {
    const header = readLogoHeader(bytes)
    if (header === null) throw new Refusal('logo-unsuitable', 'The logo is neither a PNG nor a JPEG.')
    const decoded = decoding.then(() => decodeApart(bytes))
    decoding = decoded.catch(() => undefined)
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
    return { name: `${hash}.${header.type}`, bytes, icons: await decoded }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(
      'logo-unsuitable',
      `The logo is damaged (${messageOf(error)}), or larger than 2048 × 2048 pixels, a JPEG than 1024 × 1024. Make it smaller.`
    )
  }
}
