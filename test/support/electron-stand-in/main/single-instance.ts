import { spawnSync } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The message from a second process to the holder of the lock. */
interface SecondInstance {
  readonly argv: string[]
  readonly cwd: string
  readonly additionalData: unknown
}

/** Milliseconds that a second process waits for the reply of the holder before it takes the lock over. */
const PATIENCE = 20_000

/**
 * The lock of one user-data folder, kept as Chromium keeps it: a symbolic link that names the holder, and a socket
 * through which later processes hand over their command line.
 */
class SingleInstance {
  #server: Server | undefined
  #links: string[] = []
  #onSecond: (second: SecondInstance) => void = () => undefined

  onSecondInstance(handler: (second: SecondInstance) => void): void {
    this.#onSecond = handler
  }

  held(): boolean {
    return this.#server !== undefined
  }

  /** @returns true when this process now holds the lock; false when another one does, which has received the message */
  request(folder: string, message: SecondInstance): boolean {
    if (this.held()) return true
    try {
      mkdirSync(folder, { recursive: true })
    } catch {
      return false
    }
    const lock = join(folder, 'SingletonLock')
    const socket = join(folder, 'SingletonSocket')
    for (;;) {
      try {
        symlinkSync(`${hostname()}-${process.pid}`, lock)
        break
      } catch (error) {
        // As in Chromium: a process that cannot write the lock does not hold it.
        if (!isExists(error)) return false
      }
      if (isAlive(lock) && tell(socket, message)) return false
      // The holder is gone or does not reply: its lock is no longer valid.
      rmSync(lock, { force: true })
      rmSync(socket, { force: true })
    }
    this.#listen(socket)
    this.#links = [lock, socket]
    return true
  }

  release(): void {
    if (!this.#server) return
    this.#server.close()
    this.#server = undefined
    for (const link of this.#links) rmSync(link, { force: true })
  }

  #listen(link: string): void {
    const address = join(mkdtempSync(join(tmpdir(), 'tillpoints-instance-')), 'socket')
    const server = createServer((connection) => {
      let text = ''
      connection.setEncoding('utf8')
      connection.on('error', () => undefined)
      connection.on('data', (chunk: string) => {
        text += chunk
        if (!text.endsWith('\n')) return
        connection.end('received')
        this.#onSecond(JSON.parse(text) as SecondInstance)
      })
    })
    server.listen(address)
    server.unref()
    server.once('close', () => rmSync(dirname(address), { recursive: true, force: true }))
    process.once('exit', () => rmSync(dirname(address), { recursive: true, force: true }))
    rmSync(link, { force: true })
    symlinkSync(address, link)
    this.#server = server
  }
}

export const singleInstance = new SingleInstance()

function isExists(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

function isAlive(lock: string): boolean {
  try {
    process.kill(Number(/(\d+)$/.exec(readlinkSync(lock))?.[1]), 0)
    return lstatSync(lock).isSymbolicLink()
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Sends a message and waits for the reply. The API is synchronous, so a short-lived Node process does it. */
function tell(socket: string, message: SecondInstance): boolean {
  const script = `
    const connection = require('node:net').connect(process.argv[1])
    connection.on('error', () => process.exit(1))
    connection.on('data', () => process.exit(0))
    connection.on('close', () => process.exit(1))
    connection.write(require('node:fs').readFileSync(0))`
  const { status } = spawnSync(process.execPath, ['-e', script, socket], {
    input: `${JSON.stringify(message)}\n`,
    timeout: PATIENCE,
    stdio: ['pipe', 'ignore', 'ignore']
  })
  return status === 0
}
