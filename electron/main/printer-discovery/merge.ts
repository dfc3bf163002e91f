/** Makes one row of each printer, whichever ways announce it, and chooses the best way to reach it. */
import * as v from 'valibot'
import {
  DEFAULT_RECEIPT_OPTIONS,
  DEFAULT_SERIAL_OPTIONS,
  type FoundPrinter,
  MAX_FOUND_PRINTERS,
  printDestinationSchema,
  type Printer,
  type ReceiptConnection,
  type ReceiptPrinter
} from '../../contract/printing.ts'
import { toLine, type Announcement } from './announcements.ts'
import type { SerialPort, UsbPrinter } from './ports.ts'

/** Everything that a search has found, each way by itself. */
export interface FoundWays {
  readonly announcements: readonly Announcement[]
  readonly usbPrinters: readonly UsbPrinter[]
  readonly serialPorts: readonly SerialPort[]
  readonly queues: readonly Printer[]
}

/** A row, and what it has in common with the URIs of queues that lead to the same printer, see `queueKeys`. */
interface Row {
  readonly printer: FoundPrinter
  readonly keys: readonly string[]
}

/** Printers with these languages print commands of a receipt printer as pages of characters. */
const DOCUMENT_LANGUAGES = /postscript|\bpdf\b|\bpcl|hp-pcl|\bpjl\b/iu
const RECEIPT_LANGUAGES = /esc\/?pos|star/iu
const takesDocuments = (languages: string): boolean =>
  DOCUMENT_LANGUAGES.test(languages) && !RECEIPT_LANGUAGES.test(languages)

/** Decodes a part of a URI; one that is malformed remains as it is. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Make and model, without the make twice: "EPSON" and "EPSON TM-T20III". */
const withMake = (make: string, model: string): string =>
  toLine(model.toLowerCase().startsWith(make.toLowerCase()) ? model : `${make} ${model}`)

/** The usual options. Star's printers are delivered with their own language. */
const receiptPrinter = (connection: ReceiptConnection, name: string): ReceiptPrinter => ({
  kind: 'receipt-printer',
  connection,
  ...DEFAULT_RECEIPT_OPTIONS,
  language: /^star\b/iu.test(name) ? 'star-prnt' : DEFAULT_RECEIPT_OPTIONS.language
})

const txtOf = (announcements: readonly Announcement[], key: string): string =>
  toLine(announcements.map(({ txt }) => txt.get(key) ?? '').find(Boolean) ?? '')

function networkName(group: readonly Announcement[]): string {
  const product = txtOf(group, 'product').replace(/^\((.*)\)$/u, '$1')
  return (
    txtOf(group, 'ty') ||
    withMake(txtOf(group, 'usb_mfg'), txtOf(group, 'usb_mdl')) ||
    product ||
    (group[0]?.label ?? '')
  )
}

/** What announcements of one printer have in common: its UUID, or its name, or make and model, on one host. */
function identitiesOf({ txt, label, host }: Announcement): readonly string[] {
  const uuid = txt.get('uuid')?.toLowerCase()
  const model = txt.get('ty')
  return [
    `${host} ${label}`,
    ...(uuid ? [uuid] : []),
    // A print server may have several printers of a model.
    ...(model && !uuid ? [`${host} model ${model}`] : [])
  ]
}

interface Group {
  readonly announcements: Announcement[]
  readonly identities: string[]
}

/** Groups announcements that share an identity, directly or by others. */
function groupByPrinter(announcements: readonly Announcement[]): readonly (readonly Announcement[])[] {
  const groups = new Map<string, Group>()
  for (const announcement of announcements) {
    const identities = identitiesOf(announcement)
    // The largest one receives the others: an announcement is moved only if its group at least doubles.
    const [group = { announcements: [], identities: [] }, ...others] = [
      ...new Set(identities.flatMap((identity) => groups.get(identity) ?? []))
    ].toSorted((one, other) => other.identities.length - one.identities.length)
    for (const joined of [...others, { announcements: [announcement], identities }]) {
      group.announcements.push(...joined.announcements)
      group.identities.push(...joined.identities)
      for (const identity of joined.identities) groups.set(identity, group)
    }
  }
  return [...new Set(groups.values())].map((group) => group.announcements)
}

/** Faster than `localeCompare`, which makes a collator for each text that is not plain ASCII. */
const { compare } = new Intl.Collator()

function networkRow(group: readonly Announcement[]): Row {
  const [first] = group.toSorted((one, other) => compare(one.label, other.label))
  const socket = group.find(({ service }) => service === '_pdl-datastream._tcp.local')
  const name = networkName(group)
  const host = (socket ?? first)?.addresses[0] ?? ''
  const canPrint =
    socket && !takesDocuments(`${socket.txt.get('pdl') ?? ''} ${socket.txt.get('usb_cmd') ?? ''}`)
  return {
    printer: {
      id: `network ${first?.host ?? ''} ${first?.label ?? ''}`,
      name,
      location: txtOf(group, 'note'),
      address: host,
      destination: canPrint
        ? receiptPrinter({ kind: 'network', host, port: socket.port, announcedName: socket.label }, name)
        : null
    },
    keys: group.flatMap(({ addresses, host, label, txt }) => [
      ...[...addresses, host].map((target) => `at ${target}`),
      `named ${label.toLowerCase()}`,
      `uuid ${txt.get('uuid')?.toLowerCase() ?? ''}`
    ])
  }
}

function usbRow(usb: UsbPrinter): Row {
  const name = withMake(usb.make, usb.model)
  const { path } = usb
  return {
    printer: {
      id: `usb ${path}`,
      name,
      location: '',
      address: path,
      destination: takesDocuments(usb.languages) ? null : receiptPrinter({ kind: 'device', path }, name)
    },
    keys: [
      `usb ${name.toLowerCase()}`,
      // A queue with a serial number may be of another printer of the model, unless this one does not tell its own.
      usb.serialNumber ? `usb serial ${usb.serialNumber}` : `usb any serial ${name.toLowerCase()}`
    ]
  }
}

const serialRow = ({ path, name }: SerialPort): Row => ({
  printer: {
    id: `serial ${path}`,
    name,
    location: '',
    address: path,
    destination: receiptPrinter({ kind: 'serial', path, ...DEFAULT_SERIAL_OPTIONS }, '')
  },
  keys: [`serial ${path}`]
})

/** What the URI of a queue and the rows of its printer have in common. */
function queueKeys(uri: URL): readonly string[] {
  const { protocol, hostname, pathname, searchParams } = uri
  const target = hostname.replace(/^\[(.*)\]$/u, '$1').toLowerCase()
  switch (protocol) {
    case 'dnssd:': {
      const label = toLine(decode(target).replace(/\._(pdl-datastream|printer|ipps?)\._tcp\..*$/u, ''))
      const uuid = searchParams.get('uuid')?.toLowerCase()
      return [`named ${label.toLowerCase()}`, ...(uuid ? [`uuid ${uuid}`] : [])]
    }
    // usb://EPSON/TM-T20III?serial=583…
    case 'usb:': {
      const name = withMake(decode(hostname), decode(pathname.slice(1))).toLowerCase()
      const serialNumber = searchParams.get('serial')
      return serialNumber ? [`usb serial ${serialNumber}`, `usb any serial ${name}`] : [`usb ${name}`]
    }
    // serial:/dev/ttyUSB0?baud=9600, serial:COM3
    case 'serial:':
      return [`serial ${pathname}`]
    default:
      return [`at ${target}`]
  }
}

const queueDestination = ({ name, description, isRaw }: Printer): NonNullable<FoundPrinter['destination']> =>
  isRaw ? receiptPrinter({ kind: 'raw-queue', name }, description) : { kind: 'queue', name }

const queuePrinter = (queue: Printer): FoundPrinter => ({
  id: `queue ${queue.name}`,
  name: toLine(queue.description) || toLine(queue.name),
  location: '',
  address: toLine(queue.name),
  destination: queueDestination(queue)
})

/** Whether the settings can store the way to a printer: a device or another computer may have chosen its name. */
const isUsable = ({ destination }: FoundPrinter): boolean =>
  destination === null || v.is(printDestinationSchema, destination)

/**
 * Returns one row for each printer, sorted by name. A printer that takes commands is reached directly, because it then
 * answers whether it printed; otherwise by its queue. Serial ports are last: they do not say what is connected to them.
 */
export function mergeWays({
  announcements,
  usbPrinters,
  serialPorts,
  queues
}: FoundWays): readonly FoundPrinter[] {
  const rows = [
    ...groupByPrinter(announcements).map(networkRow),
    ...usbPrinters.map(usbRow),
    ...serialPorts.map(serialRow)
  ]
  const printers = new Map(rows.map(({ printer }) => [printer.id, printer]))
  // The first row of a key counts.
  const rowsByKey = new Map(
    rows.toReversed().flatMap(({ printer, keys }) => keys.map((key) => [key, printer.id] as const))
  )
  for (const queue of queues) {
    const uri = URL.parse(queue.deviceUri)
    const id = uri && queueKeys(uri).flatMap((key) => rowsByKey.get(key) ?? [])[0]
    const row = id && printers.get(id)
    if (!row) printers.set(`queue ${queue.name}`, queuePrinter(queue))
    else if (row.destination === null) {
      printers.set(row.id, { ...row, address: toLine(queue.name), destination: queueDestination(queue) })
    }
  }
  const isPort = ({ id }: FoundPrinter): boolean => id.startsWith('serial ')
  return [...printers.values()]
    .filter(isUsable)
    .toSorted((one, other) => Number(isPort(one)) - Number(isPort(other)) || compare(one.name, other.name))
    .slice(0, MAX_FOUND_PRINTERS)
}
