/** What stands on the counter and is not issued yet. Main keeps it in memory, so that a page that crashes loses nothing. */
import * as v from 'valibot'
import { customerSchema } from './loyalty.ts'
import { LONGEST_TYPED, MAXIMUM_COPIES } from './till.ts'

/** Longest customer that is kept, as JSON; one of the service's has some hundred characters. */
const LONGEST_CUSTOMER = 20_000

const typed = v.pipe(v.string(), v.maxLength(LONGEST_TYPED))

export const counterDraftSchema = v.strictObject({
  /** of the form as it stands: the same press, also after a crash */
  intentId: v.pipe(v.string(), v.uuid()),
  /** whether Print slip was pressed for this intent, and what came of it is not settled yet */
  pressed: v.boolean(),
  customer: v.nullable(
    v.pipe(
      customerSchema,
      v.check((customer) => JSON.stringify(customer).length <= LONGEST_CUSTOMER)
    )
  ),
  /** as typed */
  points: typed,
  /** the bill as typed, where points follow from one */
  bill: typed,
  copies: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAXIMUM_COPIES))),
  /** what is looked for, as typed */
  search: typed,
  /** the form for a new customer, as typed; null while it is closed */
  registration: v.nullable(v.strictObject({ name: typed, phone: typed }))
})
/** The counter as the cashier left it. */
export type CounterDraft = Readonly<v.InferOutput<typeof counterDraftSchema>>
