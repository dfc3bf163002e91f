/** The serial ports of systems other than this one, in the shape in which the library lists them there. */
import { expect, test } from 'vitest'
import { listLibraryPorts, type ListedPort } from '../../../../electron/main/printer-discovery/ports.ts'

const port = (path: string, more: Partial<ListedPort> = {}): ListedPort => ({
  path,
  manufacturer: undefined,
  pnpId: undefined,
  ...more
})
const listed = (...ports: readonly ListedPort[]) => listLibraryPorts(() => Promise.resolve(ports))

test('the ports of Windows have the names of the device manager', async () => {
  expect(
    await listed(
      port('COM1', {
        friendlyName: 'Communications Port (COM1)',
        manufacturer: '(Standard port types)',
        pnpId: 'ACPI\\PNP0501\\1'
      }),
      port('COM3', { manufacturer: 'FTDI', pnpId: 'FTDIBUS\\VID_0403+PID_6001+A51MAMMEA\\0000' }),
      port('COM4')
    )
  ).toEqual([
    { path: 'COM1', name: 'Communications Port' },
    { path: 'COM3', name: 'FTDI' },
    { path: 'COM4', name: '' }
  ])
})

test('of the two Bluetooth ports of Windows the outgoing one is listed', async () => {
  const bluetooth = 'BTHENUM\\{00001101-0000-1000-8000-00805F9B34FB}_LOCALMFG&0000\\8&1D08283&0&'
  expect(
    await listed(
      port('COM5', { pnpId: `${bluetooth}001122AABBCC_C00000000` }),
      port('COM6', { pnpId: `${bluetooth}000000000000_00000025` })
    )
  ).toEqual([{ path: 'COM5', name: '' }])
})

test('the ports of macOS are those for calls out, without its own', async () => {
  expect(
    await listed(
      port('/dev/tty.usbserial-A51MAMME', { manufacturer: 'FTDI' }),
      port('/dev/tty.Printer'),
      port('/dev/tty.Bluetooth-Incoming-Port'),
      port('/dev/tty.debug-console')
    )
  ).toEqual([
    { path: '/dev/cu.usbserial-A51MAMME', name: 'FTDI' },
    { path: '/dev/cu.Printer', name: '' }
  ])
})

test('names are cut to one line', async () => {
  const [hostile] = await listed(port('COM3', { friendlyName: `\u202EPort\n${'x'.repeat(100)}` }))
  expect(hostile?.name).toMatch(/^Port x{54}…$/u)
})
