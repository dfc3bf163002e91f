/** A printer that a policy names by one text: as people write the address of a network printer, a device, or a queue. */
import { isIP } from 'node:net'
import { type PrintDestination, RECEIPT_PRINTER_PORT } from '../../contract/printing.ts'

const HOST_AND_PORT = /^(?<host>\[[^\]]+\]|[^:[\]]+)(?::(?<port>\d+))?$/u
const HOST_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u

/** Whether a text is a name of the DNS with a dot, such as `printer.local`: one word is the name of a queue. */
function isHostName(text: string): boolean {
  const labels = text.split('.')
  return (
    labels.length > 1 &&
    labels.every((label) => HOST_LABEL.test(label)) &&
    /^\p{L}{2,}$/u.test(labels.at(-1) ?? '')
  )
}

/** Returns the network printer of an address; undefined for what is no address. */
function networkPrinter(text: string, isForced: boolean): unknown {
  const isIpV6 = isIP(text) === 6
  const { host: named = text, port } = HOST_AND_PORT.exec(text)?.groups ?? {}
  const host = isIpV6 ? text : named.replaceAll(/[[\]]/gu, '')
  const isAddress = isIP(host) !== 0 || isHostName(host) || (port !== undefined && HOST_LABEL.test(host))
  if (!isAddress && !isForced) return undefined
  const connection = { kind: 'network', host, port: Number(port ?? RECEIPT_PRINTER_PORT) }
  return { kind: 'receipt-printer', connection }
}

/**
 * Returns the destination that a text names, for the schema to check; null for a text that is an address of no printer.
 * `192.168.1.50`, `printer.local:9100` and `socket://printer` are network printers, `/dev/usb/lp0` and `COM3` devices; any
 * other text is the name of a queue.
 */
export function printerNamed(text: string): unknown {
  const name = text.trim()
  const [, scheme, rest = ''] = /^([a-z][a-z\d+.-]*):\/\/(.*?)\/?$/iu.exec(name) ?? []
  if (scheme !== undefined)
    return ['tcp', 'socket'].includes(scheme.toLowerCase()) ? networkPrinter(rest, true) : null
  if (/^\/dev\/tty|^COM\d+:?$/iu.test(name)) {
    const path = name.startsWith('/') ? name : name.toUpperCase().replace(':', '')
    return { kind: 'receipt-printer', connection: { kind: 'serial', path } }
  }
  if (name.startsWith('/dev/')) return { kind: 'receipt-printer', connection: { kind: 'device', path: name } }
  const network = networkPrinter(name, false)
  if (network !== undefined) return network
  // Digits and dots that are no address were meant to be one.
  if (/^\d+(?:\.\d+)+(?::\d*)?$/u.test(name)) return null
  return { kind: 'queue', name: text } satisfies PrintDestination
}
