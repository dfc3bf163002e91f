/** The rule by which points follow from a bill, as settings keep it. */
import * as v from 'valibot'
import { DECIMAL, ROUNDINGS } from './points-of-amount.ts'

const decimal = v.pipe(v.string(), v.regex(DECIMAL))

export const pointsRuleSchema = v.strictObject({
  /** points for one unit of the currency, such as `0.5` or `10`; above 0 */
  pointsPerUnit: v.pipe(decimal, v.regex(/[1-9]/)),
  rounding: v.picklist(ROUNDINGS),
  /** the smallest bill that earns points, such as `5` or `0` */
  minimum: decimal,
  /** ISO 4217, for showing amounts */
  currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/))
})

/** The rule, as settings keep it. */
export type PointsRule = v.InferOutput<typeof pointsRuleSchema>
