/**
 * Issuing points: the one path that must never go wrong. The order of its steps is the promise it keeps: the row
 * is on disk before the service is asked, the service is asked once, the code is on disk before paper moves.
 */
import { bad, good, MAXIMUM_POINTS, type Answer, type Failure } from '../../contract/failure.ts'
import type { QrCode } from '../../contract/loyalty.ts'
import type { Slip } from '../../contract/till.ts'
import { faceOf, scopeOf, type SlipBusiness } from './business.ts'
import type { Journal } from './journal/journal.ts'
import type { JournalRow } from './journal/row.ts'
import type { Log } from './log.ts'

/** A press of Print slip. */
export interface Intent {
  readonly intentId: string
  readonly points: number
  readonly customer: Slip['customer']
}

export interface IssuingParts {
  readonly journal: Journal
  /** `POST /qr`. Never repeated from here: the service has no way to recognise a second one. */
  readonly createQr: (points: number) => Promise<Answer<QrCode>>
  readonly now: () => Date
  readonly log: Log
}

/** Whether so many points can be asked for: a whole number from 1 to the service's maximum. */
function pointsFailure(points: number): Failure | null {
  if (!Number.isInteger(points))
    return { kind: 'invalid-input', field: 'points', fault: 'not-a-whole-number' }
  if (points < 1) return { kind: 'invalid-input', field: 'points', fault: 'below-one' }
  if (points > MAXIMUM_POINTS) return { kind: 'points-too-many', maximum: MAXIMUM_POINTS }
  return null
}

/** What an intent that has a row came to. A row without an answer is as unknown as one whose answer was lost. */
function outcomeOf(row: JournalRow): Answer<JournalRow> {
  const { state, failure } = row.slip
  if (state === 'refused' || state === 'unknown' || state === 'requested') {
    return bad(failure ?? { kind: 'unknown-outcome', cause: 'till-stopped' })
  }
  return good(row)
}

/**
 * Makes the issuing: takes an intent up to its code on disk. A second call with an intent id gives what the first
 * came to and asks nobody. Two calls at once with one intent id are the caller's to prevent. Throws as the journal
 * does when the disk fails.
 */
export function createIssuing({ journal, createQr, now, log }: IssuingParts) {
  /** Codes that came while the disk failed: pressing again writes them, and does not ask for others. */
  const unwritten = new Map<string, QrCode>()

  const ask = async (points: number): Promise<Answer<QrCode>> => {
    try {
      return await createQr(points)
    } catch (error) {
      log.error('Asking for a code failed in an unforeseen way', error)
      return bad({ kind: 'unknown-outcome', cause: 'connection-lost' })
    }
  }

  const keepCode = (intentId: string, { code, qrURL }: QrCode): JournalRow => {
    const row = journal.step(intentId, 'issued', { code, url: qrURL, issuedAt: now().toISOString() })
    unwritten.delete(intentId)
    return row
  }

  const keepFailure = (intentId: string, failure: Failure): Answer<never> => {
    journal.step(intentId, failure.kind === 'unknown-outcome' ? 'answer-lost' : 'refused', { failure })
    return bad(failure)
  }

  return async (intent: Intent, business: SlipBusiness): Promise<Answer<JournalRow>> => {
    const { intentId, points, customer } = intent
    const row = journal.byIntent(intentId)
    if (row !== null) {
      const code = unwritten.get(intentId)
      return code === undefined ? outcomeOf(row) : good(keepCode(intentId, code))
    }
    const refusal = pointsFailure(points)
    if (refusal !== null) return bad(refusal)

    const requestedAt = now().toISOString()
    journal.request({ intentId, points, customer, requestedAt, face: faceOf(business), ...scopeOf(business) })
    const answer = await ask(points)
    if (!answer.ok) return keepFailure(intentId, answer.failure)
    const { rewardPoints } = answer.value
    // A code that carries other points than the paper would say must not be handed out.
    if (rewardPoints !== null && rewardPoints !== points) {
      log.error(`The service made a code of ${String(rewardPoints)} points instead of ${String(points)}`)
      return keepFailure(intentId, { kind: 'unknown-outcome', cause: 'bad-response' })
    }
    unwritten.set(intentId, answer.value)
    return good(keepCode(intentId, answer.value))
  }
}
