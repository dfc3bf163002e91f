/**
 * Addresses and ports of this machine that no other test is handed. A port that the system picks goes to the next
 * one who asks as soon as it is given back: a service that a test switches off would be answered for by another's.
 */
import { once } from 'node:events'
import { randomInt } from 'node:crypto'
import { createServer, type AddressInfo } from 'node:net'

/** The address that certificates and the name `localhost` are for. */
export const LOOPBACK = '127.0.0.1'

/**
 * An address of its own on loopback, for a server that is switched off and on again: its port stays nobody's
 * meanwhile. macOS has only one address there until an administrator adds more, and gives that.
 */
export const ownAddress = (): string =>
  process.platform === 'darwin'
    ? LOOPBACK
    : `127.${String(randomInt(1, 255))}.${String(randomInt(256))}.${String(randomInt(1, 255))}`

/** Below those that systems pick from (Linux from 32768, others from 49152), and above those of well-known services. */
const [FIRST_PORT, PORTS_END] = [20_000, 32_768]

/** A port of 127.0.0.1 that is free now, for a program that must be told one, and that the system hands to nobody. */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer()
    try {
      server.listen(randomInt(FIRST_PORT, PORTS_END), LOOPBACK)
      await once(server, 'listening')
    } catch {
      // Somebody has this one.
      continue
    }
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    return port
  }
}
