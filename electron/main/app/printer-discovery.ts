/** The search for printers, loaded when it is first used. */
import { createLazy, type Lazy } from '../lazy.ts'
import type { Logger } from '../log/log.ts'
import { sendMovedPrinter } from '../platform/ipc.ts'
import { MovedPrinters } from '../printer-discovery/moved-printers.ts'
import type { PrinterDiscovery } from '../printer-discovery/printer-discovery.ts'
import type { Printing } from '../printing/index.ts'
import type { SlipServices } from './slips.ts'

/** Printers have device files on Linux only. */
export const createLazyDiscovery = (printing: Printing, log: Logger): Lazy<PrinterDiscovery> =>
  createLazy(
    async () => {
      const [{ PrinterDiscovery }, { listSerialPorts, listUsbPrinters }, { listLibraryPorts }] =
        await Promise.all([
          import('../printer-discovery/printer-discovery.ts'),
          import('../printer-discovery/ports.ts'),
          import('../printer-discovery/library-ports.ts')
        ])
      return new PrinterDiscovery({
        listUsbPrinters,
        listSerialPorts: () => (process.platform === 'linux' ? listSerialPorts() : listLibraryPorts()),
        listQueues: async () => {
          const queues = await printing.list()
          return queues.ok ? queues.value : []
        },
        log
      })
    },
    (discovery) => discovery.close()
  )

/** Looks for a printer that does not respond to a slip, and sends the page where it found it. */
export function watchMovedPrinters(
  slips: SlipServices,
  discovery: Lazy<PrinterDiscovery>,
  log: Logger
): void {
  const movedPrinters = new MovedPrinters({
    findMoved: async (connection) => (await discovery.get()).findMoved(connection),
    send: sendMovedPrinter,
    log
  })
  slips.onSlip((slip) => void movedPrinters.handleSlip(slip))
}
