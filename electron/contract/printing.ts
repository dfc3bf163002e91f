/** Printers, paper sizes and print faults. */
import * as v from 'valibot'

/** Sheets by their ISO 216 name. */
export const SHEET_SIZES = ['A6', 'A4'] as const
export type SheetSize = (typeof SHEET_SIZES)[number]

/** Paper sizes: rolls by their width, and sheets. Their names on the screen are the message `paperName`. */
export const PAPER_SIZES = ['58mm', '80mm', ...SHEET_SIZES] as const
export type PaperSize = (typeof PAPER_SIZES)[number]

/** How an ESC/POS printer draws a slip's code: from the slip's own dots, or by its built-in QR command. */
export const CODE_STYLES = ['raster', 'native-qr'] as const
export type CodeStyle = (typeof CODE_STYLES)[number]

/** The port that ESC/POS printers on a network listen on. */
export const RECEIPT_PRINTER_PORT = 9100

/** A print queue of the operating system, identified by its name. */
const queueSchema = v.strictObject({
  kind: v.literal('queue'),
  name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))
})

/** A host name, an IPv4 or an IPv6 address. */
const hostSchema = v.pipe(v.string(), v.trim(), v.regex(/^[\p{L}\p{N}._:%-]{1,253}$/u))

const networkPrinterSchema = v.strictObject({
  kind: v.literal('network-printer'),
  host: hostSchema,
  port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
  code: v.picklist(CODE_STYLES)
})

/** The destination of slips; the folder until a printer is selected. */
export const printDestinationSchema = v.variant('kind', [
  v.strictObject({ kind: v.literal('folder') }),
  queueSchema,
  networkPrinterSchema
])
export type PrintDestination = v.InferOutput<typeof printDestinationSchema>
export type SystemQueue = v.InferOutput<typeof queueSchema>
export type NetworkPrinter = v.InferOutput<typeof networkPrinterSchema>

/** The printer settings of a till. */
export const printerSettingsSchema = v.strictObject({
  destination: printDestinationSchema,
  paperSize: v.picklist(PAPER_SIZES)
})
export type PrinterSettings = v.InferOutput<typeof printerSettingsSchema>

/** The printer settings of a new till. */
export const DEFAULT_PRINTER_SETTINGS: PrinterSettings = {
  destination: { kind: 'folder' },
  paperSize: '80mm'
}

/** The state of a printer: `hindered` if it reports a fault, `unknown` if it reports nothing. */
export type PrinterState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'printing' }
  | { readonly kind: 'hindered'; readonly fault: PrintFault }
  | { readonly kind: 'unknown' }

/** A print queue as listed in the settings. */
export interface Printer {
  readonly kind: 'queue'
  /** identifies the queue */
  readonly name: string
  /** description, location or model; or empty */
  readonly description: string
  readonly state: PrinterState
  /** the operating system's own default */
  readonly isDefault: boolean
  /** false: a job that is deleted in the queue may count as printed */
  readonly reportsDeletedJobs: boolean
}

/** The reasons why a slip was not printed. */
export const PRINT_FAULTS = [
  /** no printer is chosen */
  'not-configured',
  /** the system has no queue of this name */
  'unknown-queue',
  /** the system's print service does not run, or is not installed */
  'print-system-down',
  /** the queue is paused */
  'queue-paused',
  /** the queue rejects jobs */
  'queue-rejecting',
  /** the printer does not respond */
  'printer-offline',
  'out-of-paper',
  'cover-open',
  /** a cutter, a motor or a head; the printer itself says so */
  'printer-fault',
  /** the printer does not support the paper size */
  'refused-size',
  /** the job was cancelled at the printer or in its queue */
  'cancelled-at-printer',
  /** the job was printed, or deleted in its queue: the print system does not say which */
  'left-queue',
  /** the till cancelled the job */
  'cancelled-here',
  /** the print system aborted the job */
  'aborted',
  /** the document cannot be read as a PDF */
  'bad-document',
  /** the system does not let this user print there */
  'permission-denied',
  /** no outcome within the time limit */
  'timeout',
  /** an unknown refusal; see the log */
  'unknown'
] as const
export type PrintFault = (typeof PRINT_FAULTS)[number]
