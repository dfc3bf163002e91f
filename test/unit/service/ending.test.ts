/** The end of a server, as its clients see it. */
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { expect, it, vi } from 'vitest'
import { listen } from '../../../electron/service/server.ts'

/** A server that answers a request to `/slow` when it is told to. */
const open = async () => {
  const asked = Promise.withResolvers<undefined>()
  const answer = Promise.withResolvers<undefined>()
  const closeService = vi.fn(() => Promise.resolve())
  const server = await listen({
    port: 0,
    openService: () =>
      Promise.resolve({
        fetch: async ({ url }) => {
          if (url.endsWith('/slow')) {
            asked.resolve(undefined)
            await answer.promise
          }
          return new Response('answered')
        },
        close: closeService
      })
  })
  const { hostname, port } = new URL(server.url)
  const connected = async (): Promise<Socket> => {
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    return socket
  }
  return { server, asked: asked.promise, answer: () => answer.resolve(undefined), closeService, connected }
}

it('answers what was asked before its end, then closes the connection and the service', async () => {
  const { server, asked, answer, closeService, connected } = await open()
  const agent = new Agent({ keepAlive: true })
  const sent = request(`${server.origin}/slow`, { method: 'POST', agent }).end('x')
  await asked
  const ended = server.close()
  await expect(connected()).rejects.toThrow('ECONNREFUSED')
  expect(closeService).not.toHaveBeenCalled()
  answer()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  expect(response.headers.connection).toBe('close')
  expect(await textOf(response)).toBe('answered')
  await ended
  expect(closeService).toHaveBeenCalled()
  agent.destroy()
})

it('answers a request on a connection that was made before its end', async () => {
  const { server, connected } = await open()
  const socket = await connected()
  // The server knows the connection when it has answered a later one.
  await fetch(server.origin)
  const ended = server.close()
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n')
  const answer = await textOf(socket)
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(answer).toContain('\r\nConnection: close\r\n')
  await ended
})

it('closes connections without a request', async () => {
  const { server, connected } = await open()
  const socket = await connected()
  await fetch(server.origin)
  const closed = once(socket.resume(), 'close')
  await server.close()
  await closed
})
