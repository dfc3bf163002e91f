/**
 * A proxy between a program and its PostgreSQL that counts the messages which commit, and can kill the program at one: before
 * the message reaches the server, or when the answer to it has come and the program does not have it.
 */
import type { ChildProcess } from 'node:child_process'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { LOOPBACK } from '../loopback.ts'

/** A message that commits, counted from 0 over all connections, and on which side of it a program is killed. */
export interface CommitPoint {
  readonly index: number
  readonly side: 'before' | 'after'
}

/** A text that ends with a zero byte. */
const textAt = (message: Buffer, at: number): string =>
  message.toString('latin1', at, Math.max(at, message.indexOf(0, at)))

const READS = /^\s*SELECT/

/** What a client of PostgreSQL says on one connection (PostgreSQL documentation, 55.7), and which of it commits. */
class ClientMessages {
  #rest: Buffer = Buffer.alloc(0)
  #isStarted = false
  #isInTransaction = false
  readonly #statements = new Map<string, string>()
  #bound = ''

  #commits(message: Buffer): boolean {
    const type = message.toString('latin1', 0, 1)
    if (type === 'P') this.#statements.set(textAt(message, 5), textAt(message, message.indexOf(0, 5) + 1))
    if (type === 'B') this.#bound = this.#statements.get(textAt(message, message.indexOf(0, 5) + 1)) ?? ''
    if (type === 'S') return !this.#isInTransaction && !READS.test(this.#bound)
    if (type !== 'Q') return false
    const text = textAt(message, 5)
    if (text === 'BEGIN') this.#isInTransaction = true
    else if (text === 'COMMIT' || text === 'ROLLBACK') this.#isInTransaction = false
    else return !this.#isInTransaction && !READS.test(text)
    return text === 'COMMIT'
  }

  /** Returns the whole messages, each with whether it commits. The first one has no type. */
  *push(chunk: Buffer): Generator<{ readonly message: Buffer; readonly commits: boolean }> {
    this.#rest = Buffer.concat([this.#rest, chunk])
    for (;;) {
      const lengthAt = this.#isStarted ? 1 : 0
      if (this.#rest.length < lengthAt + 4) return
      const end = lengthAt + this.#rest.readInt32BE(lengthAt)
      if (this.#rest.length < end) return
      const message = this.#rest.subarray(0, end)
      this.#rest = this.#rest.subarray(end)
      yield { message, commits: this.#isStarted && this.#commits(message) }
      this.#isStarted = true
    }
  }
}

export class CommitProxy {
  readonly #target: URL
  readonly #server: Server
  readonly #open = new Set<Socket>()
  #kill: (CommitPoint & { readonly program: ChildProcess }) | null = null
  #commits = 0

  private constructor(target: string) {
    this.#target = new URL(target)
    this.#server = createServer((client) => this.#forward(client))
  }

  /** Starts a proxy to the database of an address. */
  static async start(target: string): Promise<CommitProxy> {
    const proxy = new CommitProxy(target)
    await new Promise<void>((resolve) => proxy.#server.listen(0, LOOPBACK, resolve))
    return proxy
  }

  /** the address of the database through this proxy */
  get url(): string {
    const url = new URL(this.#target)
    url.port = String((this.#server.address() as AddressInfo).port)
    return url.href
  }

  /** messages that committed so far */
  get commits(): number {
    return this.#commits
  }

  /** Kills a program that has not connected yet when it comes to a point. */
  killAt(program: ChildProcess, point: CommitPoint): void {
    this.#kill = { ...point, program }
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #forward(client: Socket): void {
    const server = connect(Number(this.#target.port), this.#target.hostname)
    const messages = new ClientMessages()
    let isAnswerKept = false
    client.on('data', (chunk: Buffer) => {
      for (const { message, commits } of messages.push(chunk)) {
        const kill = commits && this.#kill?.index === this.#commits ? this.#kill : null
        if (commits) this.#commits += 1
        if (kill?.side === 'before') {
          kill.program.kill('SIGKILL')
          return
        }
        server.write(message)
        isAnswerKept ||= kill !== null
      }
    })
    server.on('data', (chunk: Buffer) => {
      if (isAnswerKept) this.#kill?.program.kill('SIGKILL')
      else client.write(chunk)
    })
    for (const [one, other] of [
      [client, server],
      [server, client]
    ] as const) {
      this.#open.add(one)
      one.once('close', () => {
        this.#open.delete(one)
        other.destroy()
      })
      // An error on one side closes the other.
      one.on('error', () => other.destroy())
    }
  }
}
