/** A client of the local interface, which checks each answer against the document that the till serves. */
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import * as v from 'valibot'
import { OpenApiChecker } from './openapi-checker.ts'

/** The parts of a body that tests read. */
const answerBodySchema = v.partial(
  v.looseObject({
    mode: v.string(),
    state: v.string(),
    code: v.nullable(v.string()),
    url: v.nullable(v.string()),
    points: v.nullable(v.number()),
    error: v.string(),
    message: v.string(),
    token: v.string(),
    program: v.object({ id: v.string(), name: v.string() }),
    receipt: v.object({ text: v.string(), qrPng: v.string(), qrSvg: v.string() }),
    slip: v.looseObject({ state: v.string() })
  })
)
type AnswerBody = v.InferOutput<typeof answerBodySchema>

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** of a JSON body; empty for any other */
  readonly body: AnswerBody
  readonly text: string
}

/** How to send a request. */
export interface Sent {
  readonly method?: string
  readonly path: string
  readonly body?: unknown
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends one request on a connection of its own. */
export function send(
  port: number,
  { method = 'GET', path, body, token, headers = {} }: Sent
): Promise<Answer> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: false,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(text === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers
        }
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const received = Buffer.concat(chunks).toString('utf8')
          const isJson = response.headers['content-type']?.startsWith('application/json') === true
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: isJson ? v.parse(answerBodySchema, JSON.parse(received)) : {},
            text: received
          })
        })
      }
    )
    request.on('error', reject)
    request.end(text)
  })
}

/** Sends bytes on a connection, and resolves with everything that is received until it is closed. */
export function exchange(port: number, write: (socket: ReturnType<typeof connect>) => void): Promise<string> {
  return new Promise((resolve) => {
    const received: string[] = []
    const socket = connect(port, '127.0.0.1', () => write(socket))
    socket.setEncoding('latin1')
    socket.on('data', (text) => received.push(String(text)))
    // The interface closes while the client still sends.
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(received.join('')))
  })
}

/** The status of a response as it was received. */
export const statusOf = (response: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1])

/** 1 GB. */
export const VAST_BODY_BYTES = 2 ** 30

/** How a body says where it ends: by its length, or by its last chunk. */
export const BODY_FRAMINGS = ['length', 'chunks'] as const

const MEBIBYTE = Buffer.alloc(2 ** 20, 'x')
const CHUNK = Buffer.concat([Buffer.from('100000\r\n'), MEBIBYTE, Buffer.from('\r\n')])

/** Sends as much of a body of `VAST_BODY_BYTES` as the interface takes before it closes the connection. */
export async function sendVastBody(
  port: number,
  token: string,
  framing: (typeof BODY_FRAMINGS)[number]
): Promise<{ readonly response: string; readonly sentBytes: number }> {
  let sentBytes = 0
  const response = await exchange(port, (socket) => {
    const sendMore = (): void => {
      while (sentBytes < VAST_BODY_BYTES && !socket.destroyed) {
        sentBytes += MEBIBYTE.length
        if (!socket.write(framing === 'chunks' ? CHUNK : MEBIBYTE)) return void socket.once('drain', sendMore)
      }
    }
    const head = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json`
    const frame =
      framing === 'chunks' ? 'Transfer-Encoding: chunked' : `Content-Length: ${String(VAST_BODY_BYTES)}`
    socket.write(`POST /v1/slips HTTP/1.1\r\n${head}\r\n${frame}\r\n\r\n`)
    sendMore()
  })
  return { response, sentBytes }
}

/** Reads the document, and returns a function that sends a request and checks its answer. */
export async function openInterfaceClient(port: number) {
  const { body: document } = await send(port, { path: '/v1/openapi.json' })
  const checker = OpenApiChecker.of(document)
  const call = async (sent: Sent): Promise<Answer> => {
    const answer = await send(port, sent)
    checker.check({
      method: sent.method ?? 'GET',
      path: sent.path.replace(/\?.*/, ''),
      status: answer.status,
      contentType: String(answer.headers['content-type']).replace(/;.*/, ''),
      body: answer.body
    })
    return answer
  }
  return {
    document,
    call,
    /** Trades a code for a token, and returns what the program calls. */
    async pair(code: string, name: string) {
      const paired = await call({ method: 'POST', path: '/v1/pairing', body: { code, name } })
      if (paired.status !== 201) throw new Error(`Not paired: ${paired.text}`)
      const { token = '', program } = paired.body
      return {
        token,
        id: program?.id ?? '',
        get: (path: string) => call({ path, token }),
        post: (path: string, body: unknown) => call({ method: 'POST', path, body, token })
      }
    }
  }
}

/** Reads the server-sent events of a program until `close`. */
export function readEvents(port: number, token: string) {
  const events: AnswerBody[] = []
  let comments = 0
  let isClosed = false
  let rest = ''
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(
      `GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`
    )
  )
  socket.setEncoding('utf8')
  socket.on('error', () => undefined)
  socket.on('data', (text) => {
    rest += String(text)
    for (const [, data = ''] of rest.matchAll(/^data: (.*)\n\n/gm)) {
      events.push(v.parse(answerBodySchema, JSON.parse(data)))
    }
    comments += rest.match(/^: /gm)?.length ?? 0
    rest = rest.slice(Math.max(0, rest.lastIndexOf('\n\n') + 2))
  })
  socket.on('close', () => {
    isClosed = true
  })
  return { events, comments: () => comments, isClosed: () => isClosed, close: () => socket.destroy() }
}
