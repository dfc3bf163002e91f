/** Codes that tills issue, with a key or without one. */
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import { expiryOfCode, type NewCode } from '../domain/codes.ts'
import { newCode } from '../domain/identifiers.ts'
import { CashierStore } from './cashiers.ts'
import { CodeStore } from './codes.ts'
import { KeyedAnswers, type KeyedRequest } from './keyed-answers.ts'
import type { LedgerDependencies, SaleDetails } from './ledger.ts'

/** What is issued. */
export interface NewCodeRequest {
  readonly points: number
  /** whether an image is asked for */
  readonly image: boolean
  /** id of the till that asks */
  readonly till: string
  /** days that the code can be collected */
  readonly codeValidityDays: number
}

/** What is issued once for its key. */
export interface KeyedIssueRequest extends KeyedRequest, Omit<NewCodeRequest, 'image'> {
  readonly sale: SaleDetails
}

const issuedSchema = v.object({
  code: v.string(),
  points: v.number(),
  createdAt: v.string(),
  expiresAt: v.string()
})

const MAX_ATTEMPTS = 5

export class CodeIssuer {
  readonly #dependencies: LedgerDependencies
  readonly #answers: KeyedAnswers
  readonly #codes: CodeStore

  constructor(dependencies: LedgerDependencies) {
    this.#dependencies = dependencies
    this.#answers = new KeyedAnswers(dependencies)
    this.#codes = new CodeStore(dependencies.database)
  }

  /** Issues a code. */
  issue(business: BusinessKey, request: NewCodeRequest): Promise<NewCode> {
    return this.#add(this.#blank(request), (code) => this.#codes.add(business, code))
  }

  /** Issues a code, once for each key. Rejects with a `Refusal` for a key that stood for another request. */
  async issueOnce(request: KeyedIssueRequest): Promise<NewCode> {
    const { business, points, sale } = request
    const asked = ['issue', points, sale.reference]
    const issued = await this.#answers.once(request, asked, issuedSchema, async (keep) => {
      const answer = await this.#dependencies.database.transaction(async (queries) => {
        const cashier =
          sale.cashier === null ? null : await new CashierStore(queries).keyOf(business.key, sale.cashier)
        const codes = new CodeStore(queries)
        const { reference, rules = null, bill = null } = sale
        const blank = { ...this.#blank({ ...request, image: false }), cashier, reference, rules, bill }
        const { code, createdAt, expiresAt } = await this.#add(blank, (each) =>
          codes.insert(business.key, each)
        )
        const made = { code, points, createdAt, expiresAt }
        await keep(queries, made)
        return made
      })
      return { answer }
    })
    return { ...issued, image: false, updatedAt: issued.createdAt }
  }

  #blank({ points, image, till, codeValidityDays }: NewCodeRequest): Omit<NewCode, 'code'> {
    const at = this.#dependencies.now()
    const createdAt = at.toISOString()
    const expiresAt = expiryOfCode(at, codeValidityDays)
    return { points, image, createdAt, updatedAt: createdAt, expiresAt, till }
  }

  /** Stores a code that no business has yet. Two equal codes of 60 random bits are rare but possible. */
  async #add(blank: Omit<NewCode, 'code'>, add: (code: NewCode) => Promise<boolean>): Promise<NewCode> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const code = { ...blank, code: newCode(this.#dependencies.random) }
      if (await add(code)) return code
    }
    throw new Error(`${MAX_ATTEMPTS} generated codes existed already: the random source is broken`)
  }
}
