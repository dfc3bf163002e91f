/** What an ESC/POS printer tells of itself in real time: `DLE EOT n` (Epson's ESC/POS command reference). */
import type { PrintFault } from '../../../contract/printing.ts'

/** Which status: 1 printer, 2 why it is offline, 4 roll paper. */
export const STATUS_KINDS = [1, 2, 4] as const
export type StatusKind = (typeof STATUS_KINDS)[number]

/** The three answers, by what was asked. */
export type PrinterStatus = Readonly<Record<StatusKind, number>>

/** `DLE EOT n`. */
export const statusRequest = (kind: StatusKind): Uint8Array => Uint8Array.of(0x10, 0x04, kind)

/**
 * `GS r 1`, which the printer answers when it comes to it in its buffer: everything sent before was printed then.
 * `DLE EOT` overtakes the buffer, so it cannot tell that.
 */
export const END_MARK = Uint8Array.of(0x1d, 0x72, 0x01)

/** Bits 0, 1, 4 and 7 are fixed, and tell what a byte answers. */
const FIXED_BITS = 0b1001_0011

/** Whether a byte answers `DLE EOT`. */
export const isStatus = (byte: number): boolean => (byte & FIXED_BITS) === 0b0001_0010

/** Whether a byte answers the end mark. */
export const isEndMark = (byte: number): boolean => (byte & FIXED_BITS) === 0

const OFFLINE = 0x08
const COVER_OPEN = 0x04
const STOPPED_FOR_PAPER = 0x20
const ERROR = 0x40
/** paper end; near-end, 0x0c, still prints */
const NO_PAPER = 0x60

/** What keeps the printer from printing, or null. */
export function faultOfStatus(status: PrinterStatus): PrintFault | null {
  if ((status[2] & COVER_OPEN) !== 0) return 'cover-open'
  if ((status[4] & NO_PAPER) !== 0 || (status[2] & STOPPED_FOR_PAPER) !== 0) return 'out-of-paper'
  if ((status[2] & ERROR) !== 0) return 'printer-fault'
  return (status[1] & OFFLINE) === 0 ? null : 'printer-offline'
}
