import { formatNumber } from '../format/numbers.ts'
import { points as pointsOf } from './common.ts'

export const findCustomer = (): string => 'Find customer'
export const findHint = (): string => 'Phone, name, e-mail, or scan a code'
export const results = (): string => 'Results'
export const customersFound = ({ count }: { count: number }): string =>
  count === 1 ? '1 customer found' : `${String(count)} customers found`
export const noCustomerWith = ({ text }: { text: string }): string => `No customer with ${text}.`
export const registerCustomer = (): string => 'Register customer'
export const newCustomer = (): string => 'New customer'
export const register = (): string => 'Register'
export const registering = (): string => 'Registering'
export const existedAlready = (): string => 'This phone is registered already. Here is its customer.'
export const registered = (): string => 'Registered.'
export const phoneHint = (): string => 'As the customer says it; the country is added'

export const customer = (): string => 'Customer'
export const clearCustomer = (): string => 'Clear customer'
export const noCustomerChosen = (): string => 'No customer chosen'
export const noCustomerHint = (): string => 'Find one above, or print a slip for whoever holds it.'

export const pointsField = (): string => 'Points'
export const pointsHint = (): string => 'Whole points, 1 to 9,999,999'
export const printSlip = (): string => 'Print slip'
export const printing = (): string => 'Printing'
export const typePoints = (): string => 'Type the points'
export const pointsAndBalance = ({ points, balance }: { points: number; balance: number }): string =>
  `${pointsOf({ points })} · balance ${formatNumber(balance)}`
export const pointsFor = ({ points, name }: { points: number; name: string }): string =>
  `${pointsOf({ points })} for ${name}`

export const unknownOutcome = (): string =>
  'We don’t know whether this code was made. No slip was printed, so nobody holds it. Issue again?'
export const issueAgain = (): string => 'Issue again'
export const leaveIt = (): string => 'Leave it'

export const slip = (): string => 'Slip'
export const showSlip = (): string => 'Show slip'
export const codeComesHere = (): string => 'The code comes here'
/** What stands on the slip itself. */
export const slipHeadline = (): string => 'Your points'
export const slipInstruction = (): string => 'Scan this code with your phone to collect them'
export const slipCodeLabel = (): string => 'or type in the code'
export const slipFor = (): string => 'For'
export const slipIssued = (): string => 'Issued'
export const copies = (): string => 'Copies'
export const reprintLast = (): string => 'Reprint last slip'
export const noSlipToReprint = (): string => 'This till has no slip to print again yet.'
export const copyPrinted = ({ number, code }: { number: number; code: string }): string =>
  `Copy ${String(number)} of ${code} is printed.`
export const amount = (): string => 'Amount'
export const amountHint = ({ sign }: { sign: string }): string => `The bill, in ${sign}`
export const pointsOfBill = (bill: { amount: string; rate: string; points: number }): string =>
  `${bill.amount} × ${bill.rate} = ${pointsOf(bill)}`
export const billBelowMinimum = ({ minimum }: { minimum: string }): string =>
  `Bills below ${minimum} give no points.`
export const billGivesNoPoints = (): string => 'This bill is too small for a point.'
export const billMalformed = (): string => 'Type the bill as 12.50 or 12,50, without grouping.'
export const troubleOf = ({ points, name }: { points: number; name: string | null }): string =>
  name ? pointsFor({ points, name }) : pointsOf({ points })
export const copyMissing = (): string => 'A copy did not print.'
export const moreTroubles = ({ count }: { count: number }): string =>
  count === 1 ? '1 more slip did not print.' : `${formatNumber(count)} more slips did not print.`
export const later = (): string => 'Later'
export const folderOnly = (): string => 'No printer chosen: slips go to a folder'
export const slipDidNotPrint = (): string => 'The slip did not print.'
export const slipKept = (): string => 'The code is kept: press Print now when it is mended.'
export const printNow = (): string => 'Print now'
