/** What can be asked of the service with a key. A further operation is a further entry of `KINDS`. */
import * as v from 'valibot'
import { type OperationRefusal, ok, type Result } from '../../contract/failure.ts'
import type { OperationKind, UnansweredOperation } from '../../contract/operations.ts'
import type { OperationRow } from '../journal/operation-row.ts'
import type { BusinessClient } from '../session/current-business.ts'

/** What the service answered. */
export interface OperationAnswer {
  /** what the journal keeps, as the kind reads it */
  readonly kept: object
  /** points of the customer afterwards; null: not known */
  readonly balance: number | null
  /** as the service sent it */
  readonly createdAt: string | null
}

interface OperationKindEntry {
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
  /** points as the cashier saw them; null: not known */
  balanceBefore: v.nullable(v.number())
})
export type CreditOperation = v.InferOutput<typeof creditRequestSchema>

/** Returns what a redemption asks. Throws a `ValiError` for another kind. */
export const redeemRequestOf = (row: OperationRow): RedeemOperation =>
  v.parse(redeemRequestSchema, row.request)

/** Returns the answer to a redemption; null without one. Throws a `ValiError` for another kind. */
export const redeemAnswerOf = (row: OperationRow) => v.parse(v.nullable(redeemAnswerSchema), row.answer)

/** Returns what a credit asks. Throws a `ValiError` for another kind. */
export const creditRequestOf = (row: OperationRow): CreditOperation =>
  v.parse(creditRequestSchema, row.request)

/** Returns the answer to a credit; null without one. Throws a `ValiError` for another kind. */
export const creditAnswerOf = (row: OperationRow) => v.parse(v.nullable(creditAnswerSchema), row.answer)

/** Returns the service's id of an answered operation; undefined without an answer. */
const answeredIdOf = (row: OperationRow) => v.parse(v.nullable(v.object({ id: v.string() })), row.answer)?.id

/** Returns the answer to a reversal; null without one. Throws a `ValiError` for another kind. */
export const reverseAnswerOf = (row: OperationRow) => v.parse(v.nullable(reverseAnswerSchema), row.answer)

/** The customer spends points on a reward. */
const redeem: OperationKindEntry = {
  describe(row) {
    const { reward, cost } = redeemRequestOf(row)
    return { points: cost, subject: reward.name }
  },
  async send(client, row) {
    const { reward, cost } = redeemRequestOf(row)
    const answer = await client.redeem(row.key, { customer: row.customer?.id ?? '', reward: reward.id, cost })
    if (!answer.ok) return answer
    const { id, balance, createdAt, reversibleUntil } = answer.value
    return ok({ kept: { id, balance, reversibleUntil }, balance, createdAt })
  }
}

/** A customer gets points. */
const credit: OperationKindEntry = {
  describe: (row) => ({ points: creditRequestOf(row).points, subject: '' }),
  async send(client, row) {
    const { customer, reference } = row
    const { points } = creditRequestOf(row)
    const asked = { customer: customer?.id ?? '', points, reference, cashier: null }
    const answer = await client.credit(row.key, asked)
    if (!answer.ok) return answer
    const { id, balance, balanceBefore, createdAt, reversibleUntil } = answer.value
    return ok({ kept: { id, balance, balanceBefore, reversibleUntil }, balance, createdAt })
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
    reason: string
  ) => Promise<Result<Pick<OperationAnswer, 'balance' | 'createdAt'>>>
): OperationKindEntry => ({
  describe: (_, undone) => (undone === null ? { points: 0, subject: '' } : undoneKind.describe(undone, null)),
  async send(client, row, undone) {
    const answer = await send(client, row.key, (undone && answeredIdOf(undone)) ?? '', row.reason ?? '')
    if (answer.ok) {
      const { balance, createdAt } = answer.value
      return ok({ kept: { balance }, balance, createdAt })
    }
    const { failure } = answer
    return failure.kind === 'operation-refused' && failure.reason === reversed
      ? ok({ kept: { balance: null }, balance: null, createdAt: null })
      : answer
  }
})

const KINDS: Readonly<Record<OperationKind, OperationKindEntry>> = {
  redeem,
  reverse: reversalOf(redeem, 'redemption-reversed', (client, key, redemption, reason) =>
    client.reverseRedemption(key, { redemption, reason })
  ),
  credit,
  'reverse-credit': reversalOf(credit, 'credit-reversed', (client, key, id, reason) =>
    client.reverseCredit(key, { credit: id, reason })
  )
}

/** Returns the entry of a row's kind. */
export const operationKind = ({ kind }: OperationRow): OperationKindEntry => KINDS[kind]
