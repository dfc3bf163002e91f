/** How a till finds its service at start: the stored token, or the environment at the very first start. */
import type { Result } from '../../contract/failure.ts'
import type { Mode, Notice } from '../../contract/till.ts'
import { provision, type ConnectionMemory } from './connecting.ts'
import type { AccountReader, Credentials, Session } from './session.ts'

/** What is known when the till starts. */
export interface StartingPoint<Sealed> {
  readonly mode: Mode
  readonly baseUrl: string | null
  readonly sealedToken: Sealed | null
  /** from the environment; null when it asks for nothing */
  readonly provisioning: Credentials | null
}

/** What starting needs of the rest. */
export interface StartingHelp<Sealed> {
  readonly memory: ConnectionMemory<Sealed>
  /** The token, or null when this system cannot decrypt it. */
  readonly openSealed: (sealed: Sealed) => Promise<string | null>
  readonly parseBaseUrl: (text: string) => Result<string>
}

/**
 * Gives the session what it had when the till was closed.
 * @returns what a person should know of it, or null
 */
export async function resume<Service extends AccountReader, Sealed>(
  session: Session<Service>,
  from: StartingPoint<Sealed>,
  help: StartingHelp<Sealed>
): Promise<Notice | null> {
  if (from.mode === 'onboarding' && from.provisioning) {
    const address = help.parseBaseUrl(from.provisioning.baseUrl)
    if (!address.ok) return { kind: 'provisioning-failed', failure: address.failure }
    const kept = await provision(session, help.memory, { ...from.provisioning, baseUrl: address.value })
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
