/** Starts the slow service in a process of its own: what the till does must not hold it up. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import * as v from 'valibot'

const addressSchema = v.object({ port: v.number() })

/** A service on loopback. */
export interface SlowService {
  /** base address, with `/api` */
  readonly url: string
  close(): Promise<void>
}

/** Starts a service that answers each request `delay` milliseconds after it was asked. Rejects when it does not start. */
export async function startSlowService(delay: number): Promise<SlowService> {
  const child = fork(join(import.meta.dirname, 'slow-service.ts'), [String(delay)], { execArgv: [] })
  const message = new Promise<unknown>((resolve) => child.once('message', resolve))
  const address = await Promise.race([
    message,
    once(child, 'exit').then(() => {
      throw new Error('The service of the bench did not start')
    })
  ])
  return {
    url: `http://127.0.0.1:${v.parse(addressSchema, address).port}/api`,
    async close() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    }
  }
}
