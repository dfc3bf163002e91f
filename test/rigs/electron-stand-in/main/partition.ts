import { refuse, strict } from '../strict.ts'
import { net } from './net.ts'

/** What of a session in memory an app may use here: fetching through it, and dropping its connections. */
export interface Partition {
  readonly fetch: typeof net.fetch
  closeAllConnections(): Promise<void>
}

const partitions = new Map<string, Partition>()

/**
 * Electron's `session.fromPartition` for sessions in memory: the same name gives the same session. No window may use
 * one here. Its connections are those of Node's fetch, which never repeats a request on a connection that broke, so
 * closing them changes nothing that could be seen.
 */
export function fromPartition(name: string): Partition {
  if (name === '' || name.startsWith('persist:')) refuse(`session.fromPartition('${name}')`)
  const partition =
    partitions.get(name) ??
    strict('session', { fetch: net.fetch, closeAllConnections: (): Promise<void> => Promise.resolve() })
  partitions.set(name, partition)
  return partition
}
