/** Servers in processes of their own, and how many requests a second they answer. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'

/** A server on loopback. */
export interface Server {
  /** base address, with `/api` */
  readonly url: URL
  close(): Promise<void>
}

/** Starts a program that says `listening on URL`. Rejects when it ends before that. */
export async function startServer(program: string, args: readonly string[]): Promise<Server> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface(child.stdout)) {
    const url = /^listening on (\S+)$/.exec(line)?.[1]
    if (url === undefined) continue
    return {
      url: new URL(url),
      async close() {
        const ended = once(child, 'exit')
        child.kill()
        await ended
      }
    }
  }
  throw new Error(`${program} ended before it listened`)
}

/** Connections that ask at once, each again as soon as it is answered. */
const CONNECTIONS = 32

/** The length of the only answer that a request gets, head and body. */
async function answerLength(url: URL, request: string): Promise<number> {
  const socket = connect(Number(url.port), url.hostname)
  socket.write(request)
  let answer = Buffer.alloc(0)
  for await (const chunk of socket) {
    if (!(chunk instanceof Buffer)) continue
    answer = Buffer.concat([answer, chunk])
    const end = answer.indexOf('\r\n\r\n')
    const length = /\r\ncontent-length: (\d+)/i.exec(answer.toString('latin1', 0, end))?.[1]
    if (end < 0 || length === undefined) continue
    const whole = end + 4 + Number(length)
    if (answer.byteLength >= whole) {
      if (!answer.toString('latin1').startsWith('HTTP/1.1 200 ')) break
      return whole
    }
  }
  throw new Error(`No good answer from ${url.href}: ${answer.toString('latin1').slice(0, 200)}`)
}

/**
 * Requests that a server answers in a second, asked for one path again and again over bare sockets: a client that
 * parses would be slower than the server.
 */
export async function requestsPerSecond(
  { url }: Server,
  path: string,
  token: string,
  milliseconds: number
): Promise<number> {
  const request =
    `GET ${url.pathname}${path} HTTP/1.1\r\nHost: ${url.host}\r\n` +
    `Authorization: Bearer ${token}\r\nAccept: application/json\r\n\r\n`
  const length = await answerLength(url, request)
  const bytes = Buffer.from(request)
  let answered = 0
  const sockets: Socket[] = []
  const begun = performance.now()
  const failed = new Promise<never>((_, reject) => {
    for (let count = 0; count < CONNECTIONS; count++) {
      const socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true })
      sockets.push(socket)
      let read = 0
      socket.on('error', reject)
      socket.on('data', (chunk) => {
        read += chunk.byteLength
        if (read < length) return
        read -= length
        answered += 1
        socket.write(bytes)
      })
      socket.write(bytes)
    }
  })
  const over = new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
  // To wake a client that sleeps takes the server's write as long as the rest of it, in a virtual machine above all; and the
  // slower a server is, the more often does its client fall asleep. So this one stays awake.
  let awake = setImmediate(function stay() {
    awake = setImmediate(stay)
  })
  try {
    await Promise.race([over, failed])
    return (answered * 1000) / (performance.now() - begun)
  } finally {
    clearImmediate(awake)
    for (const socket of sockets) socket.destroy()
  }
}
