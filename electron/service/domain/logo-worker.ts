/**
 * The thread that decodes a logo, and makes its icons. It loads no more of the service than it needs: the packed service has it
 * as a script of its own.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { PNG } from 'pngjs'
import * as v from 'valibot'
import { decodeLogoImage } from '../../images/logo-image.ts'
import type { Pixels } from '../../images/png.ts'

/** A file, and the sides of the icons in pixels. */
const task = v.object({ logo: v.instance(Uint8Array), sizes: v.array(v.number()) })

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

/** What the thread answers: the icons as PNGs, or what is wrong with the file. */
const run = (): object => {
  const { logo, sizes } = v.parse(task, workerData)
  try {
    const pixels = decodeLogoImage(logo)
    return { icons: sizes.map((size) => fitInto(size, pixels)) }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.postMessage(run())
