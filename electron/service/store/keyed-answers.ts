/**
 * Operations of tills. Each request has a key that the till makes before it sends: a key that comes again gets the first
 * answer, whatever has happened since, so a till repeats a request whose answer was lost.
 */
import { hash } from 'node:crypto'
import * as v from 'valibot'
import type { StoredBusiness } from '../domain/businesses.ts'
import { Refusal, REFUSAL_REASONS } from '../domain/refusal.ts'
import type { Database, Queries } from './database.ts'

/** Who asks, with the key. */
export interface KeyedRequest {
  readonly business: Pick<StoredBusiness, 'key'>
  /** who makes the change, as in the ledger */
  readonly by: string
  readonly idempotencyKey: string
}

/** Writes the answer in the transaction of its change. */
export type Keep<Answer> = (queries: Queries, answer: Answer) => Promise<void>

/** What a change comes to. */
interface Outcome<Answer> {
  readonly answer: Answer
  /** it was done by an earlier request, whose answer may be another one */
  readonly isRepeated?: boolean | undefined
}

const MINUTE_MS = 60_000
/** Refused until the same request comes with a manager's approval: not the answer of its key. */
const UNKEPT_REFUSAL = 'credit-needs-approval'
/** Longer than a till can be without its service. */
const KEPT_DAYS = 400

const answerRow = v.object({
  request: v.string(),
  refusal: v.nullable(v.picklist(REFUSAL_REASONS)),
  answer: v.pipe(v.string(), v.parseJson())
})

const detailsSchema = v.record(v.string(), v.number())

/** Thrown in a transaction whose key was answered for before or meanwhile: nothing of it is done. */
class AnsweredBefore extends Refusal {
  constructor() {
    super('key-reused', 'This key was answered before.')
  }
}

export class KeyedAnswers {
  readonly #database: Database
  readonly #now: () => Date

  constructor({ database, now }: { readonly database: Database; readonly now: () => Date }) {
    this.#database = database
    this.#now = now
  }

  /**
   * Runs a change unless its key was answered, and returns the first answer. Rejects with the first `Refusal`, and with one
   * for a key that stood for another request.
   *
   * @param asked what the key stands for
   * @param schema parses an answer that was kept
   * @param change hands its answer to `keep` in its transaction, unless it was done before
   */
  async once<Answer>(
    { business, idempotencyKey }: KeyedRequest,
    asked: readonly (string | number | null)[],
    schema: v.GenericSchema<unknown, Answer>,
    change: (keep: Keep<Answer>) => Promise<Outcome<Answer>>
  ): Promise<Answer> {
    const key = hash('sha256', JSON.stringify([business.key, idempotencyKey]))
    const request = hash('sha256', JSON.stringify(asked))
    /** Resolves with whether it is the first answer. */
    const write = async (queries: Queries, refusal: string | null, answer: unknown): Promise<boolean> => {
      const kept = await queries.write(
        `INSERT INTO keyed_answers (key, request, refusal, answer, answered_at)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (key) DO NOTHING RETURNING key`,
        [key, request, refusal, JSON.stringify(answer), this.#now().toISOString()]
      )
      return kept.length > 0
    }
    let unkept: Refusal | undefined
    // Almost every key is new. That of an answer is found when the answer to it is written.
    try {
      const { answer, isRepeated } = await change(async (queries, made) => {
        if (!(await write(queries, null, made))) throw new AnsweredBefore()
      })
      if (isRepeated !== true) return answer
      // The change of this key without its answer.
      await write(this.#database, null, answer)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.reason === UNKEPT_REFUSAL) unkept = error
      else if (!(error instanceof AnsweredBefore)) await write(this.#database, error.reason, error.details)
    }
    const [row] = await this.#database.read(
      'SELECT request, refusal, answer FROM keyed_answers WHERE key = $1',
      [key]
    )
    if (row === undefined) throw unkept ?? new Error('an answer was not kept')
    const first = v.parse(answerRow, row)
    if (first.request !== request) throw new Refusal('key-reused', 'The key stood for another request.')
    if (first.refusal !== null)
      throw new Refusal(first.refusal, 'This was refused before.', v.parse(detailsSchema, first.answer))
    return v.parse(schema, first.answer)
  }

  /** Forgets refusals that no till asks for any more; what was done stays. Call now and then. */
  async clean(): Promise<void> {
    const before = new Date(this.#now().getTime() - KEPT_DAYS * 24 * 60 * MINUTE_MS)
    await this.#database.write('DELETE FROM keyed_answers WHERE refusal IS NOT NULL AND answered_at < $1', [
      before.toISOString()
    ])
  }
}
