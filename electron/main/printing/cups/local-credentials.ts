/** How a program on the server's own machine shows CUPS which account it runs as, without a password (`cups_local_auth` of libcups). */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemUser } from './client-configuration.ts'

/** The certificate of root, which CUPS gives to the groups of its administrators. */
const rootCertificateFile = (environment: NodeJS.ProcessEnv): string =>
  join(environment['CUPS_STATEDIR'] ?? '/run/cups', 'certs/0')

/**
 * Resolves with the `Authorization` that answers a challenge of a server on this machine, or null. `PeerCred`, on the
 * domain socket: the server asks the system who is connected, and the name must be that of this account. `Local`: the
 * certificate of root, where the server asks for it and this account may read it.
 * @param challenge `WWW-Authenticate`, such as `Basic realm="CUPS", PeerCred, Local trc="y"`
 */
export async function localCredentials(
  challenge: string,
  { user, isSocket, environment }: LocalClient
): Promise<string | null> {
  if (isSocket && /(^|,)\s*PeerCred\b/iu.test(challenge) && user === systemUser()) return `PeerCred ${user}`
  if (!/(^|,)\s*Local\s+trc="y"/iu.test(challenge)) return null
  try {
    return `Local ${(await readFile(rootCertificateFile(environment), 'latin1')).trim()}`
  } catch {
    return null
  }
}

export interface LocalClient {
  readonly user: string
  /** whether it is connected by the domain socket */
  readonly isSocket: boolean
  readonly environment: NodeJS.ProcessEnv
}
