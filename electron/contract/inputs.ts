/** What the page may send with each call, parsed in main: the page is outside. Lengths are bounds, not rules. */
import * as v from 'valibot'
import type { CallGroups } from './bridge.ts'

const text = (most: number) => v.pipe(v.string(), v.maxLength(most))
const page = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000))
const intentId = v.pipe(v.string(), v.uuid())
const nothing = v.undefined()

/** ISO 3166-1 alpha-2, upper case. */
const country = v.pipe(v.string(), v.regex(/^[A-Z]{2}$/))
/** A BCP 47 tag, as far as a header may carry it. */
const language = v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{2,35}$/))

/** One schema per call, in the shape of the bridge. */
export const inputSchemas = {
  till: {
    state: nothing,
    practise: nothing,
    leavePractice: nothing,
    set: v.strictObject({
      language: v.exactOptional(language),
      country: v.exactOptional(v.nullable(country)),
      qrImageParameter: v.exactOptional(v.nullable(v.pipe(v.string(), v.regex(/^[\w.-]{1,64}$/))))
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
      customer: v.nullable(v.strictObject({ id: text(500), name: text(500) }))
    }),
    print: v.strictObject({ intentId }),
    list: v.strictObject({ offset: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
    attention: nothing,
    check: v.strictObject({ code: text(2000) })
  }
} as const satisfies {
  readonly [Group in keyof CallGroups]: {
    readonly [Call in keyof CallGroups[Group]]: v.GenericSchema
  }
}
