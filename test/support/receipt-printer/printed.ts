/** What a simulated receipt printer prints, whichever language it was told in, and what a parser reads in one command. */
import { create as createQr } from 'qrcode'

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
  | { readonly kind: 'cut'; readonly cut: 'partial' | 'full' }

/** One parsed command. Parsers return null while a command is incomplete. */
export interface Command {
  readonly length: number
  readonly printed?: Printed
  /** answered at once: the status request of this number */
  readonly statusRequest?: number
  /** answered in its turn in the buffer: returns the answer of a printer in this state */
  readonly endMark?: (state: PrinterState) => Uint8Array
}

/** Reads chunks of bytes, yields complete commands. Throws for a command that it does not know. */
export type Parse = (bytes: Uint8Array) => Generator<Command>

/** Creates an incremental parser. `nextCommand` gets at least one byte. */
export function createParser(nextCommand: (bytes: Buffer) => Command | null): Parse {
  let rest: Buffer = Buffer.alloc(0)
  return function* parse(bytes) {
    rest = Buffer.concat([rest, bytes])
    while (rest.length > 0) {
      const command = nextCommand(rest)
      if (command === null) return
      rest = rest.subarray(command.length)
      yield command
    }
  }
}

/** Thrown for a command that the parsers do not know: a real printer would print garbage there. */
export const unknownCommand = (bytes: Buffer): Error =>
  new Error(`The test printer does not know ${bytes.subarray(0, 8).toString('hex')}`)

/** The faults that a status shows. */
export interface PrinterState {
  readonly paper: 'present' | 'near-end' | 'out'
  readonly cover: 'closed' | 'open'
  /** a cutter that is stuck, another part, or a head that cools down by itself; false: none */
  readonly error: false | 'cutter' | 'mechanism' | 'defect' | 'too-hot'
  /** paper is fed by the button */
  readonly feed: boolean
  /** bytes were lost, as the buffer was full */
  readonly overflow: boolean
}

/** Whether the printer takes no commands from its buffer until the cause is removed. */
export const isOffline = ({ paper, cover, error, feed }: PrinterState): boolean =>
  paper === 'out' || cover === 'open' || error !== false || feed

/** A printer's command language. */
export interface Language {
  readonly createParser: () => Parse
  /** The answer to a status request. */
  readonly status: (request: number, state: PrinterState) => Uint8Array
  /** What it sends by itself when its state changes. */
  readonly automaticStatus: (state: PrinterState) => Uint8Array
  /** how many requests a whole status takes */
  readonly requestsPerStatus: number
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

/**
 * Reads the text of a printer's own code. Throws for more than ASCII: a printer chooses the mode of its bytes itself, Shift
 * JIS where they allow it, and some take no byte from 80 to 8D and from E0 on (the README names the manuals).
 */
export function codeText(bytes: Buffer): string {
  if (bytes.some((byte) => byte > 0x7f)) throw unknownCommand(bytes)
  return bytes.toString('latin1')
}

/**
 * Draws a native code as the printer does: in the middle, with a quiet zone of four modules. The printer's mode is the one
 * that takes most modules; a code that exceeds the width is not printed.
 */
function drawCode(content: string, moduleDots: number, width: number): PrintedRaster {
  const segments = [{ mode: 'byte', data: Buffer.from(content) } as const]
  const { modules } = createQr(segments, { errorCorrectionLevel: 'M' })
  if (modules.size * moduleDots > width) return { width, height: 0, dots: new Uint8Array() }
  const quiet = 4 * moduleDots
  const height = modules.size * moduleDots + 2 * quiet
  const left = Math.floor((width - modules.size * moduleDots) / 2)
  const dots = new Uint8Array(width * height)
  for (let y = 0; y < modules.size * moduleDots; y++) {
    for (let x = 0; x < modules.size * moduleDots; x++) {
      const dark = modules.get(Math.floor(y / moduleDots), Math.floor(x / moduleDots))
      dots[(y + quiet) * width + left + x] = dark
    }
  }
  return { width, height, dots }
}

/** The whole receipt as one picture: rasters, and the codes that the printer draws itself. */
export function drawReceipt(printed: readonly Printed[]): PrintedRaster {
  const { width } = joinRasters(printed)
  return joinRasters(
    printed.map((part) =>
      part.kind === 'code' ? { kind: 'raster', ...drawCode(part.content, part.moduleDots, width) } : part
    )
  )
}
