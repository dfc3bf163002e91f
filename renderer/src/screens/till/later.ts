/** What the counter shows once somebody works at it, or as a till is set up: fetched before the first paint only there. */
import type { TillSettings } from '../../../../electron/contract/settings.ts'
import { COMPACT, TOUCH } from '../../state/screen-size.ts'
import { whenWanted, type Fetched } from '../../wanted/when-wanted.svelte.ts'

export const CHOSEN_CUSTOMER = whenWanted(() => import('./ChosenCustomer.svelte'))
export const FIND_RESULTS = whenWanted(() => import('./CustomerSearchResults.svelte'))
export const REGISTER_FORM = whenWanted(() => import('./RegistrationForm.svelte'))
export const RECENT_CUSTOMERS = whenWanted(() => import('./RecentCustomers.svelte'))
export const ISSUE_MESSAGES = whenWanted(() => import('./IssueMessages.svelte'))
export const SLIP_STATUS = whenWanted(() => import('./CompactSlipStatus.svelte'))
export const LAST_COPY = whenWanted(() => import('./ReprintStatus.svelte'))
export const SLIP_OVERLAY = whenWanted(() => import('../../components/Overlay.svelte'))
/** on a small screen */
export const PRINT_BAR = whenWanted(() => import('./CompactPrintBar.svelte'), 'first')
/** where numbers are typed on the screen */
export const NUMBER_PAD = whenWanted(() => import('./TillNumberPad.svelte'), 'first')
/** where points follow from a bill */
export const AMOUNT_FIELD = whenWanted(() => import('./AmountField.svelte'), 'first')
/** once there is a bill */
export const BILL_OUTCOME = whenWanted(() => import('./BillOutcome.svelte'))

/** Whether numbers are typed on the screen: as the settings say, or where a finger points. */
export const isPadWanted = ({ numberPad }: TillSettings): boolean =>
  numberPad === 'shown' || (numberPad === 'auto' && TOUCH.current)

/** What of this a counter with these settings draws at once. */
export const drawnFirstAtCounter = (settings: TillSettings): readonly Fetched[] => [
  ...(COMPACT.current ? [PRINT_BAR] : []),
  ...(isPadWanted(settings) ? [NUMBER_PAD] : []),
  ...(settings.pointsRule ? [AMOUNT_FIELD] : [])
]
