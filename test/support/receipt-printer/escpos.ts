/**
 * The commands that the app sends to an ESC/POS printer, and the printer's answers; the README names the manuals. Shares no
 * code with the app.
 */
import {
  codeText,
  createParser,
  isOffline,
  unknownCommand,
  type Command,
  type Language,
  type Parse,
  type PrinterState
} from './printed.ts'

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
  if (task === 80) store.content = codeText(bytes.subarray(8, length))
  return task === 81 ? { length, printed: { kind: 'code', ...store } } : { length }
}

/** `GS V m`: 0 cuts all of the paper, 1 leaves a point. */
function cut(bytes: Buffer): Command {
  if (bytes[2] !== 0 && bytes[2] !== 1) throw unknownCommand(bytes)
  return { length: 3, printed: { kind: 'cut', cut: bytes[2] === 0 ? 'full' : 'partial' } }
}

/** The paper in the answer to `GS r 1` and in the third byte of the automatic status: near its end, and at its end. */
const paperBits = ({ paper }: PrinterState): number =>
  (paper === 'present' ? 0 : 0x03) | (paper === 'out' ? 0x0c : 0)

/** `GS r n`: 1 asks for the paper. */
function endMark(bytes: Buffer): Command {
  if (bytes[2] !== 1) throw unknownCommand(bytes)
  return { length: 3, endMark: (state) => Uint8Array.of(paperBits(state)) }
}

function nextCommand(bytes: Buffer, store: CodeStore): Command | null {
  const [first, second, third] = bytes
  if (first === LF) return { length: 1, printed: { kind: 'feed' } }
  if (first === CR) return { length: 1 }
  if (second === undefined) return null
  if (first === ESC && second === 0x40) return { length: 2 }
  if (first === FS && second === 0x2e) return { length: 2 }
  if (third === undefined) return null
  if (first === DLE && second === 0x04) return { length: 3, statusRequest: third }
  if (first === ESC && (second === 0x4d || second === 0x61 || second === 0x33)) return { length: 3 }
  if (first === GS && second === 0x72) return endMark(bytes)
  if (first === GS && second === 0x56) return cut(bytes)
  if (first === GS && second === 0x76) return raster(bytes)
  if (first === GS && second === 0x28 && third === 0x6b) return symbol(bytes, store)
  throw unknownCommand(bytes)
}

const createEscPosParser = (): Parse => {
  const store: CodeStore = { content: '', moduleDots: 0 }
  return createParser((bytes) => nextCommand(bytes, store))
}

const FIXED = 0x12

/** The bits of an error in the answer to `DLE EOT 3` and in the second byte of the automatic status. */
const ERROR_BITS = { mechanism: 0x04, cutter: 0x08, defect: 0x20, 'too-hot': 0x40 } as const
const errorBits = ({ error }: PrinterState): number => (error === false ? 0 : ERROR_BITS[error])

/** The byte that answers `DLE EOT n`. */
function statusByte(request: number, state: PrinterState): number {
  const { paper, cover, error, feed } = state
  const out = paper === 'out'
  const open = cover === 'open'
  switch (request) {
    case 1:
      return FIXED | (isOffline(state) ? 0x08 : 0)
    case 2:
      return FIXED | (open ? 0x04 : 0) | (feed ? 0x08 : 0) | (out ? 0x20 : 0) | (error === false ? 0 : 0x40)
    case 3:
      return FIXED | errorBits(state)
    case 4:
      return FIXED | (out ? 0x6c : paper === 'near-end' ? 0x0c : 0)
    default:
      return FIXED
  }
}

/** Four bytes (`GS a`). The bits without a meaning are on, as in Epson's example. */
function automaticStatus(state: PrinterState): Uint8Array {
  const cause = (state.cover === 'open' ? 0x20 : 0) | (state.feed ? 0x40 : 0)
  const printer = 0x10 | (isOffline(state) ? 0x08 : 0) | cause
  return Uint8Array.of(printer, 0x03 | errorBits(state), 0x60 | paperBits(state), 0x0f)
}

export const ESC_POS: Language = {
  createParser: createEscPosParser,
  status: (request, state) => Uint8Array.of(statusByte(request, state)),
  automaticStatus,
  // Four, with an error.
  requestsPerStatus: 3
}
