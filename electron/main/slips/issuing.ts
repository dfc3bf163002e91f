/**
 * Issuing points: the one path that must never go wrong. The order of its steps is the promise it keeps: the row
 * is on disk before the service is asked, the service is asked once, the code is on disk before paper moves.
 */
import { err, ok, MAX_POINTS, type Result, type Failure } from '../../contract/failure.ts'
import type { QrCode } from '../../contract/loyalty.ts'
import type { Slip } from '../../contract/slips.ts'
import { snapshotOf, scopeOf, type SlipBusiness } from './slip-document.ts'
import type { Journal, Request, SlipRows } from './journal/journal.ts'
import type { JournalRow } from './journal/rows.ts'
import { codePrefix, failureDetails, type Logger } from '../log/log.ts'

/** A press of Print slip, or one slip of a batch. */
export interface Intent {
  readonly intentId: string
  readonly points: number
  readonly customer: Slip['customer']
  readonly cashier: Slip['cashier']
  /** from 1 on */
  readonly papers: number
  readonly batch: Request['batch']
}

export interface IssuingParts {
  readonly journal: Journal
  /** `POST /qr`. Never repeated from here: the service has no way to recognise a second one. */
  readonly createQr: (points: number) => Promise<Result<QrCode>>
  readonly now: () => Date
  readonly log: Logger
}

export interface Issuing {
  /**
   * Takes an intent up to its code on disk. A second call with an intent id gives what the first came to and asks
   * nobody. Two calls at once with one intent id are the caller's to prevent. Throws as the journal does when the
   * disk fails.
   *
   * @param onCode called when the service answered with a code, before it is on disk: a slip of the same batch that is
   *   asked for now shares the commit
   */
  issue(intent: Intent, business: SlipBusiness, onCode?: () => void): Promise<Result<JournalRow>>
  /** Tries once more to write what the disk did not take. Throws as the journal does. */
  writeRest(): void
}

/** A write of one slip. */
type WriteSlip = (slips: SlipRows) => JournalRow

/** Whether so many points can be asked for: a whole number from 1 to the service's maximum. */
export function pointsFailure(points: number): Failure | null {
  if (!Number.isInteger(points))
    return { kind: 'invalid-input', field: 'points', fault: 'not-a-whole-number' }
  if (points < 1) return { kind: 'invalid-input', field: 'points', fault: 'below-one' }
  if (points > MAX_POINTS) return { kind: 'points-too-many', maximum: MAX_POINTS }
  return null
}

/** What an intent that has a row came to. A row without an answer is as unknown as one whose answer was lost. */
function outcomeOf(row: JournalRow): Result<JournalRow> {
  const { code, failure } = row.slip
  return code === null ? err(failure ?? { kind: 'unknown-outcome', cause: 'till-stopped' }) : ok(row)
}

/** Makes the issuing. */
export function createIssuing({ journal, createQr, now, log }: IssuingParts): Issuing {
  /** Answers that came while the disk failed: pressing again writes them, and does not ask for others. */
  const unwritten = new Map<string, Result<QrCode>>()

  const ask = async (intentId: string, points: number): Promise<Result<QrCode>> => {
    const asked = performance.now()
    let answer: Result<QrCode>
    try {
      answer = await createQr(points)
    } catch (error) {
      log.error('slip-answer-failed', { intentId, error })
      return err({ kind: 'unknown-outcome', cause: 'connection-lost' })
    }
    log.info('slip-answered', {
      intentId,
      milliseconds: Math.round(performance.now() - asked),
      ...(answer.ok ? { codeBegins: codePrefix(answer.value.code) } : failureDetails(answer.failure))
    })
    const carried = answer.ok ? answer.value.rewardPoints : null
    if (carried === null || carried === points) return answer
    // A code that carries other points than the paper would say must not be handed out.
    log.error('slip-points-differ', { intentId, points, carried })
    return err({ kind: 'unknown-outcome', cause: 'bad-response' })
  }

  /** The step that an answer is to its slip. */
  const stepFor =
    (intentId: string, answer: Result<QrCode>): WriteSlip =>
    (slips) => {
      if (answer.ok) {
        const { code, qrURL } = answer.value
        return slips.step(intentId, 'issued', { code, url: qrURL, issuedAt: now().toISOString() })
      }
      const { failure } = answer
      return slips.step(intentId, failure.kind === 'unknown-outcome' ? 'answer-lost' : 'refused', { failure })
    }

  const keep = async (
    { intentId, batch }: Pick<Intent, 'intentId' | 'batch'>,
    answer: Result<QrCode>
  ): Promise<Result<JournalRow>> => {
    unwritten.set(intentId, answer)
    const step = stepFor(intentId, answer)
    const row = batch === null ? step(journal) : await journal.together(step)
    unwritten.delete(intentId)
    return answer.ok ? ok(row) : err(answer.failure)
  }

  return {
    async issue(intent, business, onCode) {
      const { intentId, points, batch } = intent
      const row = journal.byIntent(intentId)
      if (row !== null) {
        const answer = unwritten.get(intentId)
        return answer === undefined ? outcomeOf(row) : keep(intent, answer)
      }
      const refusal = pointsFailure(points)
      if (refusal !== null) return err(refusal)
      if (business.slip.logo && business.logo !== null) journal.keepLogo(business.logo)
      const request = {
        ...intent,
        requestedAt: now().toISOString(),
        snapshot: snapshotOf(business),
        ...scopeOf(business)
      }
      // A cashier's slip waits for nobody else's; those of a batch share their commits.
      if (batch === null) journal.request(request)
      else await journal.together((slips) => slips.request(request))
      const answer = await ask(intentId, points)
      const kept = keep(intent, answer)
      if (answer.ok) onCode?.()
      return kept
    },
    writeRest() {
      for (const [intentId, answer] of unwritten) {
        stepFor(intentId, answer)(journal)
        unwritten.delete(intentId)
      }
    }
  }
}
