/** What the page may send with each call, parsed in main: the page is outside. Lengths are bounds, not rules. */
import * as v from 'valibot'
import { MAXIMUM_BATCH } from './batch.ts'
import type { CallGroups } from './bridge.ts'
import { pointsRuleSchema } from './points-rule.ts'
import { printerSettingsSchema } from './printing.ts'
import { slipPreviewInputSchema, slipSettingsSchema } from './slip-settings.ts'
import { MAXIMUM_COPIES, SLIP_STATES } from './till.ts'

const text = (most: number) => v.pipe(v.string(), v.maxLength(most))
const page = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000))
const intentId = v.pipe(v.string(), v.uuid())
const batchId = v.pipe(v.string(), v.uuid())
const offset = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000_000))
const copies = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAXIMUM_COPIES))
const nothing = v.undefined()

/** ISO 3166-1 alpha-2, upper case. */
const country = v.pipe(v.string(), v.regex(/^[A-Z]{2}$/))
/** A BCP 47 tag, as far as a header may carry it. */
const language = v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{2,35}$/))

/** A day of the calendar, `YYYY-MM-DD`. */
const day = v.pipe(v.string(), v.isoDate())

const search = v.strictObject({
  text: v.exactOptional(text(500)),
  from: v.exactOptional(day),
  to: v.exactOptional(day),
  customerId: v.exactOptional(text(500)),
  states: v.exactOptional(v.pipe(v.array(v.picklist(SLIP_STATES)), v.maxLength(SLIP_STATES.length))),
  batchId: v.exactOptional(batchId)
})

/** One schema per call, in the shape of the bridge. */
export const inputSchemas = {
  till: {
    state: nothing,
    practise: nothing,
    leavePractice: nothing,
    set: v.strictObject({
      language: v.exactOptional(language),
      country: v.exactOptional(v.nullable(country)),
      qrImageParameter: v.exactOptional(v.nullable(v.pipe(v.string(), v.regex(/^[\w.-]{1,64}$/)))),
      printer: v.exactOptional(printerSettingsSchema),
      copies: v.exactOptional(copies),
      oneJob: v.exactOptional(v.boolean()),
      pointsRule: v.exactOptional(v.nullable(pointsRuleSchema)),
      slip: v.exactOptional(slipSettingsSchema)
    }),
    dismissNotice: v.strictObject({ index: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)) })
  },
  connection: {
    check: v.strictObject({ baseUrl: text(2000), token: text(8000) }),
    save: v.strictObject({ acceptUnencrypted: v.boolean() }),
    forget: nothing,
    refresh: nothing
  },
  customers: {
    find: v.strictObject({ text: text(500), page }),
    list: v.strictObject({ page }),
    read: v.strictObject({ id: text(500) }),
    register: v.strictObject({ name: text(500), phone: text(100) })
  },
  rewards: {
    list: v.strictObject({ page }),
    detail: v.strictObject({ id: text(500) })
  },
  slips: {
    issue: v.strictObject({
      intentId,
      /** checked by the issuing itself, which has a sentence for each fault */
      points: v.number(),
      customer: v.nullable(v.strictObject({ id: text(500), name: text(500) })),
      copies: v.exactOptional(copies)
    }),
    print: v.strictObject({ intentId }),
    reprint: v.strictObject({ intentId }),
    reprintLast: nothing,
    markGiven: v.strictObject({ intentId, note: v.exactOptional(text(200)) }),
    discard: v.strictObject({ intentId, reason: v.pipe(text(200), v.trim(), v.nonEmpty()) }),
    list: v.strictObject({ offset, search: v.exactOptional(search) }),
    exportCsv: v.strictObject({ search: v.exactOptional(search) }),
    attention: nothing,
    attentionList: v.strictObject({ offset }),
    check: v.strictObject({ code: text(2000) })
  },
  batches: {
    start: v.strictObject({
      batchId,
      /** checked by the issuing itself */
      points: v.number(),
      count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAXIMUM_BATCH)),
      oneJob: v.boolean()
    }),
    pause: v.strictObject({ batchId }),
    resume: v.strictObject({ batchId, issueUnknownAgain: v.boolean() }),
    cancel: v.strictObject({ batchId, unprinted: v.picklist(['print', 'discard']) }),
    printRest: v.strictObject({ batchId }),
    unfinished: nothing
  },
  printers: {
    list: nothing,
    printTestPage: printerSettingsSchema,
    preview: slipPreviewInputSchema
  }
} as const satisfies {
  readonly [Group in keyof CallGroups]: {
    readonly [Call in keyof CallGroups[Group]]: v.GenericSchema
  }
}
