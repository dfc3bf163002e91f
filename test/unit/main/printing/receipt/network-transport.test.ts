import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { NetworkTransport } from '../../../../../electron/main/printing/receipt/network-transport.ts'
import { LOOPBACK } from '../../../../support/loopback.ts'

it('closes a connection that the printer resets meanwhile: what became of the slip stays as it is', async () => {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined)
    socket.resume().once('end', () => socket.resetAndDestroy())
  }).listen(0, LOOPBACK)
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  const port = address === null || typeof address === 'string' ? expect.fail() : address.port
  const connection = { kind: 'network', host: LOOPBACK, port, announcedName: null } as const
  const channel = await new NetworkTransport(connection).open(60_000)
  await expect(channel.close()).resolves.toBeUndefined()
  await expect(channel.closed).rejects.toThrow('broken')
})
