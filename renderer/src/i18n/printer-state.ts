import type { PrinterState } from '../../../electron/contract/printing.ts'
import { m } from './m.ts'

/** How a print queue stands, in a cashier's words. */
export function printerStateWords(state: PrinterState): string {
  switch (state.kind) {
    case 'ready':
      return m.printerReady()
    case 'printing':
      return m.printerPrinting()
    case 'hindered':
      return m.printFault({ fault: state.fault })
    case 'unknown':
      return m.printerUnknown()
  }
}
