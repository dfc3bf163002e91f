/** How each fault is brought about on a request that the network has in hand. */
import { request, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as after } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import type { Fault, OwnAnswer, WholeAnswer } from './fault.ts'

const DRIPS = 10
const HALF_HEADERS = 'HTTP/1.1 200 OK\r\ncontent-type: application/js'

/** Headers of the service that say how its answer was carried, and would be wrong on another one. */
const OF_THE_CARRIAGE = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive'])

/** Asks the service and gives its whole answer. `service` is its base address. */
const askService = (service: URL, incoming: IncomingMessage): Promise<WholeAnswer> =>
  new Promise((resolve, reject) => {
    const onward = request(
      {
        host: service.hostname,
        port: service.port,
        method: incoming.method,
        path: incoming.url,
        // The service names itself in its answers by the address it was asked at.
        headers: incoming.headers
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.once('error', reject)
        answer.once('end', () => {
          const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
            value === undefined || OF_THE_CARRIAGE.has(name) ? [] : [[name, String(value)] as const]
          )
          resolve({
            status: answer.statusCode ?? 502,
            headers: Object.fromEntries(headers),
            body: Buffer.concat(chunks)
          })
        })
      }
    )
    onward.once('error', reject)
    incoming.pipe(onward)
  })

const give = (outgoing: ServerResponse, { status = 200, headers = {}, body = '' }: OwnAnswer): void => {
  const type = { 'content-type': 'application/json' }
  outgoing.writeHead(status, { ...type, ...headers, 'content-length': Buffer.byteLength(body) })
  outgoing.end(body)
}

/** Sends the headers and the first half of an answer. Resolves when they are with the system. */
const giveHalf = (outgoing: ServerResponse, { status, headers, body }: WholeAnswer): Promise<void> =>
  new Promise((resolve) => {
    outgoing.writeHead(status, { ...headers, 'content-length': body.byteLength })
    outgoing.write(body.subarray(0, Math.ceil(body.byteLength / 2)), () => {
      resolve()
    })
  })

const drip = async (
  outgoing: ServerResponse,
  { status, headers, body }: WholeAnswer,
  pause: number
): Promise<void> => {
  outgoing.writeHead(status, { ...headers, 'content-length': body.byteLength })
  const size = Math.ceil(body.byteLength / DRIPS)
  for (let start = 0; start < body.byteLength && !outgoing.destroyed; start += size) {
    outgoing.write(body.subarray(start, start + size))
    await after(pause, undefined, { ref: false })
  }
  outgoing.end()
}

const PIECE = Buffer.alloc(64 * 1024, ' ')

function* blanks(bytes: number): Generator<Buffer> {
  yield Buffer.from('[')
  for (let sent = 2; sent < bytes; sent += PIECE.byteLength) yield PIECE
  yield Buffer.from(']')
}

/** Pours until the other side has had enough. */
const pour = async (outgoing: ServerResponse, bytes: number, compressed: boolean): Promise<void> => {
  outgoing.writeHead(200, {
    'content-type': 'application/json',
    ...(compressed && { 'content-encoding': 'gzip' })
  })
  const water = Readable.from(blanks(bytes))
  const poured = compressed ? pipeline(water, createGzip(), outgoing) : pipeline(water, outgoing)
  await poured.catch(() => undefined)
}

/** Brings `fault` about. Whatever of the answer is lost, the request was read to its end first. */
export async function carryOut(
  fault: Exclude<Fault, 'reset-connection'>,
  service: URL,
  incoming: IncomingMessage,
  outgoing: ServerResponse
): Promise<void> {
  const { socket } = incoming
  if (fault === 'silence') {
    incoming.resume()
    return
  }
  if (fault === 'lose-request' || (typeof fault === 'object' && ('answer' in fault || 'bytes' in fault))) {
    await text(incoming)
    if (fault === 'lose-request') socket.resetAndDestroy()
    else if ('answer' in fault) give(outgoing, fault.answer)
    else socket.end(fault.bytes)
    return
  }
  const answer = await askService(service, incoming)
  if (typeof fault === 'object') {
    if ('delay' in fault) {
      await after(fault.delay, undefined, { ref: false })
      give(outgoing, answer)
    } else if ('drip' in fault) await drip(outgoing, answer, fault.drip)
    else if ('change' in fault) give(outgoing, fault.change(answer))
    else await pour(outgoing, fault.pour, fault.compressed ?? false)
    return
  }
  switch (fault) {
    case 'pass':
      give(outgoing, answer)
      return
    case 'lose-answer':
      socket.resetAndDestroy()
      return
    case 'half-headers':
      socket.write(HALF_HEADERS, () => socket.resetAndDestroy())
      return
    case 'half-body':
      await giveHalf(outgoing, answer)
      socket.resetAndDestroy()
      return
    case 'half-body-closed':
      await giveHalf(outgoing, answer)
      socket.end()
      return
    case 'silence-in-body':
      await giveHalf(outgoing, answer)
  }
}
