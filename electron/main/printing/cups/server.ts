/** Where this machine's CUPS server is. */
import type { Run } from '../run.ts'

export type CupsServer =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'network'; readonly host: string; readonly port: number }

const IPP_PORT = 631

/** Reads what `lpstat -H` prints: a socket's path, `host:port` or `[v6]:port`. */
export function parseServer(text: string): CupsServer | null {
  const server = text.trim()
  if (server.startsWith('/')) return { kind: 'socket', path: server }
  const parts = /^(?:\[([^\]]+)\]|([^:/\s]+))(?::(\d+))?$/.exec(server)
  const host = parts?.[1] ?? parts?.[2]
  return host === undefined
    ? null
    : { kind: 'network', host, port: parts?.[3] === undefined ? IPP_PORT : Number(parts[3]) }
}

/**
 * Asks CUPS's own library, so that the till speaks to the same server as every other program: it knows CUPS_SERVER,
 * client.conf and where this system keeps the local socket. Null when CUPS is not installed.
 */
export async function findServer(
  run: Run,
  environment: NodeJS.ProcessEnv,
  timeout: number
): Promise<CupsServer | null> {
  const { code, stdout } = await run('lpstat', ['-H'], { environment, timeout })
  return code === 0 ? parseServer(stdout) : null
}
