/** The interface of the compared PDF libraries. */
import type { Sheet } from './sheet.ts'

/** A PDF library, opened for one sheet. */
interface Peer {
  readonly name: string
  /** Makes the sheet's PDF, warm: everything that the library can keep between documents is kept. */
  make(): Promise<Uint8Array>
  close(): Promise<void>
}

/** Opens a library for one sheet. */
export type OpenPeer = (sheet: Sheet) => Promise<Peer>
