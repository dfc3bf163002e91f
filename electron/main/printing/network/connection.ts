/** One connection to an ESC/POS printer: sends bytes, asks for its status, hears its answers. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import {
  isEndMark,
  isStatus,
  statusRequest,
  STATUS_KINDS,
  type PrinterStatus,
  type StatusKind
} from './status.ts'

/** Why a connection is of no more use. */
export class PrinterGone extends Error {
  override readonly name = 'PrinterGone'
  readonly reason: 'unreachable' | 'broken' | 'silent' | 'aborted'
  constructor(reason: PrinterGone['reason'], cause?: unknown) {
    super(`The printer is ${reason}`, { cause })
    this.reason = reason
  }
}

export interface PrinterConnection {
  /** Asks for paper, cover and all else. Rejects with `PrinterGone`: `silent` when one answer takes over `limit` ms. */
  status(limit: number): Promise<PrinterStatus>
  /** Sends all of `bytes`. Rejects with `PrinterGone` when the connection ends before the last one was taken. */
  send(bytes: Uint8Array): Promise<void>
  /** How many end marks the printer has come to. */
  endMarks(): number
  /** Ends the connection, and waits until the printer has let go of it: many take one at a time only. */
  close(): Promise<void>
}

/** Small enough to notice a printer that stops taking bytes, large enough not to slow one that does. */
const SLICE_BYTES = 4096

/** Milliseconds that a printer has to let go. */
const CLOSING = 500

const abortable = <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(new PrinterGone('aborted', signal.reason))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })

async function opened(host: string, port: number, timeout: number): Promise<Socket> {
  const socket = connect({ host, port, noDelay: true })
  // a socket without a listener would end the process with its error
  socket.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new Error('No answer in time')), timeout)
    socket.once('connect', () => {
      clearTimeout(timer)
      resolve()
    })
    socket.once('error', (error) => reject(new PrinterGone('unreachable', error)))
    socket.once('close', () => {
      clearTimeout(timer)
      reject(new PrinterGone('unreachable'))
    })
  })
  return socket
}

/** Connects within `timeout` ms. An abort of `signal` ends whatever waits. */
export async function connectToPrinter(
  { host, port }: { readonly host: string; readonly port: number },
  timeout: number,
  signal: AbortSignal
): Promise<PrinterConnection> {
  const connecting = opened(host, port, timeout)
  connecting.then((late) => signal.aborted && late.destroy()).catch(() => undefined)
  const socket = await abortable(connecting, signal)

  let endMarks = 0
  let onStatus: ((byte: number) => void) | null = null
  socket.on('data', (bytes: Buffer) => {
    for (const byte of bytes) {
      if (isStatus(byte)) onStatus?.(byte)
      else if (isEndMark(byte)) endMarks++
      // anything else: flow control, or status that was not asked for
    }
  })

  const closed = new Promise<never>((_resolve, reject) => {
    let cause: unknown
    socket.once('error', (error) => (cause = error))
    socket.once('end', () => socket.destroy())
    socket.once('close', () => reject(new PrinterGone('broken', cause)))
  })
  closed.catch(() => undefined)
  const whileOpen = <Value>(work: Promise<Value>): Promise<Value> =>
    abortable(Promise.race([work, closed]), signal)

  const ask = (kind: StatusKind, limit: number): Promise<number> => {
    let timer: NodeJS.Timeout | undefined
    const answer = new Promise<number>((resolve, reject) => {
      timer = setTimeout(() => reject(new PrinterGone('silent')), limit)
      onStatus = resolve
      socket.write(statusRequest(kind))
    })
    return whileOpen(answer).finally(() => {
      clearTimeout(timer)
      onStatus = null
    })
  }

  const write = (slice: Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      // A failed write closes the socket, which `closed` tells.
      socket.write(slice, (error) => error ?? resolve())
    })

  return {
    async status(limit) {
      const answers = { 1: 0, 2: 0, 4: 0 }
      // One at a time: answers do not say what they answer.
      for (const kind of STATUS_KINDS) answers[kind] = await ask(kind, limit)
      return answers
    },
    async send(bytes) {
      for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
        await whileOpen(write(bytes.subarray(at, at + SLICE_BYTES)))
      }
    },
    endMarks: () => endMarks,
    async close() {
      if (socket.destroyed) return
      const gone = once(socket, 'close')
      const timer = setTimeout(() => socket.destroy(), CLOSING)
      socket.end()
      await gone
      clearTimeout(timer)
    }
  }
}
