import { expect, test } from 'vitest'
import { findServer, parseServer } from '../../../../../electron/main/printing/cups/cups-client.ts'

test.each([
  ['/run/cups/cups.sock\n', { kind: 'socket', path: '/run/cups/cups.sock' }],
  ['localhost:8631\n', { kind: 'network', host: 'localhost', port: 8631 }],
  ['print.example.org\n', { kind: 'network', host: 'print.example.org', port: 631 }],
  ['[::1]:631\n', { kind: 'network', host: '::1', port: 631 }],
  ['', null]
])('%o is %o', (text, server) => {
  expect(parseServer(text)).toEqual(server)
})

test('a machine without CUPS has no server', async () => {
  const run = () => Promise.resolve({ code: null, stdout: '', stderr: '', cause: 'ENOENT' })
  expect(await findServer(run, {}, 1000)).toBeNull()
})
