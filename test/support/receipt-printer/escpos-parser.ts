/**
 * Parses the commands that the app sends to an ESC/POS printer (Epson's ESC/POS command reference). Shares no code with
 * the app's encoder.
 */

/** Rows of dots, one byte each: 1 is black. */
export interface PrintedRaster {
  readonly width: number
  readonly height: number
  readonly dots: Uint8Array
}

/** One thing that a receipt shows, from the top. */
export type Printed =
  | ({ readonly kind: 'raster' } & PrintedRaster)
  | { readonly kind: 'code'; readonly content: string; readonly moduleDots: number }
  | { readonly kind: 'feed' }
  | { readonly kind: 'cut' }

/** One parsed command. Parsers return null while a command is incomplete. */
interface Command {
  readonly length: number
  readonly printed?: Printed
  /** answer in the order of the buffer: `GS r` */
  readonly answer?: number
  /** answer at once: `DLE EOT n` */
  readonly asked?: number
}

/** The printer's 2D symbol storage (`GS ( k`). */
interface CodeStore {
  content: string
  moduleDots: number
}

const [LF, CR, DLE, ESC, FS, GS] = [0x0a, 0x0d, 0x10, 0x1b, 0x1c, 0x1d] as const

function raster(bytes: Buffer): Command | null {
  if (bytes.length < 8) return null
  const rowBytes = bytes.readUInt16LE(4)
  const height = bytes.readUInt16LE(6)
  const length = 8 + rowBytes * height
  if (bytes.length < length) return null
  const width = rowBytes * 8
  const dots = new Uint8Array(width * height)
  for (let index = 0; index < dots.length; index++) {
    const byte = bytes[8 + Math.floor(index / 8)] ?? 0
    dots[index] = (byte >> (7 - (index % 8))) & 1
  }
  return { length, printed: { kind: 'raster', width, height, dots } }
}

/** `GS ( k pL pH cn fn …`: functions 67 (module size), 80 (store) and 81 (print) of symbol 49, a QR code. */
function symbol(bytes: Buffer, store: CodeStore): Command | null {
  if (bytes.length < 5) return null
  const length = 5 + bytes.readUInt16LE(3)
  if (bytes.length < length) return null
  const [symbolKind, task] = [bytes[5], bytes[6]]
  if (symbolKind !== 49) throw new Error(`The test printer knows no symbol ${String(symbolKind)}`)
  if (task === 67) store.moduleDots = bytes[7] ?? 0
  if (task === 80) store.content = bytes.toString('utf8', 8, length)
  return task === 81 ? { length, printed: { kind: 'code', ...store } } : { length }
}

/** The next command of `bytes`, which holds at least one byte. */
function nextCommand(bytes: Buffer, store: CodeStore): Command | null {
  const [first, second, third] = bytes
  if (first === LF) return { length: 1, printed: { kind: 'feed' } }
  if (first === CR) return { length: 1 }
  if (second === undefined) return null
  if (first === ESC && second === 0x40) return { length: 2 }
  if (first === FS && second === 0x2e) return { length: 2 }
  if (third === undefined) return null
  if (first === DLE && second === 0x04) return { length: 3, asked: third }
  if (first === ESC && (second === 0x4d || second === 0x61 || second === 0x33)) return { length: 3 }
  if (first === GS && second === 0x72) return { length: 3, answer: 0 }
  if (first === GS && second === 0x56) return { length: 3, printed: { kind: 'cut' } }
  if (first === GS && second === 0x76) return raster(bytes)
  if (first === GS && second === 0x28 && third === 0x6b) return symbol(bytes, store)
  throw new Error(`The test printer does not know ${bytes.subarray(0, 8).toString('hex')}`)
}

/** Creates an incremental parser: takes chunks of bytes, yields complete commands. */
export function createEscPosParser() {
  let rest: Buffer = Buffer.alloc(0)
  const store: CodeStore = { content: '', moduleDots: 0 }
  return function* parse(bytes: Buffer): Generator<Command> {
    rest = Buffer.concat([rest, bytes])
    while (rest.length > 0) {
      const command = nextCommand(rest, store)
      if (command === null) return
      rest = rest.subarray(command.length)
      yield command
    }
  }
}

/** The rasters of a receipt as one picture, in order and without gaps. */
export function joinRasters(printed: readonly Printed[]): PrintedRaster {
  const rasters = printed.filter((part) => part.kind === 'raster')
  const width = rasters[0]?.width ?? 0
  const height = rasters.reduce((sum, part) => sum + part.height, 0)
  const dots = new Uint8Array(width * height)
  let at = 0
  for (const part of rasters) {
    dots.set(part.dots, at)
    at += part.dots.length
  }
  return { width, height, dots }
}
