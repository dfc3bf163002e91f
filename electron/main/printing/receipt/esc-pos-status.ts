/** The real-time status of ESC/POS printers (Epson's ESC/POS command reference). */
import type { PrintFault } from '../../../contract/printing.ts'
import type { StatusProtocol } from './printer-connection.ts'

/** Status requests `DLE EOT n`: 1 printer, 2 cause of being offline, 4 roll paper. */
const STATUS_KINDS = [1, 2, 4] as const

/** The responses by request. */
type EscPosResponses = Readonly<Record<(typeof STATUS_KINDS)[number], number>>

/** Bits 0, 1, 4 and 7 are fixed; they show which request a byte answers. */
const FIXED_BITS = 0b1001_0011
export const isStatusByte = (byte: number): boolean => (byte & FIXED_BITS) === 0b0001_0010
export const isEndMarkByte = (byte: number): boolean => (byte & FIXED_BITS) === 0

const OFFLINE = 0x08
const COVER_OPEN = 0x04
const STOPPED_FOR_PAPER = 0x20
const ERROR = 0x40
/** Paper end. The near-end bits, 0x0c, are ignored: such a printer still prints. */
const NO_PAPER = 0x60

/** The fault that a status shows, or null. */
export function faultOfStatus(status: EscPosResponses): PrintFault | null {
  if ((status[2] & COVER_OPEN) !== 0) return 'cover-open'
  if ((status[4] & NO_PAPER) !== 0 || (status[2] & STOPPED_FOR_PAPER) !== 0) return 'out-of-paper'
  if ((status[2] & ERROR) !== 0) return 'printer-fault'
  return (status[1] & OFFLINE) === 0 ? null : 'printer-offline'
}

/** Each request has a response of one byte. */
export class EscPosStatus implements StatusProtocol {
  /** `GS r 1`. `DLE EOT` overtakes the buffer and cannot show that the bytes before it are printed. */
  readonly endMark = Uint8Array.of(0x1d, 0x72, 0x01)
  #endMarks = 0

  get endMarks(): number {
    return this.#endMarks
  }

  receive(bytes: Uint8Array): Uint8Array[] {
    const responses: Uint8Array[] = []
    for (const byte of bytes) {
      if (isStatusByte(byte)) responses.push(Uint8Array.of(byte))
      else if (isEndMarkByte(byte)) this.#endMarks++
      // Anything else is flow control or unsolicited status.
    }
    return responses
  }

  async readFault(request: (bytes: Uint8Array) => Promise<Uint8Array>): Promise<PrintFault | null> {
    const responses = { 1: 0, 2: 0, 4: 0 }
    // One at a time: a response does not name its request.
    for (const kind of STATUS_KINDS) {
      const [response = 0] = await request(Uint8Array.of(0x10, 0x04, kind))
      responses[kind] = response
    }
    return faultOfStatus(responses)
  }
}
