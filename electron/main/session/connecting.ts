/** Connecting a business, and forgetting it: the token goes from the manager's hand to the system's encryption. */
import { err, ok, type Result } from '../../contract/failure.ts'
import type { Account } from '../../contract/loyalty.ts'
import type { AccountReader, Credentials, Session } from './session.ts'

/** Where the connection is kept. */
export interface ConnectionMemory<Sealed> {
  /** Encrypts the token, or says that this system offers no encryption. */
  readonly seal: (
    token: string,
    acceptWeak: boolean
  ) => Promise<{ readonly kind: 'sealed'; readonly sealed: Sealed } | { readonly kind: 'no-encryption' }>
  /** Keeps the connection; null for the token: it lasts until the till closes. */
  readonly keep: (connection: { baseUrl: string; token: Sealed | null; business: Account | null }) => void
  readonly forget: () => void
}

/** Saves the pair that was checked last: `not-connected` when none was, `no-encryption` unless accepted. */
export async function saveCandidate<Service extends AccountReader, Sealed>(
  session: Session<Service>,
  memory: ConnectionMemory<Sealed>,
  acceptUnencrypted: boolean
): Promise<Result<null>> {
  const { candidate } = session
  if (!candidate) return err({ kind: 'not-connected' })
  const { credentials, business } = candidate
  const sealing = await memory.seal(credentials.token, acceptUnencrypted)
  if (sealing.kind === 'no-encryption') return err({ kind: 'no-encryption' })
  memory.keep({ baseUrl: credentials.baseUrl, token: sealing.sealed, business })
  session.use(credentials)
  return ok(null)
}

/**
 * Connects with a pair from the environment, without asking anyone. The service is not asked first: a till may be
 * installed before its network is.
 * @returns false when the token could not be encrypted: it is used and not kept
 */
export async function provision<Service extends AccountReader, Sealed>(
  session: Session<Service>,
  memory: ConnectionMemory<Sealed>,
  credentials: Credentials
): Promise<boolean> {
  const sealing = await memory.seal(credentials.token, false)
  const token = sealing.kind === 'sealed' ? sealing.sealed : null
  memory.keep({ baseUrl: credentials.baseUrl, token, business: null })
  session.use(credentials)
  return token !== null
}
