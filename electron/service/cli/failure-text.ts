/** What the command line says of an error. */
import { Refusal, type RefusalReason } from '../domain/refusal.ts'

/** The commands that help after a refusal. */
const HELPFUL_COMMANDS: Partial<Readonly<Record<RefusalReason, string>>> = {
  'reward-unknown': 'reward list',
  'till-unknown': 'till list',
  'staff-unknown': 'staff list',
  'phone-taken': 'customer merge',
  'ledger-wrong': 'verify'
}

/** Returns the message of an error, of a refusal with the command that helps: `There is no till x (see till list).` */
export const failureText = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error)
  const command = error instanceof Refusal ? HELPFUL_COMMANDS[error.reason] : undefined
  return command === undefined ? message : message.replace(/\.$/, ` (see ${command}).`)
}
