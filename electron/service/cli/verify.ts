/** `verify`: proves the ledger. */
import { LEDGER_CHECKS, verifyLedger } from '../store/verify.ts'
import type { ShopCommand } from './command.ts'

export const verifyCommand: ShopCommand = {
  name: 'verify',
  summary: 'Proves that every balance is the sum of its entries; exits with 1 otherwise.',
  run: async ({ database }) => {
    const faults = await verifyLedger(database)
    const lines = faults.map(
      ({ check, records, examples }) => `wrong: ${check}: ${records} records, such as ${examples.join(', ')}`
    )
    const text = faults.length === 0 ? LEDGER_CHECKS.map((check) => `right: ${check}`) : lines
    return { text: text.join('\n'), json: { faults }, exitCode: faults.length === 0 ? 0 : 1 }
  }
}
