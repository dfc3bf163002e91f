import { refuse, strict } from '../strict.ts'
import { netFetch } from './net.ts'
import { OpenRequests } from './open-requests.ts'
import { filterOf } from './web-request.ts'

/** What of a session in memory an app may use here: fetching through it, guarding that, dropping its connections. */
export interface Partition {
  readonly fetch: ReturnType<OpenRequests['through']>
  readonly webRequest: object
  closeAllConnections(): Promise<void>
  /** Rejects when the app cancels a request to this address. */
  _beforeRequest(url: string): Promise<void>
}

type Listener = (details: object, decide: (answer: { cancel?: boolean }) => void) => void

/** Asks the app before each request of one partition. Only cancelling is there. */
class Guard {
  #matches: (url: string) => boolean = () => false
  #listener: Listener | null = null

  readonly webRequest = strict('webRequest', {
    onBeforeRequest: (filter: unknown, listener: Listener): void => {
      this.#matches = filterOf(filter)
      this.#listener = listener
    }
  })

  async beforeRequest(url: string): Promise<void> {
    const listener = this.#listener
    if (listener === null || !this.#matches(url)) return
    const answer = await new Promise<{ cancel?: boolean }>((resolve) =>
      listener({ url, method: 'GET' }, resolve)
    )
    const unknown = Object.keys(answer).find((key) => key !== 'cancel')
    if (unknown !== undefined) refuse(`the answer '${unknown}' of webRequest.onBeforeRequest`)
    if (answer.cancel === true) throw new Error('net::ERR_BLOCKED_BY_CLIENT')
  }
}

const partitions = new Map<string, Partition>()

function makePartition(): Partition {
  const guard = new Guard()
  const open = new OpenRequests()
  const fetch = open.through(async (input, init?: RequestInit) => {
    await guard.beforeRequest(input instanceof Request ? input.url : String(input))
    return netFetch(input, init)
  })
  return strict('session', {
    fetch,
    webRequest: guard.webRequest,
    closeAllConnections: () => open.closeAll(),
    _beforeRequest: (url: string) => guard.beforeRequest(url)
  })
}

/**
 * Electron's `session.fromPartition` for sessions in memory: the same name gives the same session. No window may use
 * one here. Closing its connections ends the requests under way. Those that are idle are Node's, which never repeats a
 * request on a connection that broke: closing them would change nothing that could be seen.
 */
export function fromPartition(name: string): Partition {
  if (name === '' || name.startsWith('persist:')) refuse(`session.fromPartition('${name}')`)
  const partition = partitions.get(name) ?? makePartition()
  partitions.set(name, partition)
  return partition
}
