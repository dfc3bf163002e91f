/** Printers that the till finds: in the local network, on this computer's ports, and among its print queues. */
import type { NetworkConnection, PrintDestination } from './printing.ts'

/** One printer, in whichever ways it can be reached. */
export interface FoundPrinter {
  /** stable during one search */
  readonly id: string
  /** make and model, or the name that it announces; one line of at most 60 characters; empty if it says nothing */
  readonly name: string
  /** where it stands, in the words of its administrator; one line, or empty */
  readonly location: string
  /** its address in the network, the path of its device, or the name of its queue */
  readonly address: string
  /** the best way to print on it; null: it takes documents, and the system has no queue for it yet */
  readonly destination: Exclude<PrintDestination, { readonly kind: 'folder' }> | null
}

/** What a search has found so far. */
export interface FoundPrinters {
  /** at most `MAX_FOUND_PRINTERS`, sorted by name */
  readonly printers: readonly FoundPrinter[]
  /** number of announcements in the network that were refused as invalid, foreign or too many */
  readonly refused: number
}

export const MAX_FOUND_PRINTERS = 100

/** A printer that did not respond at its address announces its name from another one. */
export interface MovedPrinter {
  /** as in the settings */
  readonly from: NetworkConnection
  readonly to: NetworkConnection
  /** the slips that wait for it, in the order in which they failed */
  readonly intentIds: readonly string[]
}
