/** Printers and print faults. */
import * as v from 'valibot'
import { HEAD_WIDTHS, PAPER_SIZES } from './paper.ts'

/** How a receipt printer draws a slip's code: from the slip's own dots, or by its built-in QR command. */
export const CODE_STYLES = ['raster', 'native-qr'] as const
export type CodeStyle = (typeof CODE_STYLES)[number]

/** The port that receipt printers on a network listen on. */
export const RECEIPT_PRINTER_PORT = 9100

/** The command languages of receipt printers: Epson's, which most makes speak, and Star's own. */
export const PRINTER_LANGUAGES = ['esc-pos', 'star-prnt'] as const
export type PrinterLanguage = (typeof PRINTER_LANGUAGES)[number]

/** What a receipt printer does behind each slip. Printers without a cutter ignore a cut. */
export const CUTS = ['none', 'partial', 'full'] as const
export type Cut = (typeof CUTS)[number]

/** Common speeds of serial printers in bits per second. */
export const BAUD_RATES = [4800, 9600, 19_200, 38_400, 57_600, 115_200] as const
export const PARITIES = ['none', 'even', 'odd'] as const
export const HANDSHAKES = ['none', 'rts-cts', 'xon-xoff'] as const

/** The options of a receipt printer until a manager changes them: what most printers take. */
export const DEFAULT_RECEIPT_OPTIONS = {
  language: 'esc-pos',
  widthDots: null,
  cut: 'partial',
  code: 'raster',
  reportsState: true
} as const

/**
 * The options of a serial line until a manager changes them. Printers are delivered without parity, but with different
 * speeds: Epson's with 9600 bits per second up to the TM-T88III and with 38400 from the TM-T88IV on, Citizen's CT-S300 and
 * Bixolon's SRP-370 with 19200, older ones from Star with 9600 (their manuals). None fits all; with 38400 a slip takes a
 * quarter of the time of 9600. The line is still slower than the paper, so no handshake is needed, and lines without the
 * wires for one work too. Bluetooth ports ignore all three.
 */
export const DEFAULT_SERIAL_OPTIONS = {
  baudRate: 38_400,
  parity: 'none',
  handshake: 'none'
} as const

/** A print queue of the operating system, identified by its name. */
const queueSchema = v.strictObject({
  kind: v.literal('queue'),
  name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))
})

/** A host name, an IPv4 or an IPv6 address. */
const hostSchema = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^[\p{L}\p{N}._:%-]{1,253}$/u, 'A host name or an IP address, such as "192.168.1.50"')
)

/** A path below `/dev`, or the name of a Windows port. */
const devicePathSchema = v.pipe(
  v.string(),
  v.maxLength(255),
  v.regex(/^(\/dev\/[^\p{Cc}]+|COM\d{1,3})$/u, 'The path of a device, such as "/dev/usb/lp0" or "COM3"'),
  v.check((path) => !path.split('/').includes('..'))
)

/** A printer on the network. */
const networkConnectionSchema = v.strictObject({
  kind: v.literal('network'),
  host: hostSchema,
  port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)), RECEIPT_PRINTER_PORT),
  /** the name of the mDNS service instance, by which the printer is found at another address; null: unknown */
  announcedName: v.optional(v.nullable(v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))), null)
})

/** A USB printer without a driver, as Linux offers it: `/dev/usb/lp0`. */
const deviceConnectionSchema = v.strictObject({ kind: v.literal('device'), path: devicePathSchema })

/** A serial line, or a paired Bluetooth printer. Always 8 data bits and one stop bit. */
const serialConnectionSchema = v.strictObject({
  kind: v.literal('serial'),
  /** `/dev/ttyUSB0`, `COM3` */
  path: devicePathSchema,
  baudRate: v.optional(v.picklist(BAUD_RATES), DEFAULT_SERIAL_OPTIONS.baudRate),
  parity: v.optional(v.picklist(PARITIES), DEFAULT_SERIAL_OPTIONS.parity),
  handshake: v.optional(v.picklist(HANDSHAKES), DEFAULT_SERIAL_OPTIONS.handshake)
})

/** A queue of the operating system that passes bytes on as they are. It reports nothing about the slip. */
const rawQueueConnectionSchema = v.strictObject({
  kind: v.literal('raw-queue'),
  name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))
})

/** A printer that is driven by commands instead of a PDF. */
const receiptPrinterSchema = v.strictObject({
  kind: v.literal('receipt-printer'),
  connection: v.variant('kind', [
    networkConnectionSchema,
    deviceConnectionSchema,
    serialConnectionSchema,
    rawQueueConnectionSchema
  ]),
  language: v.optional(v.picklist(PRINTER_LANGUAGES), DEFAULT_RECEIPT_OPTIONS.language),
  /** null: the usual head of the paper, see `usualHeadWidth` */
  widthDots: v.optional(v.nullable(v.picklist(HEAD_WIDTHS)), DEFAULT_RECEIPT_OPTIONS.widthDots),
  cut: v.optional(v.picklist(CUTS), DEFAULT_RECEIPT_OPTIONS.cut),
  code: v.optional(v.picklist(CODE_STYLES), DEFAULT_RECEIPT_OPTIONS.code),
  /**
   * whether the printer answers status requests; false: it is written to and never asked, so nothing is known of the slip.
   * A raw queue reports nothing in any case.
   */
  reportsState: v.optional(v.boolean(), DEFAULT_RECEIPT_OPTIONS.reportsState)
})

/** The destination of slips; the folder until a printer is selected. */
export const printDestinationSchema = v.variant('kind', [
  v.strictObject({ kind: v.literal('folder') }),
  queueSchema,
  receiptPrinterSchema
])
export type PrintDestination = v.InferOutput<typeof printDestinationSchema>
export type SystemQueue = v.InferOutput<typeof queueSchema>
export type ReceiptPrinter = v.InferOutput<typeof receiptPrinterSchema>
export type ReceiptConnection = ReceiptPrinter['connection']
export type NetworkConnection = v.InferOutput<typeof networkConnectionSchema>
export type DeviceConnection = v.InferOutput<typeof deviceConnectionSchema>
export type SerialConnection = v.InferOutput<typeof serialConnectionSchema>
export type RawQueueConnection = v.InferOutput<typeof rawQueueConnectionSchema>

/** Returns what identifies a connection for people: host and port, path, or name of the queue. */
export function connectionName(connection: ReceiptConnection): string {
  switch (connection.kind) {
    case 'network': {
      const { host, port } = connection
      return `${host.includes(':') ? `[${host}]` : host}:${String(port)}`
    }
    case 'device':
    case 'serial':
      return connection.path
    case 'raw-queue':
      return connection.name
  }
}

/** Returns whether a receipt printer reports what becomes of a slip. */
export const reportsBack = ({ connection, reportsState }: ReceiptPrinter): boolean =>
  reportsState && connection.kind !== 'raw-queue'

/**
 * What is certain about a job that ended without a fault: it was printed, it is in the folder, or it was handed over to a
 * raw queue or a printer that reports nothing more.
 */
export type DeliveryStatus = 'printed' | 'saved' | 'handed-over'

/** Returns the status of a job that ended without a fault at `destination`; `printed` for an unknown one. */
export function deliveryStatus(destination: PrintDestination | null): DeliveryStatus {
  if (destination?.kind === 'folder') return 'saved'
  return destination?.kind === 'receipt-printer' && !reportsBack(destination) ? 'handed-over' : 'printed'
}

/** What texts call a delivery: its status, where `handed-over` is to a queue, and `sent` to a printer without one. */
export type DeliveryLabel = DeliveryStatus | 'sent'

/** Returns what texts call a job that ended without a fault at `destination`; see `deliveryStatus`. */
export function deliveryLabel(destination: PrintDestination | null): DeliveryLabel {
  const status = deliveryStatus(destination)
  const isQueue = destination?.kind === 'receipt-printer' && destination.connection.kind === 'raw-queue'
  return status === 'handed-over' && !isQueue ? 'sent' : status
}

/** Where printouts go: to a printer, or as PDF to the folder. Texts say *print* or *save* by it. */
export type Output = 'printer' | 'folder'

/** Returns the output of a destination. */
export const outputOf = ({ kind }: PrintDestination): Output => (kind === 'folder' ? 'folder' : 'printer')

/** The printer settings of a till. */
export const printerSettingsSchema = v.strictObject({
  destination: printDestinationSchema,
  paperSize: v.picklist(PAPER_SIZES)
})
export type PrinterSettings = v.InferOutput<typeof printerSettingsSchema>

/** A test page with these settings, saved or not; it is cancelled by `jobId`. */
export const testPrintSchema = v.strictObject({
  jobId: v.pipe(v.string(), v.uuid()),
  printer: printerSettingsSchema
})
export type TestPrint = v.InferOutput<typeof testPrintSchema>

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

/** The paper that a queue takes. */
export const offeredPapersSchema = v.object({
  /** those of the till that it prints whole */
  papers: v.pipe(v.array(v.picklist(PAPER_SIZES)), v.readonly()),
  /** what it calls its sizes, the first ones; empty if it names none */
  sizes: v.pipe(v.array(v.string()), v.readonly())
})
export type OfferedPapers = Readonly<v.InferOutput<typeof offeredPapersSchema>>

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
  /** true: the queue has no driver. It takes no PDF, but the commands of a receipt printer. */
  readonly isRaw: boolean
  /** what paper its documents may have */
  readonly offered: OfferedPapers
  /** false: a job that is deleted in the queue may count as printed */
  readonly reportsDeletedJobs: boolean
  /** where the queue sends its jobs, as a URI without user and password; empty where the system does not say */
  readonly deviceUri: string
}

/** The reasons why a slip was not printed. */
export const PRINT_FAULTS = [
  /** the system has no queue of this name */
  'unknown-queue',
  /** the system's print service does not run, or is not installed */
  'print-system-down',
  /** the print service or the printer must be reached by an encrypted connection, which cannot be made or is not trusted */
  'insecure-connection',
  /** the queue is paused */
  'queue-paused',
  /** the queue rejects jobs */
  'queue-rejecting',
  /** this user may print no more pages for now */
  'quota-reached',
  /** the print service holds as many jobs as it may */
  'too-many-jobs',
  /** the printer does not respond */
  'printer-offline',
  /** the printer is there, and takes no connection or answers none: another till may be using it */
  'printer-busy',
  /** another program has the printer's port */
  'in-use',
  'out-of-paper',
  'cover-open',
  /** a cutter, a motor or a head; the printer itself says so */
  'printer-fault',
  /** the queue does not print this paper size, or not whole */
  'refused-size',
  /** the queue has no driver: it takes no PDF, only the commands of a receipt printer */
  'refused-pdf',
  /** the printer takes documents only, no commands of a receipt printer */
  'refused-commands',
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
