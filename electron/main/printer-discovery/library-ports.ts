/**
 * The serial ports of Windows and macOS, as the library that opens them lists them. It is loaded by the first search there.
 * On Linux the kernel's own list (`ports.ts`) is better: the library runs `udevadm`, which a system may not have, lists
 * ports that the main board does not have, and knows the make of an adapter only, not its model.
 */
import type { PortInfo } from '@serialport/bindings-cpp'
import { toLine } from './announcements.ts'
import type { SerialPort } from './ports.ts'

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
