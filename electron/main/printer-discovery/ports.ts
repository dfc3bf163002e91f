/** Printers and serial ports of this computer. Opens no device. */
import { readdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PortInfo } from '@serialport/bindings-cpp'
import { toLine } from './announcements.ts'

/** A device file of a USB printer. Texts are empty where the printer does not say. */
export interface UsbPrinter {
  readonly path: string
  readonly make: string
  readonly model: string
  readonly serialNumber: string
  /** the languages that it understands: the field `CMD` of its IEEE 1284 id */
  readonly languages: string
}

/** A serial port; `name` is make and model of its adapter, or empty. */
export interface SerialPort {
  readonly path: string
  readonly name: string
}

/** Where the kernel's file systems are; another place in tests. */
export interface SystemFolders {
  readonly sys: string
  readonly dev: string
}
const SYSTEM_FOLDERS: SystemFolders = { sys: '/sys', dev: '/dev' }

const list = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => [])
const read = async (...path: string[]): Promise<string> =>
  toLine(await readFile(join(...path), 'utf8').catch(() => ''))

/** Parses an IEEE 1284 device id: `MFG:EPSON;CMD:ESC/POS;MDL:TM-T20II;`. Keys also have their long spelling. */
export function parseDeviceId(id: string): Omit<UsbPrinter, 'path'> {
  const values = new Map(
    id.split(';').flatMap((field) => {
      const [, key, value] = /^\s*([^:\s][^:]*):(.*)$/su.exec(field) ?? []
      return key === undefined || value === undefined ? [] : [[key.toUpperCase(), toLine(value)] as const]
    })
  )
  const value = (...keys: string[]): string => keys.map((key) => values.get(key) ?? '').find(Boolean) ?? ''
  return {
    make: value('MFG', 'MANUFACTURER'),
    model: value('MDL', 'MODEL'),
    serialNumber: value('SN', 'SERN', 'SERIALNUMBER'),
    languages: value('CMD', 'COMMAND SET')
  }
}

/** Lists the USB printers that have a device file (the kernel's module `usblp`). */
export async function listUsbPrinters({ sys, dev }: SystemFolders = SYSTEM_FOLDERS): Promise<
  readonly UsbPrinter[]
> {
  const printers = (await list(join(sys, 'class/usbmisc'))).filter((name) => /^lp\d+$/u.test(name))
  return Promise.all(
    printers.map(async (name) => {
      const device = await realpath(join(sys, 'class/usbmisc', name, 'device')).catch(() => '')
      const id = parseDeviceId(await readFile(join(device, 'ieee1284_id'), 'utf8').catch(() => ''))
      const usb = dirname(device)
      return {
        path: join(dev, 'usb', name),
        make: id.make || (await read(usb, 'manufacturer')),
        model: id.model || (await read(usb, 'product')),
        serialNumber: id.serialNumber || (await read(usb, 'serial')),
        languages: id.languages
      }
    })
  )
}

/** How far the folder of a USB device is above that of its serial port. */
const MAX_LEVELS_TO_USB = 4

async function adapterName(device: string): Promise<string> {
  let folder = device
  for (let level = 0; level < MAX_LEVELS_TO_USB; level++) {
    const product = await read(folder, 'product')
    if (product !== '') return toLine(`${await read(folder, 'manufacturer')} ${product}`)
    folder = dirname(folder)
  }
  return ''
}

/** Lists the serial ports that exist: USB adapters, paired Bluetooth devices, and ports of the main board. */
export async function listSerialPorts({ sys, dev }: SystemFolders = SYSTEM_FOLDERS): Promise<
  readonly SerialPort[]
> {
  const ports = await Promise.all(
    (await list(join(sys, 'class/tty'))).map(async (name): Promise<SerialPort | null> => {
      const path = join(dev, name)
      if (/^rfcomm\d+$/u.test(name)) return { path, name: '' }
      const device = await realpath(join(sys, 'class/tty', name, 'device')).catch(() => null)
      if (device === null) return null
      // The kernel reserves names for 8250 ports that the computer does not have.
      const driver = await realpath(join(device, 'driver')).catch(() => '')
      if (driver.endsWith('/serial8250')) return null
      return { path, name: await adapterName(device) }
    })
  )
  return ports.filter((port) => port !== null)
}

/** A port as the library lists it. On Windows it has a name as well, `USB Serial Port (COM3)`. */
export type ListedPort = Pick<PortInfo, 'path' | 'manufacturer' | 'pnpId'> & {
  readonly friendlyName?: string | undefined
}

/** Windows makes two ports for a paired Bluetooth device; printers answer at the outgoing one, which has their address. */
const INCOMING_BLUETOOTH = /^BTHENUM\\.*&0{12}_/iu

/** Ports of macOS itself. */
const PORTS_OF_MACOS = /^\/dev\/cu\.(Bluetooth-Incoming-Port|debug-console|wlan-debug)$/u

const listWithLibrary = async (): Promise<readonly ListedPort[]> =>
  (await import('@serialport/bindings-cpp')).autoDetect().list()

/**
 * Lists the serial ports of Windows and macOS. Rejects if the system does not list them.
 * @param list default: the library's
 */
export async function listLibraryPorts(list = listWithLibrary): Promise<readonly SerialPort[]> {
  const ports = await list()
  return ports
    .filter(({ pnpId }) => !INCOMING_BLUETOOTH.test(pnpId ?? ''))
    .map(({ path, friendlyName, manufacturer }) => ({
      // Opening the `tty` of a port waits for a call, as of a modem; its `cu` does not.
      path: path.replace(/^\/dev\/tty\./u, '/dev/cu.'),
      name: toLine(friendlyName?.replace(/ \(COM\d+\)$/u, '') ?? manufacturer ?? '')
    }))
    .filter(({ path }) => !PORTS_OF_MACOS.test(path))
}

/** The ports of this machine. Printers have device files on Linux only. */
export const systemPorts = {
  usbPrinters: (): Promise<readonly UsbPrinter[]> => listUsbPrinters(),
  serialPorts: (): Promise<readonly SerialPort[]> =>
    process.platform === 'linux' ? listSerialPorts() : listLibraryPorts()
}
