/**
 * A program: sends a `Load` to a service and answers with how long each request took. It is a process of its own, and
 * writes bytes to sockets: an HTTP client would cost as much as what is measured.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Answered, Load } from './load.ts'

/** Codes that each service issued and that are not collected yet. */
const codesByPort = new Map<number, string[]>()
let count = 0

/**
 * Fills in a code, an IP address and a number of seven digits that no other request has, and one of the first customers of the
 * shop. Returns null where no code is left.
 */
function complete(request: string, customers: number, codes: string[]): string | null {
  if (!request.includes('{')) return request
  const code = request.includes('{code}') ? codes.pop() : ''
  if (code === undefined) return null
  count += 1
  const address = ['10', count >> 16, (count >> 8) & 255, count & 255].join('.')
  const customer = String(Math.floor(Math.random() * customers)).padStart(7, '0')
  const number = String(count).padStart(7, '0')
  return request
    .replace('{code}', code)
    .replace('{address}', address)
    .replace('{customer}', customer)
    .replace('{number}', number)
}

/** A connection, on which one request follows the other. */
class Connection {
  readonly #socket: Socket
  readonly #texts: AsyncIterator<string, undefined>

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay().setEncoding('latin1')
    this.#texts = this.#socket[Symbol.asyncIterator]() as AsyncIterator<string, undefined>
  }

  /**
   * Resolves with the body, and whether the request was taken: a form that is not leads to its page without a cookie. Rejects
   * when the connection breaks.
   */
  async ask(request: string): Promise<{ readonly isTaken: boolean; readonly body: string }> {
    this.#socket.write(request)
    let text = ''
    for (;;) {
      const { done, value } = await this.#texts.next()
      if (done === true) throw new Error(`The service closed the connection after ${JSON.stringify(text)}`)
      text += value
      const end = text.indexOf('\r\n\r\n')
      const head = text.slice(0, Math.max(0, end))
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
      const body = text.slice(end + 4)
      const isWhole = length === undefined ? body.endsWith('0\r\n\r\n') : body.length >= Number(length)
      if (end < 0 || !isWhole) continue
      const status = Number(head.slice(9, 12))
      return { isTaken: status === 200 || (status === 303 && /\r\nset-cookie:/i.test(head)), body }
    }
  }

  close(): void {
    this.#socket.destroy()
  }
}

/** Sends requests for a time, each from its moment on if the load has a rate, otherwise each after the last answer. */
async function send({ port, connections, seconds, perSecond, customers, requests }: Load): Promise<Answered> {
  const codes = codesByPort.get(port) ?? []
  codesByPort.set(port, codes)
  const ms: Record<string, number[]> = Object.fromEntries(requests.map(({ kind }) => [kind, []]))
  let [sent, refused] = [0, 0]
  const begun = performance.now()
  const end = begun + seconds * 1000
  const work = async (): Promise<void> => {
    const connection = new Connection(port)
    for (;;) {
      const next = requests[sent % requests.length]
      const due = perSecond === null ? performance.now() : begun + (sent / perSecond) * 1000
      if (next === undefined || due >= end) break
      sent += 1
      if (due > performance.now()) await wait(due - performance.now())
      const request = complete(next.request, customers, codes)
      if (request === null) break
      const { isTaken, body } = await connection.ask(request)
      ms[next.kind]?.push(performance.now() - due)
      if (!isTaken) refused += 1
      const code = /"code":"(\w+)"/.exec(body)?.[1]
      if (code !== undefined) codes.push(code)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, work))
  return { ms, refused, seconds: (performance.now() - begun) / 1000 }
}

process.on('message', (load) => void send(load as Load).then((answered) => process.send?.(answered)))
