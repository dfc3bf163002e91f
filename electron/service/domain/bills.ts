/** What a till says that points were calculated with, for the owner's preview of other rules. */
import * as v from 'valibot'
import { MAX_GROUPS, MAX_RULE_NAME_LENGTH } from '../../contract/earning-rules.ts'
import { amountSchema, type BillAmounts } from '../../contract/points-calculation.ts'

const amount = v.message(amountSchema, 'body-malformed')

const name = v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_RULE_NAME_LENGTH), v.excludes('\0'))

const groupSchema = v.message(v.object({ name, amount }), 'body-malformed')

/** A bill in a body: its amount, what of it are goods of groups, in the currency of the rules, and the customer's level. */
export const billSchema = v.object(
  {
    amount,
    groups: v.optional(
      v.pipe(v.array(groupSchema, 'body-malformed'), v.maxLength(MAX_GROUPS, 'body-malformed'))
    ),
    level: v.optional(v.message(name, 'body-malformed'))
  },
  'body-malformed'
)

const storedSchema = v.pipe(v.string(), v.parseJson(), billSchema)

/** Parses the text of a bill that is stored. Throws for what no till has sent. */
export const parseBill = (text: string): BillAmounts => {
  const { amount: whole, groups, level } = v.parse(storedSchema, text)
  return { amount: whole, ...(groups && { groups }), ...(level !== undefined && { level }) }
}

/** What the points of a code or a credit were calculated with, as its till has said. */
export interface CalculatedWith {
  /** version of the shop's rules; null: another rule, or none */
  readonly rules?: number | null
  /** as JSON: see `billSchema`; null without a bill */
  readonly bill?: string | null
}
