/**
 * The commands that the app sends to a StarPRNT printer, and the printer's answers; the README names the manuals. Shares no
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

const [LF, CR, CAN, ESC] = [0x0a, 0x0d, 0x18, 0x1b] as const

/** Dots in a column of a bit image, and the line spacing of 3 mm that joins the images of two lines. */
const BAND_DOTS = 24

/** What commands leave behind. */
interface Memory {
  content: string
  moduleDots: number
  /** `ESC 0`: lines of 3 mm */
  isDense: boolean
  /** a bit image is in the line buffer */
  hasImage: boolean
  endMarks: number
}

/** `ESC X n1 n2 …`: a bit image of 24 dots down, column by column. */
function bitImage(bytes: Buffer, memory: Memory): Command | null {
  if (bytes.length < 4) return null
  const width = bytes.readUInt16LE(2)
  const length = 4 + 3 * width
  if (bytes.length < length) return null
  const dots = new Uint8Array(width * BAND_DOTS)
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < BAND_DOTS; y++) {
      const byte = bytes[4 + 3 * x + Math.floor(y / 8)] ?? 0
      dots[y * width + x] = (byte >> (7 - (y % 8))) & 1
    }
  }
  memory.hasImage = true
  return { length, printed: { kind: 'raster', width, height: BAND_DOTS, dots } }
}

/** `ESC GS y …`: `S 0|1|2 n` sets model, error correction and module size, `D 1 NUL nL nH …` stores, `P` prints. */
function code(bytes: Buffer, memory: Memory): Command | null {
  const [task, which] = [bytes[3], bytes[4]]
  if (task === undefined) return null
  if (task === 0x50) {
    return {
      length: 4,
      printed: { kind: 'code', content: memory.content, moduleDots: memory.moduleDots }
    }
  }
  if (bytes.length < 6) return null
  if (task === 0x53 && (which === 0x30 || which === 0x31 || which === 0x32)) {
    if (which === 0x32) memory.moduleDots = bytes[5] ?? 0
    return { length: 6 }
  }
  if (task !== 0x44 || which !== 0x31) throw unknownCommand(bytes)
  if (bytes.length < 8) return null
  const length = 8 + bytes.readUInt16LE(6)
  if (bytes.length < length) return null
  memory.content = codeText(bytes.subarray(8, length))
  return { length }
}

/** `ESC GS ETX s n1 n2`: with s = 1 sends itself back after all that was printed, then a counter and NUL. */
function endMark(bytes: Buffer, memory: Memory): Command | null {
  if (bytes.length < 6) return null
  if (bytes[3] !== 1) throw unknownCommand(bytes)
  memory.endMarks = (memory.endMarks + 1) % 256
  const answer = Uint8Array.of(...bytes.subarray(0, 6), memory.endMarks, 0)
  return { length: 6, endMark: () => answer }
}

function groupCommand(bytes: Buffer, memory: Memory): Command | null {
  const [, , third, fourth] = bytes
  if (third === undefined) return null
  if (third === 0x79) return code(bytes, memory)
  if (third === 0x03) return endMark(bytes, memory)
  if (fourth === undefined) return null
  // `ESC GS a n` aligns, `ESC GS P 0|1` starts page mode and ends it.
  if (third === 0x61 && fourth <= 2) return { length: 4 }
  if (third === 0x50 && (fourth === 0x30 || fourth === 0x31)) return { length: 4 }
  throw unknownCommand(bytes)
}

function escapeCommand(bytes: Buffer, memory: Memory): Command | null {
  const [, second, third, fourth] = bytes
  if (second === undefined) return null
  switch (second) {
    case 0x40: // Initialize.
      memory.isDense = false
      return { length: 2 }
    case 0x30:
      memory.isDense = true
      return { length: 2 }
    case 0x58:
      return bitImage(bytes, memory)
    case 0x1d:
      return groupCommand(bytes, memory)
  }
  if (third === undefined) return null
  // Line spacing of 4 mm.
  if (second === 0x7a && third === 1) {
    memory.isDense = false
    return { length: 3 }
  }
  if (second === 0x06 && third === 1) return { length: 3, statusRequest: 1 }
  if (second === 0x64 && third <= 1)
    return { length: 3, printed: { kind: 'cut', cut: third === 0 ? 'full' : 'partial' } }
  if (fourth === undefined) return null
  // Font.
  if (second === 0x1e && third === 0x46) return { length: 4 }
  throw unknownCommand(bytes)
}

function nextCommand(bytes: Buffer, memory: Memory): Command | null {
  switch (bytes[0]) {
    case LF: {
      // Ends the line of an image; with a wider line spacing it leaves a gap.
      const joins = memory.hasImage && memory.isDense
      memory.hasImage = false
      return joins ? { length: 1 } : { length: 1, printed: { kind: 'feed' } }
    }
    case CR:
    case CAN:
      return { length: 1 }
    case ESC:
      return escapeCommand(bytes, memory)
    default:
      throw unknownCommand(bytes)
  }
}

const createStarPrntParser = (): Parse => {
  const memory: Memory = { content: '', moduleDots: 0, isDense: false, hasImage: false, endMarks: 0 }
  return createParser((bytes) => nextCommand(bytes, memory))
}

/** Length of the status and version 5 of it, each in the bits 1 to 3 and 5. */
const HEADER = [0x23, 0x0a] as const

/** The bits of an error in the fourth byte. */
const ERROR_BITS = { mechanism: 0x04, cutter: 0x08, defect: 0x20, 'too-hot': 0x40 } as const

/** An automatic status (ASB): two bytes of header, seven of status. */
function automaticStatus(state: PrinterState): Uint8Array {
  const { paper, cover, error, overflow } = state
  const out = paper === 'out'
  const general = (isOffline(state) ? 0x08 : 0) | (cover === 'open' ? 0x20 : 0)
  const paperSensors = (out ? 0x08 : 0) | (paper === 'present' ? 0 : 0x04)
  const mechanism = error === false ? 0 : ERROR_BITS[error]
  return Uint8Array.of(...HEADER, general, mechanism, overflow ? 0x40 : 0, paperSensors, 0, 0, 0)
}

export const STAR_PRNT: Language = {
  createParser: createStarPrntParser,
  status: (_request, state) => automaticStatus(state),
  automaticStatus,
  requestsPerStatus: 1
}
