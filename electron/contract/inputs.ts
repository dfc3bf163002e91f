/** What the page may send with each call, parsed in main: the page is outside. Lengths are bounds, not rules. */
import * as v from 'valibot'
import { MAXIMUM_BATCH } from './batch.ts'
import type { CallGroups } from './bridge.ts'
import { counterDraftSchema } from './draft.ts'
import { SEARCH_BOXES } from './find.ts'
import { printerSettingsSchema } from './printing.ts'
import { copiesSchema, settingsChangeSchema } from './settings.ts'
import { slipPreviewInputSchema } from './slip-settings.ts'
import { SLIP_STATES } from './till.ts'

const text = (most: number) => v.pipe(v.string(), v.maxLength(most))
/** A PIN as the page sends it: any short text. Whether it can be one, main says with a sentence. */
const pin = text(64)
const page = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000))
const intentId = v.pipe(v.string(), v.uuid())
const batchId = v.pipe(v.string(), v.uuid())
const offset = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000_000))
const nothing = v.undefined()

/** A day of the calendar, `YYYY-MM-DD`. */
const day = v.pipe(v.string(), v.isoDate())

const search = v.strictObject({
  text: v.exactOptional(text(500)),
  from: v.exactOptional(day),
  to: v.exactOptional(day),
  customerId: v.exactOptional(text(500)),
  cashierId: v.exactOptional(text(100)),
  states: v.exactOptional(v.pipe(v.array(v.picklist(SLIP_STATES)), v.maxLength(SLIP_STATES.length))),
  batchId: v.exactOptional(batchId)
})

/** Days of a report, the first one not after the last. */
const range = v.pipe(
  v.strictObject({ from: day, to: day }),
  v.check(({ from, to }) => from <= to)
)

/** One schema per call, in the shape of the bridge. */
export const inputSchemas = {
  till: {
    state: nothing,
    drawn: nothing,
    startTraining: nothing,
    leaveTraining: nothing,
    set: settingsChangeSchema,
    dismissNotice: v.strictObject({ index: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)) }),
    keepDraft: counterDraftSchema,
    draft: nothing
  },
  connection: {
    check: v.strictObject({ baseUrl: text(2000), token: text(8000) }),
    save: v.strictObject({ acceptUnencrypted: v.boolean() }),
    forget: nothing,
    refresh: nothing,
    tryNow: nothing
  },
  customers: {
    find: v.strictObject({ box: v.picklist(SEARCH_BOXES), text: text(500), page }),
    recent: nothing,
    list: v.strictObject({ page }),
    read: v.strictObject({ id: text(500) }),
    register: v.strictObject({ name: text(500), phone: text(100) })
  },
  rewards: {
    catalogue: nothing,
    read: nothing,
    stop: nothing,
    detail: v.strictObject({ id: text(500) })
  },
  slips: {
    issue: v.strictObject({
      intentId,
      /** checked by the issuing itself, which has a sentence for each fault */
      points: v.number(),
      customer: v.nullable(v.strictObject({ id: text(500), name: text(500) })),
      copies: v.exactOptional(copiesSchema)
    }),
    print: v.strictObject({ intentId }),
    reprint: v.strictObject({ intentId }),
    reprintLast: nothing,
    markGiven: v.strictObject({ intentId, note: v.exactOptional(text(200)) }),
    discard: v.strictObject({ intentId, reason: v.pipe(text(200), v.trim(), v.nonEmpty()) }),
    list: v.strictObject({ offset, search: v.exactOptional(search) }),
    exportCsv: v.strictObject({ search: v.exactOptional(search) }),
    report: range,
    printReport: range,
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
  },
  updates: {
    check: nothing,
    install: v.strictObject({ serving: v.boolean() })
  },
  diagnostics: {
    read: nothing,
    save: nothing
  },
  customerDisplay: {
    serving: v.nullable(v.strictObject({ customerId: text(500) })),
    screens: nothing,
    showNumbers: nothing,
    previews: nothing
  },
  staff: {
    lock: nothing,
    lockManager: nothing,
    active: nothing,
    unlock: v.strictObject({ cashierId: text(100), pin: v.nullable(pin) }),
    unlockManager: v.strictObject({ pin }),
    setManagerPin: v.strictObject({ current: v.nullable(pin), pin: v.nullable(pin) }),
    addCashier: v.strictObject({ name: text(500), pin: v.nullable(pin) }),
    changeCashier: v.strictObject({
      id: text(100),
      name: v.exactOptional(text(500)),
      pin: v.exactOptional(v.nullable(pin))
    }),
    removeCashier: v.strictObject({ id: text(100) }),
    reset: v.strictObject({ token: v.nullable(text(8000)) })
  },
  about: { read: nothing }
} as const satisfies {
  readonly [Group in keyof CallGroups]: {
    readonly [Call in keyof CallGroups[Group]]: v.GenericSchema
  }
}
