import { groupedCode } from '../../../../electron/contract/code-groups.ts'
import { deliveryLabel, type Output } from '../../../../electron/contract/printing.ts'
import { canReprint, slipLabel, type Slip, type SlipState } from '../../../../electron/contract/slips.ts'
import { formatNumber, pluralArguments } from '../../format/numbers.ts'
import { m } from '../../i18n/messages.ts'
import { creditTitle, slipTitle } from '../../i18n/status-messages.ts'
import { TYPING_PAUSE_MS } from '../../state/announcer.svelte.ts'
import type { AppContext } from '../../state/app-context.svelte.ts'
import type { Checkout } from '../../state/checkout.svelte.ts'
import type { CustomerSearch } from '../../state/customer-search.svelte.ts'
import type { Reprint } from '../../state/issued-slips.svelte.ts'

/** The states of a slip that is on its way, or that an alert tells of. */
const UNTOLD: readonly SlipState[] = ['requested', 'issued', 'printing', 'print-failed', 'unknown', 'refused']

/** Returns what a search found; null while it runs, and for a code, which has a card of its own. */
export function foundSentence(search: CustomerSearch): string | null {
  const { result } = search
  if (!search.complete || !result || result.code) return null
  const count = result.customers.length
  return count > 0
    ? [m.customersFound(pluralArguments(count)), result.isOld ? m.searchOld() : ''].join(' ').trim()
    : m.noCustomerWith({ text: result.phone?.display ?? result.text })
}

/**
 * Returns whether the last copy of `target` was printed, saved or handed over; null if none was. `to` is where printouts go.
 */
export function reprintSentence(
  reprint: Pick<Reprint, 'failureOf' | 'doneFor'>,
  target: string,
  to: Output
): string | null {
  if (target === 'last' && reprint.failureOf('last')?.kind === 'not-found') return m.noSlipToReprint({ to })
  const slip = reprint.doneFor(target)
  if (!slip?.code || !canReprint(slip)) return null
  const code = groupedCode(slip.code)
  return slip.lastCopy
    ? m.copyDelivered({
        status: deliveryLabel(slip.lastCopy.destination),
        number: formatNumber(slip.lastCopy.number),
        code
      })
    : m.slipDelivered({ status: deliveryLabel(slip.destination), code })
}

const deliveredSentence = (slip: Slip): string | null =>
  UNTOLD.includes(slip.state)
    ? null
    : m.labelled({ label: slipTitle(slip), text: m.slipState({ state: slipLabel(slip) }) })

/** Says the steps of a sale, each in one sentence, on any screen. Failures are alerts. */
export function announceSale({ announcer, till }: AppContext, checkout: Checkout): void {
  const { form, reprint, search } = checkout
  announcer.follow(() => foundSentence(search), TYPING_PAUSE_MS)
  announcer.follow(() => {
    const { customer } = form
    if (!customer) return null
    const name = customer.name || m.noName()
    return customer.balance === null
      ? name
      : m.customerHasPoints({ ...pluralArguments(customer.balance), name })
  })
  announcer.follow(() => form.last && deliveredSentence(form.last.slip))
  announcer.follow(() => form.credited && creditTitle(form.credited))
  announcer.follow(() => reprint.target && reprintSentence(reprint, reprint.target, till.output))
}
