import type { PrintDestination } from '../../../electron/contract/printing.ts'
import { m } from './m.ts'

/** Where a slip went, in words: the folder, a queue's name, a printer's address. */
export function destinationOf(destination: PrintDestination): string {
  switch (destination.kind) {
    case 'folder':
      return m.folder()
    case 'queue':
      return destination.name
    case 'network-printer':
      return `${destination.host}:${String(destination.port)}`
  }
}
