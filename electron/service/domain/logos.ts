/** A business's own logo: decoded once, when it is set, apart from what serves others; then sent as it is. */
import { createHash } from 'node:crypto'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { PNG } from 'pngjs'
import * as v from 'valibot'
import { decodeLogoImage, readLogoHeader } from '../../images/logo-image.ts'
import type { Pixels } from '../../images/png.ts'
import { Refusal } from './refusal.ts'

/** What a phone loads with a page. */
export const MAX_LOGO_BYTES = 256 * 1024

/** Sizes of the icons on a home screen, in pixels. */
export const ICON_SIZES = [192, 512] as const

/** The largest logo takes a third of a second; a slow machine several. */
const DECODING_TIMEOUT_MS = 10_000
/** Of the heap of the thread that decodes; the pixels are limited by the file's structure. */
const MAX_HEAP_MB = 64

export interface Logo {
  /** the SHA-256 of the bytes, shortened, and an extension: another logo has another name */
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** PNGs by `ICON_SIZES` */
  readonly icons: readonly Uint8Array[]
}

/** The media types of the extensions of a logo's name. */
export const LOGO_TYPES = { png: 'image/png', jpg: 'image/jpeg' } as const

/** Points along each side of a pixel, for smooth edges. */
const SAMPLES = 4

/** Returns the row or column of an image that each sample along a square's side falls on; -1 is beside the image. */
const placesOf = (size: number, scale: number, length: number): Int32Array =>
  Int32Array.from({ length: size * SAMPLES }, (_, sample) => {
    const place = Math.floor((length - size * scale) / 2 + ((sample + 0.5) / SAMPLES) * scale)
    return place < length ? Math.max(place, -1) : -1
  })

/** Returns an image in the middle of a white square, as large as it fits, as a PNG. */
const fitInto = (size: number, { width, height, data }: Pixels): Uint8Array => {
  const square = new Uint8Array(size * size * 4).fill(255)
  const scale = Math.max(width, height) / size
  const [columns, rows] = [placesOf(size, scale, width), placesOf(size, scale, height)]
  for (let at = 0; at < size * size; at += 1) {
    const [left, top] = [(at % size) * SAMPLES, Math.floor(at / size) * SAMPLES]
    // How much darker than white, in 255ths.
    let [red, green, blue] = [0, 0, 0]
    for (let sample = 0; sample < SAMPLES ** 2; sample += 1) {
      const column = columns[left + (sample % SAMPLES)] ?? -1
      const row = rows[top + Math.floor(sample / SAMPLES)] ?? -1
      if (column < 0 || row < 0) continue
      const from = (row * width + column) * 4
      const alpha = data[from + 3] ?? 0
      red += (255 - (data[from] ?? 0)) * alpha
      green += (255 - (data[from + 1] ?? 0)) * alpha
      blue += (255 - (data[from + 2] ?? 0)) * alpha
    }
    square[at * 4] = 255 - Math.round(red / 255 / SAMPLES ** 2)
    square[at * 4 + 1] = 255 - Math.round(green / 255 / SAMPLES ** 2)
    square[at * 4 + 2] = 255 - Math.round(blue / 255 / SAMPLES ** 2)
  }
  const png = new PNG({ width: size, height: size })
  png.data.set(square)
  // Rows without a filter: to try each takes as long as all else, and a logo has few colours.
  return PNG.sync.write(png, { colorType: 2, filterType: 0 })
}

const task = v.object({ decodedLogo: v.instance(Uint8Array) })
const outcome = v.union([
  v.object({ icons: v.array(v.instance(Uint8Array)) }),
  v.object({ fault: v.string() })
])

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** In the thread that decodes: this module again, or the one file of the packed service. */
const decodeTask = (): void => {
  const given = v.safeParse(task, workerData)
  if (isMainThread || !given.success) return
  try {
    const pixels = decodeLogoImage(given.output.decodedLogo)
    parentPort?.postMessage({ icons: ICON_SIZES.map((size) => fitInto(size, pixels)) })
  } catch (error) {
    parentPort?.postMessage({ fault: messageOf(error) })
  }
}
decodeTask()

/** Decodes in a thread of its own, which is ended at its limits. Rejects with what is wrong. */
const decodeApart = async (bytes: Uint8Array): Promise<readonly Uint8Array[]> => {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { decodedLogo: bytes },
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
