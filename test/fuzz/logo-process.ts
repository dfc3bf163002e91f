/**
 * Decodes logos in a process of its own, whose memory and processor's time are measured. Harmless: one file, or small
 * ones of which a few bytes were changed or cut off. Receives the path, or a seed and a number of files, and prints what came of it.
 */
import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { decodeLogoImage } from '../../electron/images/logo-image.ts'
import { jpegLogo, pngLogo } from './logo-files.ts'
import { seededRandom } from '../support/seeded-random.ts'

const SMALL = [pngLogo(16, false), pngLogo(16, true), jpegLogo(16)]

const [, , first = '', second] = process.argv
const [seed, count] = second === undefined ? [0, 1] : [Number(first), Number(second)]
const random = seededRandom(seed)
const below = (end: number): number => Math.floor(random() * end)

/** Makes the chunks of a PNG right again, so that what is behind them is looked at. */
const mendCrcs = (file: Buffer): void => {
  for (let at = 8; at + 12 <= file.length;) {
    const end = at + 12 + file.readUInt32BE(at)
    if (end > file.length) return
    file.writeUInt32BE(crc32(file.subarray(at + 4, end - 4)), end - 4)
    at = end
  }
}

const changed = (): Buffer => {
  const file = Buffer.from(SMALL[below(3)] ?? Buffer.of())
  if (below(6) === 0) return file.subarray(0, below(file.length))
  for (let change = below(3); change >= 0; change -= 1)
    file.writeUInt8(below(256), 24 + below(file.length - 24))
  if (file.readUInt8(0) === 0x89) {
    if (below(4) > 0) mendCrcs(file)
  } else {
    // Not the size, which is limited by itself.
    const frame = file.indexOf(Buffer.from('ffc0', 'hex'))
    if (frame > 0 && frame + 9 < file.length) file.writeUInt32BE(0x00100010, frame + 5)
  }
  return file
}

const megabytes = (): number => Math.round(process.resourceUsage().maxRSS / 1024)

const whole = second === undefined ? readFileSync(first) : null
globalThis.gc?.()
const before = megabytes()
let [decoded, wrong, longestMicroseconds] = [0, 0, 0]
for (let index = 0; index < count; index += 1) {
  const file = whole ?? changed()
  const used = process.cpuUsage()
  try {
    const { width, height, data } = decodeLogoImage(file)
    decoded += 1
    if (data.length !== width * height * 4) wrong += 1
  } catch (error) {
    if (!(error instanceof Error)) wrong += 1
  }
  const { user, system } = process.cpuUsage(used)
  longestMicroseconds = Math.max(longestMicroseconds, user + system)
  // What a thread of its own gives back by its end.
  if (index % 100 === 0) globalThis.gc?.()
}
process.stdout.write(
  JSON.stringify({
    ...{ decoded, wrong, megabytes: megabytes() - before },
    milliseconds: Math.round(longestMicroseconds / 1000)
  })
)
