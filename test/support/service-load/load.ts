/** Load on a service, from a process of its own. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** What is sent, in turn, over how many connections. */
export interface Load {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** requests that come in a second, whatever the answers do; null: each connection sends as soon as it may */
  readonly perSecond: number | null
  /** customers among whom one collects */
  readonly customers: number
  readonly requests: readonly { readonly kind: string; readonly request: string }[]
}

export interface Answered {
  /** how long each answer took, by its kind; with a rate, from the moment on at which the request was due */
  readonly ms: Readonly<Record<string, readonly number[]>>
  /** requests that were not taken */
  readonly refused: number
  readonly seconds: number
}

/** The process that sends. */
export class LoadGenerator {
  readonly #process = fork(join(import.meta.dirname, 'generator-process.ts'), { execArgv: [] })

  /** Resolves when the last answer came. Rejects when the process ended before. */
  async send(load: Load): Promise<Answered> {
    const answering = new AbortController()
    const { signal } = answering
    this.#process.send(load)
    const ended = once(this.#process, 'exit', { signal }).then(() => {
      throw new Error('The load generator ended')
    })
    const [answered] = (await Promise.race([once(this.#process, 'message', { signal }), ended])) as [Answered]
    answering.abort()
    return answered
  }

  close(): void {
    this.#process.disconnect()
  }
}

/** An HTTP/1.1 request, as text. */
export const httpRequest = (method: string, path: string, headers: readonly string[], body = ''): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...headers,
    `Content-Length: ${String(body.replaceAll(/\{\w+\}/g, '0000000').length)}`,
    '',
    body
  ].join('\r\n')
