/** Writes PNGs of every kind as a test wants them, also such as no program would. */
import { crc32, deflateSync } from 'node:zlib'

export interface PngKind {
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly colour: number
  readonly isInterlaced: boolean
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** Returns a chunk with its length and CRC (PNG specification, 5.3). */
export const pngChunk = (type: string, data: Uint8Array): Buffer => {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length)
  chunk.write(type, 4, 'latin1')
  chunk.set(data, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), 8 + data.length)
  return chunk
}

/** Returns the header of a PNG. */
export const pngHeader = ({ width, height, depth, colour, isInterlaced }: PngKind): Buffer => {
  const data = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, depth, colour, 0, 0, isInterlaced ? 1 : 0])
  data.writeUInt32BE(width)
  data.writeUInt32BE(height, 4)
  return pngChunk('IHDR', data)
}

/** Returns a PNG of some content, with other chunks before it. */
export const pngOf = (kind: PngKind, content: Uint8Array, others: readonly Buffer[] = []): Buffer =>
  Buffer.concat([
    SIGNATURE,
    pngHeader(kind),
    ...others,
    pngChunk('IDAT', deflateSync(content)),
    pngChunk('IEND', Buffer.of())
  ])
