/** The pending items of a batch, derived from the journal each time instead of cached. */
import { canPrint, type Batch } from '../../contract/slips.ts'
import type { BatchItem } from './journal/batch-table.ts'
import type { SlipRequest } from './journal/slip-table.ts'

/** One slip of a batch to request. */
export type BatchItemRequest = NonNullable<SlipRequest['batch']>

/** Returns whether the outcome of a slip is unknown, or was when it was discarded. */
const isUnknown = ({ state, hasCode }: BatchItem): boolean =>
  state === 'unknown' || (state === 'discarded' && !hasCode)

/**
 * Returns the items to request, in order of their positions: never requested, refused, or requested with a response
 * that is not on disk yet.
 *
 * @param includeUnknown also those with an unknown outcome
 */
export function itemsToRequest(
  { batchId, count }: Pick<Batch, 'batchId' | 'count'>,
  items: readonly BatchItem[],
  includeUnknown: boolean
): BatchItemRequest[] {
  const byPosition = new Map(items.map((item) => [item.position, item]))
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((position): BatchItemRequest[] => {
    const item = byPosition.get(position)
    if (item === undefined) return [{ batchId, position, attempt: 1 }]
    // The same intent again: the issuer still holds its response, and calls no service.
    if (item.state === 'requested') return [{ batchId, position, attempt: item.attempt }]
    if (item.state === 'refused' || (includeUnknown && isUnknown(item))) {
      return [{ batchId, position, attempt: item.attempt + 1 }]
    }
    return []
  })
}

/** Returns the intents with an unknown outcome that no cashier discarded. */
export const unknownIntents = (items: readonly BatchItem[]): string[] =>
  items.filter(({ state }) => state === 'unknown').map(({ intentId }) => intentId)

/** Returns the intents with a code that were never sent to a printer. */
export const unsentIntents = (items: readonly BatchItem[]): string[] =>
  items.filter(({ state }) => state === 'issued').map(({ intentId }) => intentId)

/** Returns the intents with a code that are not printed, whether it was tried or not. */
export const unprintedIntents = (items: readonly BatchItem[]): string[] =>
  items.filter(canPrint).map(({ intentId }) => intentId)
