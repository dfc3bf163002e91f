import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  listSerialPorts,
  listUsbPrinters,
  parseDeviceId
} from '../../../../electron/main/printer-discovery/ports.ts'

let sys: string
beforeEach(async () => {
  sys = await mkdtemp(join(tmpdir(), 'tillpoints-sys-'))
})
afterEach(() => rm(sys, { recursive: true }))

/** A folder of the kernel with these attributes. */
async function device(path: string, attributes: Readonly<Record<string, string>> = {}): Promise<void> {
  await mkdir(join(sys, path), { recursive: true })
  for (const [name, text] of Object.entries(attributes)) await writeFile(join(sys, path, name), `${text}\n`)
}
async function link(from: string, to: string): Promise<void> {
  await mkdir(join(sys, from, '..'), { recursive: true })
  await symlink(join(sys, to), join(sys, from))
}
const folders = () => ({ sys, dev: '/dev' })

describe('USB printers', () => {
  test('are described by their IEEE 1284 id', async () => {
    await device('devices/usb1/1-1/1-1:1.0', {
      ieee1284_id: 'MFG:EPSON;CMD:ESC/POS;MDL:TM-T20III;CLS:PRINTER;DES:EPSON TM-T20III;'
    })
    await device('devices/usb1/1-1', { serial: '583634' })
    await link('class/usbmisc/lp0/device', 'devices/usb1/1-1/1-1:1.0')
    await device('class/usbmisc/hiddev0')
    expect(await listUsbPrinters(folders())).toEqual([
      {
        path: '/dev/usb/lp0',
        make: 'EPSON',
        model: 'TM-T20III',
        serialNumber: '583634',
        languages: 'ESC/POS'
      }
    ])
  })

  test('without an id are described by their USB descriptors', async () => {
    await device('devices/usb1/1-2/1-2:1.0')
    await device('devices/usb1/1-2', { manufacturer: 'STMicroelectronics', product: 'POS58 Printer' })
    await link('class/usbmisc/lp1/device', 'devices/usb1/1-2/1-2:1.0')
    expect(await listUsbPrinters(folders())).toMatchObject([
      { make: 'STMicroelectronics', model: 'POS58 Printer' }
    ])
  })

  test('are none where the kernel lists none', async () => {
    expect(await listUsbPrinters(folders())).toEqual([])
  })

  test('have ids with long keys and without control characters', () => {
    expect(parseDeviceId('MANUFACTURER:Star\u0000;COMMAND SET:STAR;MODEL:TSP143\u202E;SERN:1')).toEqual({
      make: 'Star',
      model: 'TSP143',
      serialNumber: '1',
      languages: 'STAR'
    })
  })
})

test('serial ports are adapters and Bluetooth devices, not ports that the kernel reserves', async () => {
  await device('devices/usb1/1-3', { manufacturer: 'Prolific', product: 'USB-Serial Controller' })
  await device('devices/usb1/1-3/1-3:1.0/ttyUSB0')
  await link('class/tty/ttyUSB0/device', 'devices/usb1/1-3/1-3:1.0/ttyUSB0')
  await device('devices/platform/serial8250')
  await device('bus/platform/drivers/serial8250')
  await link('devices/platform/serial8250/driver', 'bus/platform/drivers/serial8250')
  await link('class/tty/ttyS7/device', 'devices/platform/serial8250')
  await device('class/tty/rfcomm0')
  await device('class/tty/tty1')
  const ports = await listSerialPorts(folders())
  expect(ports.toSorted((one, other) => one.path.localeCompare(other.path))).toEqual([
    { path: '/dev/rfcomm0', name: '' },
    { path: '/dev/ttyUSB0', name: 'Prolific USB-Serial Controller' }
  ])
})
