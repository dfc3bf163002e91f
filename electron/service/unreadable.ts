/** Answers what is not even HTTP: Node would answer it with a bare status, and this service owes an Error body. */
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorBody, Refusal, type RefusalStatus } from './errors.ts'

/** Node's names for what can be wrong before a request exists; anything else is a 400. */
const statusOf: Readonly<Record<string, RefusalStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408
}

/** A listener for the server's `clientError`: answers, and closes the connection. */
export const answerUnreadable = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  // A caller that is gone, or has an answer already, gets nothing more.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = statusOf[error.code ?? ''] ?? 400
  const body = JSON.stringify(errorBody(new Refusal(status, 'request-malformed'), 'en'))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/json',
    'Content-Language: en',
    `Content-Length: ${Buffer.byteLength(body)}`
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
