/**
 * The status of receipt printers: of ESC/POS (Epson's ESC/POS Command Reference: `DLE EOT`, `GS r`, `GS a`) and of Star
 * printers in StarPRNT mode (Star's StarPRNT Command Specifications, appendix 2).
 */
import type { PrintFault } from '../../../contract/printing.ts'
import {
  isFlowControl,
  type PrinterCondition,
  type PrinterMessage,
  type StatusProtocol
} from './printer-connection.ts'

/** The responses to `DLE EOT n`, by n: 1 printer, 2 cause of being offline, 3 cause of an error, 4 roll paper. */
type EscPosResponses = Readonly<Record<1 | 2 | 3 | 4, number>>

/**
 * Fixed bits show what a byte is (Epson's specification of the TM-T88III, appendix G; Citizen's Command Reference, 5.3): a
 * response to `DLE EOT`, the first byte of an automatic status, or one to `GS r`, which no bit tells from the other bytes of
 * an automatic status.
 */
const isStatusByte = (byte: number): boolean => (byte & 0b1001_0011) === 0b0001_0010
const isReportHeader = (byte: number): boolean => (byte & 0b1001_0011) === 0b0001_0000
const isPaperByte = (byte: number): boolean => (byte & 0b1001_0000) === 0

/** An automatic status (`GS a`): printer, errors, paper, and a byte without a meaning. */
const REPORT_BYTES = 4

/** What a printer sends after it was switched on, if it is set to (Epson: `GS ( E`, memory switch 1-1). */
const POWER_ON_NOTICE = [0x3b, 0x31, 0x00] as const

/** The bits of response 1, and of 2. A printer whose paper is fed by its button is offline until the button is released. */
const OFFLINE = 0x08
const COVER_OPEN = 0x04
const FED_BY_BUTTON = 0x08
const STOPPED_FOR_PAPER = 0x20
const ERROR = 0x40

/**
 * The bits of response 3 and of the second byte of an automatic status: mechanism (Epson, Bixolon) or black mark (Citizen),
 * cutter, not recoverable, and a head that is too hot, which cools down by itself. Some makers leave the first undefined.
 */
const MECHANISM = 0x04
const CUTTER_OR_DEFECT = 0x28
const TOO_HOT = 0x40

/** Paper end. The near-end bits, 0x0c, are ignored: such a printer still prints. */
const NO_PAPER = 0x60

/** Paper end in a response to `GS r` and in an automatic status. Near its end, 0x03, a printer still prints. */
const PAPER_END = 0x0c

/** What a status shows. */
export function conditionOfStatus(status: EscPosResponses): PrinterCondition {
  if ((status[2] & COVER_OPEN) !== 0) return 'cover-open'
  if ((status[4] & NO_PAPER) !== 0 || (status[2] & STOPPED_FOR_PAPER) !== 0) return 'out-of-paper'
  const goesOn = (status[3] & (TOO_HOT | CUTTER_OR_DEFECT)) === TOO_HOT
  if ((status[2] & ERROR) !== 0) return goesOn ? 'paused' : 'printer-fault'
  if ((status[1] & OFFLINE) === 0) return null
  return (status[2] & FED_BY_BUTTON) === 0 ? 'printer-offline' : 'paused'
}

/** Whether response 2 shows an error that response 3 does not: it may have ended between the two. */
const isUnexplained = (status: EscPosResponses): boolean =>
  (status[2] & ERROR) !== 0 && (status[3] & (MECHANISM | CUTTER_OR_DEFECT | TOO_HOT)) === 0

/** The bits of the first byte of an automatic status. */
const REPORT_COVER_OPEN = 0x20
const REPORT_FED_BY_BUTTON = 0x40

/** The fault in an automatic status that stopped the printer, or null. Being offline by itself does not spoil a slip. */
function faultOfReport([printer = 0, errors = 0, paper = 0]: readonly number[]): PrintFault | null {
  if ((printer & REPORT_COVER_OPEN) !== 0) return 'cover-open'
  if ((paper & PAPER_END) !== 0) return 'out-of-paper'
  if ((errors & CUTTER_OR_DEFECT) !== 0) return 'printer-fault'
  // A bit that may be undefined counts where no other one shows why the printer is offline.
  const isExplained = (printer & REPORT_FED_BY_BUTTON) !== 0 || (errors & TOO_HOT) !== 0
  const hasStopped = (printer & OFFLINE) !== 0 && !isExplained
  return hasStopped && (errors & MECHANISM) !== 0 ? 'printer-fault' : null
}

/** Each request has a response of one byte. What the printer sends by itself has more. */
export class EscPosStatus implements StatusProtocol {
  /** `GS r 1`. `DLE EOT` overtakes the buffer and cannot show that the bytes before it are printed. */
  readonly endMark = Uint8Array.of(0x1d, 0x72, 0x01)
  /** the beginning of an automatic status or of a notice */
  #frame: number[] = []

  receive(bytes: Uint8Array): PrinterMessage[] {
    return [...bytes].flatMap((byte) => (isFlowControl(byte) ? [] : (this.#take(byte) ?? [])))
  }

  async readCondition(request: (bytes: Uint8Array) => Promise<Uint8Array>): Promise<PrinterCondition> {
    const status = await this.#readStatus(request)
    return conditionOfStatus(isUnexplained(status) ? await this.#readStatus(request) : status)
  }

  async #readStatus(request: (bytes: Uint8Array) => Promise<Uint8Array>): Promise<EscPosResponses> {
    // One at a time: a response does not name its request.
    const ask = async (kind: keyof EscPosResponses): Promise<number> => {
      const [response = 0] = await request(Uint8Array.of(0x10, 0x04, kind))
      return response
    }
    const [printer, cause] = [await ask(1), await ask(2)]
    const error = (cause & ERROR) === 0 ? 0 : await ask(3)
    return { 1: printer, 2: cause, 3: error, 4: await ask(4) }
  }

  /** Returns the message that `byte` completes, or null. */
  #take(byte: number): PrinterMessage | null {
    const [header] = this.#frame
    if (header === POWER_ON_NOTICE[0] && byte === POWER_ON_NOTICE[this.#frame.length])
      return this.#extend(byte, POWER_ON_NOTICE.length)
    if (header !== undefined && isReportHeader(header) && isPaperByte(byte))
      return this.#extend(byte, REPORT_BYTES)
    this.#frame = isReportHeader(byte) || byte === POWER_ON_NOTICE[0] ? [byte] : []
    const response = Uint8Array.of(byte)
    if (isStatusByte(byte)) return { kind: 'status', bytes: response, fault: null }
    if (!isPaperByte(byte)) return null
    return { kind: 'end-mark', bytes: response, fault: (byte & PAPER_END) === 0 ? null : 'out-of-paper' }
  }

  #extend(byte: number, length: number): PrinterMessage | null {
    const frame = [...this.#frame, byte]
    this.#frame = frame.length < length ? frame : []
    if (frame.length < length) return null
    // A printer that was switched on has lost what it had.
    const fault = frame[0] === POWER_ON_NOTICE[0] ? 'printer-offline' : faultOfReport(frame)
    return { kind: 'report', bytes: Uint8Array.from(frame), fault }
  }
}

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

/**
 * Bytes of the slip were lost: the buffer overflowed, or a command of page mode is wrong. The printer goes on without them,
 * and shows it once.
 */
const hasLostBytes = ([, , , , errors = 0]: Uint8Array): boolean => (errors & 0x60) !== 0

/** What a status shows. Paper that is near its end still prints. */
function conditionOfAutomaticStatus(status: Uint8Array): PrinterCondition {
  const [, , general = 0, mechanism = 0, errors = 0, paper = 0] = status
  if ((general & 0x20) !== 0) return 'cover-open'
  if ((paper & 0x08) !== 0) return 'out-of-paper'
  // Not recoverable, cutter, mechanism; black mark, jam, head up.
  if ((mechanism & 0x2c) !== 0 || (errors & 0x0e) !== 0) return 'printer-fault'
  // A head that is too hot cools down, and the printer goes on by itself.
  if ((mechanism & 0x40) !== 0) return 'paused'
  return (general & 0x08) === 0 ? null : 'printer-offline'
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

  async readCondition(request: (bytes: Uint8Array) => Promise<Uint8Array>): Promise<PrinterCondition> {
    return conditionOfAutomaticStatus(await request(STATUS_REQUEST))
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
    const condition = hasLostBytes(bytes) ? 'printer-fault' : conditionOfAutomaticStatus(bytes)
    // Being offline by itself does not spoil a slip.
    const isFault = condition !== 'printer-offline' && condition !== 'paused'
    return { kind: 'status', bytes, fault: isFault ? condition : null }
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
