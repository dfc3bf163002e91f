import { spawnSync } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** What a second process tells the one that holds the lock. */
export interface SecondInstance {
  readonly argv: string[]
  readonly cwd: string
  readonly additionalData: unknown
}

/** A second process waits this long (ms) for the first one's word before it takes the lock over. */
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

  /** @returns true when this process now holds the lock; false when another one does, and has been told */
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
        // As Chromium has it: who cannot write the lock does not hold it.
        if (!isExists(error)) return false
      }
      if (isAlive(lock) && tell(socket, message)) return false
      // The holder is gone or does not answer: its lock is worth nothing any more.
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
        connection.end('heard')
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

/** Hands a message over and waits for the answer. The API is synchronous, so a short-lived Node does the talking. */
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
