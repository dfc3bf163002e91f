import { runtime } from '../runtime.ts'
import { strict } from '../strict.ts'
import { ClientRequest } from './client-request.ts'
import { defaultSession } from './session.ts'

/** Electron's `net`. */
export const net = strict('net', {
  fetch: (input: string | URL | Request, init?: RequestInit): Promise<Response> =>
    defaultSession.fetch(input, init),
  /** A network of its own has a test's till: loopback. */
  isOnline: (): boolean => true,
  request(options: object): ClientRequest {
    if (!runtime.ready) throw new Error('net module can only be used after app is ready')
    return new ClientRequest(options)
  }
})
