/** Where slips go, what is known of the printers there, and what can keep a slip from paper. */
import * as v from 'valibot'

/** Paper that a slip is laid out for: rolls by their width, sheets by their ISO 216 name. */
export const PAPER_SIZES = ['58mm', '80mm', 'A6', 'A4'] as const
export type PaperSize = (typeof PAPER_SIZES)[number]

/** How an ESC/POS printer draws a slip's code: from the slip's own dots, or by its built-in QR command. */
export const CODE_STYLES = ['raster', 'native-qr'] as const
export type CodeStyle = (typeof CODE_STYLES)[number]

/** The port that ESC/POS printers on a network listen on. */
export const RECEIPT_PRINTER_PORT = 9100

/** A queue of the operating system, by its name: the one thing of it that stays after a restart. */
const queueSchema = v.strictObject({
  kind: v.literal('queue'),
  name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))
})

/** A host name, an IPv4 or an IPv6 address; what is behind it shows when it is spoken to. */
const hostSchema = v.pipe(v.string(), v.trim(), v.regex(/^[\p{L}\p{N}._:%-]{1,253}$/u))

const networkPrinterSchema = v.strictObject({
  kind: v.literal('network-printer'),
  host: hostSchema,
  port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
  code: v.picklist(CODE_STYLES)
})

/** Where slips go. The folder is what a till has before a printer was chosen. */
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
  paper: v.picklist(PAPER_SIZES)
})
export type PrinterSettings = v.InferOutput<typeof printerSettingsSchema>

/** How a till prints before anybody chose. */
export const DEFAULT_PRINTER_SETTINGS: PrinterSettings = { destination: { kind: 'folder' }, paper: '80mm' }

/** How a listed printer stands: `hindered` when it tells a fault, `unknown` when it tells nothing. */
export type PrinterState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'printing' }
  | { readonly kind: 'hindered'; readonly fault: PrintFault }
  | { readonly kind: 'unknown' }

/** A queue of the operating system, as settings list it. */
export interface Printer {
  readonly kind: 'queue'
  /** what it is found again by */
  readonly name: string
  /** the description, place or model that its owner gave it; empty when there is none */
  readonly description: string
  readonly state: PrinterState
  /** the operating system's own default */
  readonly isDefault: boolean
}

/** Why a slip did not come out. */
export const PRINT_FAULTS = [
  /** no printer is chosen */
  'not-configured',
  /** the system has no queue of this name */
  'unknown-queue',
  /** the system's print service does not run, or is not installed */
  'print-system-down',
  /** somebody paused the queue */
  'queue-paused',
  /** the queue takes no jobs */
  'queue-rejecting',
  /** the printer does not answer */
  'printer-offline',
  'out-of-paper',
  'cover-open',
  /** a cutter, a motor or a head; the printer itself says so */
  'printer-fault',
  /** the printer has no such paper */
  'refused-size',
  /** somebody cancelled the job, at the printer or in its queue */
  'cancelled-at-printer',
  /** the till gave the job up because it was asked to */
  'cancelled-here',
  /** the print system ended the job by itself */
  'aborted',
  /** the document cannot be read as a PDF */
  'bad-document',
  /** the system does not let this user print there */
  'permission-denied',
  /** neither printed nor refused in time */
  'timeout',
  /** a refusal in words this till does not know; the log has them */
  'unknown'
] as const
export type PrintFault = (typeof PRINT_FAULTS)[number]
