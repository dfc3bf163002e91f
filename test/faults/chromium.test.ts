/**
 * Writes over Chromium's own network stack, through `platform/fetch.ts` and the client. The rule: a write that the service
 * has read is never reported as not sent, and is sent once.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Result } from '../../electron/contract/failure.ts'
import { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import { NETWORK_SWITCHES } from '../../electron/main/platform/command-line.ts'
import { BREAKS, HTTP2_BREAKS, startBreakingServer, startHttp2Server } from '../support/breaking-server.ts'
import { expired, otherHost, selfSigned } from '../support/certificates/index.ts'
import { ChromiumNetwork } from '../support/chromium-network.ts'
import { LOOPBACK } from '../support/loopback.ts'
import { FULL } from '../support/size.ts'

/** The breaks that Chromium would repair on a connection that was used before, or that a tunnel might hide. */
const ENDS = Object.entries(BREAKS).filter(
  ([name]) => FULL || /^(a reset|an end|close_notify|text)/.test(name)
)

/** The Chromium that requests go through. */
const current = vi.hoisted((): { network: ChromiumNetwork | null } => ({ network: null }))
const network = (): ChromiumNetwork => {
  if (current.network === null) throw new Error('No Chromium is open')
  return current.network
}

vi.mock('electron', () => ({
  app: {},
  net: { fetch: (request: Request) => network().net.fetch(request), isOnline: () => true },
  session: {
    get defaultSession() {
      return network().session.defaultSession
    },
    fromPartition: (name: string) => ({
      fetch: (request: Request) => network().session.fromPartition(name).fetch(request),
      closeAllConnections: () => network().session.fromPartition(name).closeAllConnections()
    })
  }
}))

const { electronFetch } = await import('../../electron/main/platform/fetch.ts')

/** Opens a Chromium with the switches of the till for the tests of a block. */
const useChromium = (): void => {
  beforeAll(async () => {
    current.network = await ChromiumNetwork.open(NETWORK_SWITCHES)
  })
  afterAll(() => network().close())
}

const clientOf = (baseUrl: string): LoyaltyClient =>
  new LoyaltyClient({
    baseUrl,
    token: 'demo',
    fetch: electronFetch,
    languages: { screen: 'en' }
  })

const issue = (baseUrl: string): Promise<Result<unknown>> => clientOf(baseUrl).createQr(10)

const closing = async <Server extends { close(): Promise<void> }>(
  starting: Promise<Server>
): Promise<Server> => {
  const server = await starting
  onTestFinished(() => server.close())
  return server
}

const failureOf = (answer: Result<unknown>): string => (answer.ok ? 'value' : answer.failure.kind)

const unusedPort = async (): Promise<number> => {
  const server = createServer().listen(0, LOOPBACK)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Starts a proxy that answers CONNECT with `refusal` and ends the connection, or tunnels if it is null. */
async function startProxy(
  refusal: string | null
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    open.add(client)
    client.on('error', () => undefined)
    client.once('data', (head) => {
      const [, host = '', port] = /^CONNECT ([^:]+):(\d+)/.exec(head.toString()) ?? []
      if (refusal !== null) {
        client.end(refusal)
        return
      }
      const onward = connect(Number(port), host, () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n')
        client.pipe(onward).pipe(client)
      })
      // A tunnel passes a reset on.
      onward.on('error', () => client.resetAndDestroy())
      client.once('close', () => onward.destroy())
    })
  }).listen(0, LOOPBACK)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      })
  }
}

describe('a write that the service has read', () => {
  useChromium()

  it.each(Object.entries(BREAKS))('is unknown after %s', async (_name, breakStream) => {
    const server = await closing(startBreakingServer(breakStream))
    const outcome = failureOf(await issue(server.url))
    expect({ outcome, sent: server.count('POST') }).toEqual({ outcome: 'unknown-outcome', sent: 1 })
  })

  it.each(ENDS)('is unknown after %s on a connection that a read has used', async (_name, breakStream) => {
    let requests = 0
    const server = await closing(
      startBreakingServer((stream, response) => {
        requests += 1
        if (requests > 1) breakStream(stream, response)
        else response.end('{"id":"a1","name":"Shop"}')
      })
    )
    await clientOf(server.url).account()
    const outcome = failureOf(await issue(server.url))
    expect({ outcome, sent: server.count('POST') }).toEqual({ outcome: 'unknown-outcome', sent: 1 })
  })

  it.each(Object.entries(HTTP2_BREAKS))(
    'is sent once to a service with HTTP/2: %s',
    async (_name, breakStream) => {
      const server = await closing(startHttp2Server(breakStream))
      const outcome = failureOf(await issue(server.url))
      expect({ outcome, sent: server.count('POST') }).toEqual({ outcome: 'unknown-outcome', sent: 1 })
    }
  )
})

it('Chromium repeats a write by itself after 421 only, which says that it was not processed', async () => {
  current.network = await ChromiumNetwork.open(NETWORK_SWITCHES)
  const server = await closing(
    startBreakingServer((_stream, response) => {
      response.writeHead(421).end('{"statusCode":421,"message":"Misdirected"}')
    })
  )
  const outcome = failureOf(await issue(server.url))
  await network().close()
  expect({ outcome, sent: server.count('POST') }).toEqual({ outcome: 'rejected', sent: 2 })
})

describe('a write that no service has read', () => {
  useChromium()

  it.each([
    ['self-signed', selfSigned],
    ['expired', expired],
    ['of another host', otherHost]
  ])('is not sent with a certificate that is %s', async (_name, certificate) => {
    const server = await closing(startBreakingServer(() => undefined, certificate))
    expect(failureOf(await issue(server.url))).toBe('tls')
    expect(server.count('POST')).toBe(0)
  })

  it('is not sent to a closed port', async () => {
    expect(failureOf(await issue(`https://${LOOPBACK}:${await unusedPort()}/api`))).toBe('offline')
  })

  it('is not sent to an unknown host', async () => {
    expect(failureOf(await issue('https://nowhere.example/api'))).toBe('offline')
  })
})

describe('a write through a proxy', () => {
  useChromium()

  it('is not sent when the proxy cannot be reached', async () => {
    const server = await closing(startBreakingServer(() => undefined))
    network().proxyPort = await unusedPort()
    expect(failureOf(await issue(server.url))).toBe('offline')
    expect(server.count('POST')).toBe(0)
  })

  it('is not sent when the proxy refuses the tunnel', async () => {
    const server = await closing(startBreakingServer(() => undefined))
    network().proxyPort = (await closing(startProxy('HTTP/1.1 502 Bad Gateway\r\n\r\n'))).port
    expect(failureOf(await issue(server.url))).toBe('offline')
    expect(server.count('POST')).toBe(0)
  })

  it.each(ENDS)('is unknown after %s in the tunnel', async (_name, breakStream) => {
    const server = await closing(startBreakingServer(breakStream))
    network().proxyPort = (await closing(startProxy(null))).port
    const outcome = failureOf(await issue(server.url))
    expect({ outcome, sent: server.count('POST') }).toEqual({ outcome: 'unknown-outcome', sent: 1 })
  })
})

describe('the switches of the till', () => {
  /**
   * Reads from a server that announces HTTP/3 at a port, at most `reads` times. Returns how often until that port received
   * a packet, or null if it received none.
   */
  const readsUntilHttp3 = async (switches: readonly string[], reads: number): Promise<number | null> => {
    const udp = createSocket('udp4').bind(0, LOOPBACK)
    await once(udp, 'listening')
    const packet = once(udp, 'message').then(() => 'packet')
    const server = await startBreakingServer((_stream, response) => {
      response.setHeader('alt-svc', `h3=":${udp.address().port}"; ma=3600`)
      response.end('{"id":"a1","name":"Shop"}')
    })
    const chromium = await ChromiumNetwork.open(switches)
    try {
      for (let count = 1; count <= reads; count++) {
        // Chromium races the announced service with the connection that it has.
        const read = chromium.net.fetch(new Request(`${server.url}/account`)).then(() => 'response')
        read.catch(() => undefined)
        if ((await Promise.race([packet, read])) === 'packet') return count
      }
      return null
    } finally {
      await chromium.close()
      await server.close()
      udp.close()
    }
  }

  it('keep Chromium from HTTP/3, which it uses without them', async () => {
    const reads = (await readsUntilHttp3([], Number.POSITIVE_INFINITY)) ?? 0
    expect(await readsUntilHttp3(NETWORK_SWITCHES, reads + 2)).toBeNull()
  })

  it('keep Chromium from sending a POST again, which it does without them', async () => {
    const counts: number[] = []
    for (const switches of [[], NETWORK_SWITCHES]) {
      const server = await closing(startHttp2Server(HTTP2_BREAKS['RST_STREAM with REFUSED_STREAM']))
      current.network = await ChromiumNetwork.open(switches)
      await issue(server.url)
      await network().close()
      counts.push(server.count('POST'))
    }
    expect(counts[0]).toBeGreaterThan(1)
    expect(counts[1]).toBe(1)
  })
})
