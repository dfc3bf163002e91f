/**
 * Loopback addresses and ports that no other test uses. The system reassigns an ephemeral port as soon as it is closed:
 * another test's server would answer for a service that a test has switched off.
 */
import { once } from 'node:events'
import { randomInt } from 'node:crypto'
import { createServer, type AddressInfo } from 'node:net'

/** The address that certificates and the name `localhost` are for. */
export const LOOPBACK = '127.0.0.1'

/**
 * An address of its own on loopback, for a server that is switched off and on again: no other test takes its
 * port meanwhile. macOS has only one loopback address by default, and returns that.
 */
export const ownAddress = (): string =>
  process.platform === 'darwin'
    ? LOOPBACK
    : `127.${String(randomInt(1, 255))}.${String(randomInt(256))}.${String(randomInt(1, 255))}`

/** Below those that systems pick from (Linux from 32768, others from 49152), and above those of well-known services. */
const [FIRST_PORT, PORTS_END] = [20_000, 32_768]

/** Resolves with a free port of 127.0.0.1 outside the system's ephemeral range, for a program that needs a port number. */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer()
    try {
      server.listen(randomInt(FIRST_PORT, PORTS_END), LOOPBACK)
      await once(server, 'listening')
    } catch {
      // The port is in use.
      continue
    }
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    return port
  }
}
