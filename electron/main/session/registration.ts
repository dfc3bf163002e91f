/** Registers customers, at the till and for programs. */
import type { Result } from '../../contract/failure.ts'
import { registerCustomer, type RegistrationInput, type RegistrationResult } from '../loyalty/customers.ts'
import type { Session } from './session.ts'

/**
 * Registers a customer, as `registerCustomer`. A service that refuses an empty name is remembered as one that requires names.
 */
export async function register(
  session: Pick<Session, 'ask' | 'owner' | 'isNameRequired' | 'requireName'>,
  input: Omit<RegistrationInput, 'isNameRequired'>
): Promise<Result<RegistrationResult>> {
  const { owner, isNameRequired } = session
  const registered = await session.ask((client) => registerCustomer(client, { ...input, isNameRequired }))
  const isRefused =
    !registered.ok &&
    registered.failure.kind === 'invalid-input' &&
    registered.failure.fault === 'required-by-service'
  if (isRefused && !isNameRequired && session.owner === owner) session.requireName()
  return registered
}
