/** What can be asked of the service with a key. A further operation is a further entry of `KINDS`. */
import { calculationSchema } from '../../contract/points-calculation.ts'
import * as v from 'valibot'
import { type OperationRefusal, ok, type Result } from '../../contract/failure.ts'
import type { OperationKind, UnansweredOperation } from '../../contract/operations.ts'
import type { OperationRow } from '../journal/operation-row.ts'
import { type SentCashier, sentCashierOf } from '../loyalty/sent-cashier.ts'
import type { BusinessClient } from '../session/current-business.ts'

/** What the service answered. */
export interface OperationAnswer {
  /** what the journal keeps, as the kind reads it */
  readonly kept: object
  /** id of whose balance it is; null: of none that is known */
  readonly customer: string | null
  /** their points afterwards; null: not known */
  readonly balance: number | null
  /** as the service sent it */
  readonly createdAt: string | null
}

interface OperationKindEntry {
  /** whether it cannot be sent once its customer is removed */
  readonly needsCustomer: boolean
  /** Returns what it is about. Parameters as of `send`. */
  describe(row: OperationRow, undone: OperationRow | null): Pick<UnansweredOperation, 'points' | 'subject'>
  /**
   * Sends it with its key. Throws for a row that the kind did not write.
   * @param undone the operation that it undoes; null: none
   */
  send(
    client: BusinessClient,
    row: OperationRow,
    undone: OperationRow | null
  ): Promise<Result<OperationAnswer>>
}

/** What is asked of a redemption. */
const redeemRequestSchema = v.object({
  reward: v.object({ id: v.string(), name: v.string() }),
  /** points */
  cost: v.number(),
  /** points as the cashier saw them; null: not known */
  balanceBefore: v.nullable(v.number())
})
export type RedeemOperation = v.InferOutput<typeof redeemRequestSchema>

const redeemAnswerSchema = v.object({
  /** the service's id of the redemption */
  id: v.string(),
  balance: v.nullable(v.number()),
  /** until when it is undone for a till, as the service sent it */
  reversibleUntil: v.nullable(v.string())
})

const creditAnswerSchema = v.object({
  ...redeemAnswerSchema.entries,
  /** points before, as the service sent them; null: not known */
  balanceBefore: v.nullable(v.number())
})

const reverseAnswerSchema = v.object({ balance: v.nullable(v.number()) })

/** What is asked of a credit. */
const creditRequestSchema = v.object({
  points: v.number(),
  /** by the shop's rules; none: the points were typed, or are by another rule */
  calculation: v.exactOptional(calculationSchema),
  /** by a manager at this till */
  isApproved: v.optional(v.boolean(), false),
  /** points as the cashier saw them; null: not known */
  balanceBefore: v.nullable(v.number())
})
export type CreditOperation = v.InferInput<typeof creditRequestSchema>

/** What is asked of a return: the purchase, named by one of three, and one of three parts of it. */
const returnRequestSchema = v.object({
  code: v.optional(v.string()),
  /** the service's id of the credit */
  credit: v.optional(v.string()),
  /** of the bill; the retention removes it */
  reference: v.optional(v.string()),
  points: v.optional(v.number()),
  amount: v.optional(v.object({ returned: v.string(), total: v.string() })),
  rest: v.optional(v.literal(true)),
  /** points that go back at most, as far as this till knew; null: not known */
  atMost: v.nullable(v.number())
})
export type ReturnOperation = v.InferOutput<typeof returnRequestSchema>

const returnAnswerSchema = v.object({
  /** that were taken back */
  points: v.number(),
  /** of the purchase, that did not go back yet */
  remaining: v.number(),
  /** the code, or the service's id of the credit, which a reference stands for; null: not told, as by earlier versions */
  purchase: v.optional(v.nullable(v.string()), null),
  /** points that it gave; null: not told */
  given: v.optional(v.nullable(v.number()), null),
  /** null: of a credit */
  codeStatus: v.nullable(v.picklist(['active', 'cancelled', 'used'])),
  balance: v.nullable(v.number())
})

/** Returns what a return asks. Throws a `ValiError` for another kind. */
export const returnRequestOf = (row: OperationRow): ReturnOperation =>
  v.parse(returnRequestSchema, row.request)

/** Returns the answer to a return; null without one. Throws a `ValiError` for another kind. */
export const returnAnswerOf = (row: OperationRow) => v.parse(v.nullable(returnAnswerSchema), row.answer)

/** Returns what a redemption asks. Throws a `ValiError` for another kind. */
export const redeemRequestOf = (row: OperationRow): RedeemOperation =>
  v.parse(redeemRequestSchema, row.request)

/** Returns the answer to a redemption; null without one. Throws a `ValiError` for another kind. */
export const redeemAnswerOf = (row: OperationRow) => v.parse(v.nullable(redeemAnswerSchema), row.answer)

/** Returns what a credit asks. Throws a `ValiError` for another kind. */
export const creditRequestOf = (row: OperationRow) => v.parse(creditRequestSchema, row.request)

/** Returns the answer to a credit; null without one. Throws a `ValiError` for another kind. */
export const creditAnswerOf = (row: OperationRow) => v.parse(v.nullable(creditAnswerSchema), row.answer)

/** Returns the service's id of an answered operation; undefined without an answer. */
export const answeredIdOf = (row: OperationRow) =>
  v.parse(v.nullable(v.object({ id: v.string() })), row.answer)?.id

/** Returns the answer to a reversal; null without one. Throws a `ValiError` for another kind. */
export const reverseAnswerOf = (row: OperationRow) => v.parse(v.nullable(reverseAnswerSchema), row.answer)

/** The customer spends points on a reward. */
const redeem: OperationKindEntry = {
  needsCustomer: true,
  describe(row) {
    const { reward, cost } = redeemRequestOf(row)
    return { points: cost, subject: reward.name }
  },
  async send(client, row) {
    const { reward, cost } = redeemRequestOf(row)
    const cashier = sentCashierOf(row)
    const answer = await client.redeem(row.key, {
      ...{ customer: row.customer?.id ?? '', reward: reward.id, cost },
      ...(cashier && { cashier })
    })
    if (!answer.ok) return answer
    const { id, balance, createdAt, reversibleUntil } = answer.value
    const customer = row.customer?.id ?? null
    return ok({ kept: { id, balance, reversibleUntil }, customer, balance, createdAt })
  }
}

/** A customer gets points. */
const credit: OperationKindEntry = {
  needsCustomer: true,
  describe: (row) => ({ points: creditRequestOf(row).points, subject: '' }),
  async send(client, row) {
    const { customer, reference } = row
    const { points, isApproved, calculation } = creditRequestOf(row)
    const sale = { reference, cashier: sentCashierOf(row), ...calculation }
    const asked = { customer: customer?.id ?? '', points, ...sale }
    const answer = await client.credit(row.key, { ...asked, ...(isApproved && { approved: true }) })
    if (!answer.ok) return answer
    const { id, balance, balanceBefore, createdAt, reversibleUntil } = answer.value
    const kept = { id, balance, balanceBefore, reversibleUntil }
    return ok({ kept, customer: asked.customer, balance, createdAt })
  }
}

/**
 * Returns the entry of what takes an operation back.
 * @param reversed the refusal that it was undone before: at another till, or on the service's pages
 */
const reversalOf = (
  undoneKind: OperationKindEntry,
  reversed: OperationRefusal,
  send: (
    client: BusinessClient,
    key: string,
    id: string,
    body: { readonly reason: string; readonly cashier?: SentCashier }
  ) => Promise<Result<Pick<OperationAnswer, 'balance' | 'createdAt'>>>
): OperationKindEntry => ({
  needsCustomer: false,
  describe: (_, undone) => (undone === null ? { points: 0, subject: '' } : undoneKind.describe(undone, null)),
  async send(client, row, undone) {
    const customer = row.customer?.id ?? null
    const cashier = sentCashierOf(row)
    const body = { reason: row.reason ?? '', ...(cashier && { cashier }) }
    const answer = await send(client, row.key, (undone && answeredIdOf(undone)) ?? '', body)
    if (answer.ok) {
      const { balance, createdAt } = answer.value
      return ok({ kept: { balance }, customer, balance, createdAt })
    }
    const { failure } = answer
    return failure.kind === 'operation-refused' && failure.reason === reversed
      ? ok({ kept: { balance: null }, customer, balance: null, createdAt: null })
      : answer
  }
})

/** Points of a purchase go back with the goods. */
const takeBack: OperationKindEntry = {
  needsCustomer: false,
  describe(row) {
    const { atMost, points, reference } = returnRequestOf(row)
    return { points: points ?? atMost ?? 0, subject: reference ?? row.reference ?? '' }
  },
  async send(client, row) {
    const { code, credit: id, reference, points, amount, rest } = returnRequestOf(row)
    const answer = await client.takeBack(row.key, {
      ...(code !== undefined && { code }),
      ...(id !== undefined && { credit: id }),
      ...(reference !== undefined && { reference }),
      ...(points !== undefined && { points }),
      ...(amount !== undefined && { amount }),
      ...(rest !== undefined && { rest }),
      reason: row.reason,
      cashier: sentCashierOf(row)
    })
    if (!answer.ok) return answer
    const {
      points: taken,
      remaining,
      purchase,
      given,
      codeStatus,
      customer,
      balance,
      createdAt
    } = answer.value
    const kept = { points: taken, remaining, purchase, given, codeStatus, balance }
    return ok({ kept, customer, balance, createdAt })
  }
}

const KINDS: Readonly<Record<OperationKind, OperationKindEntry>> = {
  redeem,
  reverse: reversalOf(redeem, 'redemption-reversed', (client, key, redemption, body) =>
    client.reverseRedemption(key, { redemption, ...body })
  ),
  credit,
  'reverse-credit': reversalOf(credit, 'credit-reversed', (client, key, id, body) =>
    client.reverseCredit(key, { credit: id, ...body })
  ),
  return: takeBack
}

/** Returns the entry of a row's kind. */
export const operationKind = ({ kind }: OperationRow): OperationKindEntry => KINDS[kind]
