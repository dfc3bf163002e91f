/** A DNS server on loopback (RFC 1035), which knows some names, and says of others that they do not exist. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { Resolver } from 'node:dns/promises'
import { LOOPBACK } from './loopback.ts'

const HEADER_BYTES = 12
const A = 1
const NO_SUCH_NAME = 3

/** The name that a question asks for, and where the question ends. */
const readQuestion = (
  query: Buffer
): { readonly name: string; readonly type: number; readonly end: number } => {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

const answerTo = (query: Buffer, names: Readonly<Record<string, string>>): Buffer => {
  const { name, type, end } = readQuestion(query)
  const address = names[name]
  const found = address !== undefined && type === A
  const head = Buffer.from(query.subarray(0, end))
  // A response with recursion available, and no more questions than one.
  head.writeUInt16BE(0x8180 | (address === undefined ? NO_SUCH_NAME : 0), 2)
  for (const [index, count] of [1, found ? 1 : 0, 0, 0].entries()) head.writeUInt16BE(count, 4 + 2 * index)
  if (!found) return head
  const record = Buffer.from([
    0xc0,
    HEADER_BYTES,
    0,
    A,
    0,
    1,
    0,
    0,
    0,
    60,
    0,
    4,
    ...address.split('.').map(Number)
  ])
  return Buffer.concat([head, record])
}

/** Starts a server. @param names IPv4 addresses by their names */
export const openDnsServer = async (names: Readonly<Record<string, string>>) => {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => socket.send(answerTo(query, names), port, address))
  socket.bind(0, LOOPBACK)
  await once(socket, 'listening')
  const resolver = new Resolver()
  resolver.setServers([`${LOOPBACK}:${String(socket.address().port)}`])
  return {
    /** asks this server */
    resolver,
    close: () => {
      socket.close()
    }
  }
}
