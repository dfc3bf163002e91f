/** The queues that print the jobs of a queue: itself, the members of a class, or a queue of another CUPS behind it. */
import type { CupsClient, CupsQueue } from './cups-client.ts'
import { type IppAddress, IppError } from './ipp-server.ts'

/** A queue of another CUPS. */
export interface RemoteQueue {
  readonly address: Extract<IppAddress, { readonly kind: 'network' }>
  readonly isEncrypted: boolean
  readonly name: string
}

/** The ports of device URIs that name none. */
const PORTS: Readonly<Record<string, number>> = { 'ipp:': 631, 'ipps:': 631, 'http:': 80, 'https:': 443 }

/** Returns the text of a percent-encoded one; empty for what is none. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/**
 * Returns the queue that a device URI names, such as `ipp://print.example/printers/Receipt`; null where that is no queue of a
 * CUPS.
 */
export function remoteQueueOf(deviceUri: string): RemoteQueue | null {
  const url = URL.parse(deviceUri)
  const defaultPort = PORTS[url?.protocol ?? '']
  const [, path = ''] = /^\/(?:printers|classes)\/([^/]+)$/u.exec(url?.pathname ?? '') ?? []
  const name = decoded(path)
  if (url === null || defaultPort === undefined || name === '' || url.hostname === '') return null
  return {
    address: {
      kind: 'network',
      host: url.hostname.replace(/^\[(.*)\]$/u, '$1'),
      port: url.port === '' ? defaultPort : Number(url.port)
    },
    isEncrypted: url.protocol === 'ipps:' || url.protocol === 'https:',
    name
  }
}

type FindQueue = (name: string) => Promise<CupsQueue | undefined>

async function membersOf(queue: CupsQueue, find: FindQueue): Promise<readonly CupsQueue[]> {
  if (queue.members.length === 0) return [queue]
  const members = await Promise.all(queue.members.map(find))
  return members.filter((member) => member !== undefined)
}

/**
 * Returns the queues that print the jobs of `queue`. One without a driver sends them to another CUPS as they are, with their
 * options, so that the queue there decides their size. A server behind that one is not asked. Rejects with an `IppError`,
 * `unreachable` where the other CUPS does not respond.
 * @param find the queue of a name; undefined: there is none any more
 * @param connect the client of another CUPS
 */
export async function printersOf(
  queue: CupsQueue,
  find: FindQueue,
  connect: (remote: RemoteQueue) => Promise<CupsClient>
): Promise<readonly CupsQueue[]> {
  const printers = (await membersOf(queue, find)).map(async (printer) => {
    const remote = printer.media.length === 0 ? remoteQueueOf(printer.deviceUri) : null
    if (remote === null) return [printer]
    const client = await connect(remote)
    try {
      return await membersOf(await client.queue(remote.name), (name) => client.queue(name))
    } catch (error) {
      const isGone = error instanceof IppError && error.isServerGone
      throw isGone
        ? new IppError('unreachable', 'The print server behind the queue does not respond', error)
        : error
    }
  })
  return (await Promise.all(printers)).flat()
}
