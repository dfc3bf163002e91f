/** The real-time status of Star printers in StarPRNT mode (Star's StarPRNT Command Specifications, appendix 2). */
import type { PrintFault } from '../../../contract/printing.ts'
import { isFlowControl, type PrinterMessage, type StatusProtocol } from './printer-connection.ts'

/** `ESC ACK SOH`: asks for the automatic status (ASB), whether the printer sends it by itself or not. */
const STATUS_REQUEST = Uint8Array.of(0x1b, 0x06, 0x01)

/**
 * `ESC GS ETX s n1 n2` with s = 1, which the printer sends back, with a counter and NUL, after it has printed what came
 * before. Star advises it over `ETB`, whose counter is sent to every computer that is connected.
 */
const END_MARK = Uint8Array.of(0x1b, 0x1d, 0x03, 0x01, 0x00, 0x00)

/** The first byte of a status: bit 0 set, 4 and 7 clear. The bits 1, 2, 3 and 5 are the length of the status. */
const isHeader = (byte: number): boolean => (byte & 0b1001_0001) === 0b0000_0001
const lengthOf = (header: number): number => ((header & 0x20) >> 2) | ((header & 0x0e) >> 1)

/** Statuses have 7 to 15 bytes, of which the first six are in every printer. */
const MIN_STATUS_BYTES = 7

/** The fault that a status shows, or null. Paper that is near its end still prints. */
function faultOfAutomaticStatus(status: Uint8Array): PrintFault | null {
  const [, , general = 0, mechanism = 0, errors = 0, paper = 0] = status
  if ((general & 0x20) !== 0) return 'cover-open'
  if ((paper & 0x08) !== 0) return 'out-of-paper'
  // Not recoverable, cutter, head sensor; black mark, jam, head up.
  if ((mechanism & 0x2c) !== 0 || (errors & 0x0e) !== 0) return 'printer-fault'
  const isOffline = (general & 0x08) !== 0
  // A head that is too hot cools down, and the printer goes on by itself.
  const isTooHot = (mechanism & 0x40) !== 0
  return isOffline && !isTooHot ? 'printer-offline' : null
}

/**
 * A status is a frame of bytes, an end mark the command that comes back. On a network a status has bit 7 of its second byte
 * set, and two bytes behind it: the length of what follows, which may be an end mark in a frame of text.
 */
export class StarPrntStatus implements StatusProtocol {
  readonly endMark = END_MARK
  /** the beginning of a status or of an end mark */
  #frame: number[] = []
  /** how many bytes of the length behind the last status are to come */
  #lengthBytes = 0
  /** first byte of the last status: where this comes in the place of a length, there is none */
  #header: number | undefined

  receive(bytes: Uint8Array): PrinterMessage[] {
    return [...bytes].flatMap((byte) => this.#take(byte) ?? [])
  }

  async readFault(request: (bytes: Uint8Array) => Promise<Uint8Array>): Promise<PrintFault | null> {
    return faultOfAutomaticStatus(await request(STATUS_REQUEST))
  }

  /** Returns the message that `byte` completes, or null. */
  #take(byte: number): PrinterMessage | null {
    const [first] = this.#frame
    if (first === END_MARK[0]) return this.#takeOfEndMark(byte)
    // No byte of a status has bit 4 set, as these have.
    if (isFlowControl(byte)) return null
    if (first !== undefined) return this.#takeOfStatus(byte, first)
    if (this.#lengthBytes > 0 && byte !== this.#header) this.#lengthBytes--
    else this.#begin(byte)
    return null
  }

  #begin(byte: number): void {
    const isStatus = isHeader(byte) && lengthOf(byte) >= MIN_STATUS_BYTES
    this.#lengthBytes = 0
    this.#frame = isStatus || byte === END_MARK[0] ? [byte] : []
  }

  #takeOfStatus(byte: number, header: number): PrinterMessage | null {
    if (this.#frame.push(byte) < lengthOf(header)) return null
    const bytes = Uint8Array.from(this.#frame)
    this.#header = header
    this.#lengthBytes = ((bytes[1] ?? 0) & 0x80) === 0 ? 0 : 2
    this.#frame = []
    const fault = faultOfAutomaticStatus(bytes)
    // Being offline by itself does not spoil a slip.
    return { kind: 'status', bytes, fault: fault === 'printer-offline' ? null : fault }
  }

  #takeOfEndMark(byte: number): PrinterMessage | null {
    const at = this.#frame.length
    if (at === END_MARK.length) {
      // This byte is the counter, which may look like a header. Where it looks like flow control, the system has removed
      // it, and this is the NUL behind it.
      this.#frame = []
      return { kind: 'end-mark', bytes: END_MARK, fault: null }
    }
    if (byte === END_MARK[at]) this.#frame.push(byte)
    else if (!isFlowControl(byte)) this.#begin(byte)
    return null
  }
}
