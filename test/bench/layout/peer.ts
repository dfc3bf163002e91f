/** What the other ways to make a PDF have in common here. */
import type { Sheet } from './sheet.ts'

/** A way to make a PDF. */
export interface Peer {
  readonly name: string
  /** Makes the PDF of the sheet that it was opened for, warm: what its interface lets one keep between two is kept. */
  make(): Promise<Uint8Array>
  close(): Promise<void>
}

/** Opens a way to make PDFs, for one sheet. */
export type OpenPeer = (sheet: Sheet) => Promise<Peer>
