/** Ends an HTTP server without breaking what is under way. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A till waits so long for an answer. */
const ANSWER_TIMEOUT_MS = 10_000

/** In which a proxy sends its request over a connection that it has just made. A browser also makes some without one. */
const FIRST_REQUEST_MS = 1000

/** Knows the connections and requests of a server from its start. */
export class ServerEnding {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #responses = new Set<ServerResponse>()
  #isEnding = false

  /** @param connectionEvent of the server, when a connection can carry requests */
  constructor(server: Server, connectionEvent: 'connection' | 'secureConnection') {
    this.#server = server
    server.on(connectionEvent, (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    server.prependListener('request', (_, response: ServerResponse) => this.#watch(response))
  }

  /**
   * Accepts no more connections, and resolves when all are closed: idle ones at once, ones without a request after a second,
   * and others when their request is answered, at the latest after ten seconds.
   */
  end(): Promise<void> {
    this.#isEnding = true
    for (const response of this.#responses) response.shouldKeepAlive = false
    return new Promise((resolve) => {
      const timers = [
        // A process that was late first reads what has come meanwhile.
        setTimeout(() => setImmediate(() => this.#closeUnused()), FIRST_REQUEST_MS),
        setTimeout(() => this.#server.closeAllConnections(), ANSWER_TIMEOUT_MS)
      ]
      this.#server.close(() => {
        timers.forEach(clearTimeout)
        resolve()
      })
      this.#server.closeIdleConnections()
    })
  }

  #watch(response: ServerResponse): void {
    // The answer has "Connection: close".
    if (this.#isEnding) response.shouldKeepAlive = false
    this.#responses.add(response)
    response.once('close', () => {
      this.#responses.delete(response)
      // An answer that had begun before says that the connection stays.
      if (this.#isEnding) this.#server.closeIdleConnections()
    })
  }

  #closeUnused(): void {
    const used = new Set([...this.#responses].map(({ socket }) => socket))
    for (const socket of this.#sockets) if (!used.has(socket)) socket.destroy()
  }
}
