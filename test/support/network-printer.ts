import {
  DEFAULT_RECEIPT_OPTIONS,
  type NetworkConnection,
  type ReceiptPrinter
} from '../../electron/contract/printing.ts'

/** The settings of a receipt printer at this address, with `options` instead of the defaults. */
export const networkPrinter = (
  { host, port }: Pick<NetworkConnection, 'host' | 'port'>,
  options: Partial<Omit<ReceiptPrinter, 'kind' | 'connection'>> = {}
): ReceiptPrinter => ({
  kind: 'receipt-printer',
  connection: { kind: 'network', host, port, announcedName: null },
  ...DEFAULT_RECEIPT_OPTIONS,
  ...options
})
