import { expect, test } from 'vitest'
import { remoteQueueOf } from '../../../../../electron/main/printing/cups/remote-queue.ts'

test.each([
  ['ipp://print.example/printers/Receipt', 'print.example', 631, false, 'Receipt'],
  ['ipps://print.example:443/printers/Receipt?version=1.1', 'print.example', 443, true, 'Receipt'],
  ['http://192.0.2.1:631/classes/Counter', '192.0.2.1', 631, false, 'Counter'],
  ['http://print.example/printers/Receipt', 'print.example', 80, false, 'Receipt'],
  ['https://print.example/printers/Receipt', 'print.example', 443, true, 'Receipt'],
  ['ipp://[2001:db8::1]:8631/printers/Bon%20drucker', '2001:db8::1', 8631, false, 'Bon drucker']
])('%s is a queue of another CUPS', (uri, host, port, isEncrypted, name) => {
  expect(remoteQueueOf(uri)).toEqual({ address: { kind: 'network', host, port }, isEncrypted, name })
})

test.each([
  'ipp://printer.example/ipp/print',
  'ipp://print.example/printers/',
  'ipp:///printers/Receipt',
  'ipp://print.example/printers/%E0%A4%A',
  'socket://192.0.2.1:9100',
  'implicitclass://Receipt/',
  'usb://EPSON/TM-T88V',
  'file:///printers/Receipt',
  ''
])('%s is none', (uri) => {
  expect(remoteQueueOf(uri)).toBeNull()
})
