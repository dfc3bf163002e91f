/** Servers in processes of their own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A server on loopback. */
export interface Server {
  /** base address, with `/api` */
  readonly url: URL
  /** of the process */
  readonly pid: number
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
      pid: child.pid ?? 0,
      async close() {
        const ended = once(child, 'exit')
        child.kill()
        await ended
      }
    }
  }
  throw new Error(`${program} ended before it listened`)
}
