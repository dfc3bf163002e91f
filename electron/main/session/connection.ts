/** Connecting a business, and forgetting it: the token goes from the manager's hand to the system's encryption. */
import { err, ok, type Result } from '../../contract/failure.ts'
import type { Account } from '../../contract/loyalty.ts'
import type { Mode, Notice } from '../../contract/till.ts'
import type { AccountClient, Credentials, Session } from './session.ts'

/** Where the connection is kept. */
export interface ConnectionStore<Sealed> {
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
export async function saveCandidate<Service extends AccountClient, Sealed>(
  session: Session<Service>,
  memory: ConnectionStore<Sealed>,
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
async function connectWithoutCheck<Service extends AccountClient, Sealed>(
  session: Session<Service>,
  memory: ConnectionStore<Sealed>,
  credentials: Credentials
): Promise<boolean> {
  const sealing = await memory.seal(credentials.token, false)
  const token = sealing.kind === 'sealed' ? sealing.sealed : null
  memory.keep({ baseUrl: credentials.baseUrl, token, business: null })
  session.use(credentials)
  return token !== null
}

/* from starting.ts: How a till finds its service at start: the stored token, or the environment at the very first start. */

/** What is known when the till starts. */
interface StartingPoint<Sealed> {
  readonly mode: Mode
  readonly baseUrl: string | null
  readonly sealedToken: Sealed | null
  /** from the environment; null when it asks for nothing */
  readonly provisioning: Credentials | null
}

/** What starting needs of the rest. */
interface StartingHelp<Sealed> {
  readonly memory: ConnectionStore<Sealed>
  /** The token, or null when this system cannot decrypt it. */
  readonly openSealed: (sealed: Sealed) => Promise<string | null>
  readonly parseBaseUrl: (text: string) => Result<string>
}

/**
 * Gives the session what it had when the till was closed.
 * @returns what a person should know of it, or null
 */
export async function restoreConnection<Service extends AccountClient, Sealed>(
  session: Session<Service>,
  from: StartingPoint<Sealed>,
  help: StartingHelp<Sealed>
): Promise<Notice | null> {
  if (from.mode === 'onboarding' && from.provisioning) {
    const address = help.parseBaseUrl(from.provisioning.baseUrl)
    if (!address.ok) return { kind: 'provisioning-failed', failure: address.failure }
    const kept = await connectWithoutCheck(session, help.memory, {
      ...from.provisioning,
      baseUrl: address.value
    })
    return kept ? null : { kind: 'token-not-kept' }
  }
  if (from.baseUrl === null) return null
  const token =
    from.sealedToken === null
      ? // Kept nowhere but in the environment, since this system offers no encryption.
        (from.provisioning?.token ?? null)
      : await help.openSealed(from.sealedToken)
  session.use(token === null ? null : { baseUrl: from.baseUrl, token })
  return token === null ? { kind: 'token-unreadable' } : null
}
