/** Operations with a key for programs: done once for each reference, read and undone by it. */
import { createHash } from 'node:crypto'
import type { Failure, Result } from '../../contract/failure.ts'
import type { Caller } from '../../contract/local-interface.ts'
import type { KeyedOperation, UndoableOperation } from '../../contract/operations.ts'
import type { Lazy } from '../lazy.ts'
import type { Session } from '../session/session.ts'
import { hasOtherContent } from '../journal/rows.ts'
import { canSendAgain } from '../operations/operations.ts'
import type { AskingProgram, KeyedOperations, ShownRow } from '../operations/keyed-operations.ts'
import type { SlipService } from '../slips/slip-service.ts'
import { ApiError } from './api-error.ts'
import { errorOfFailure } from './failures.ts'
import type { LookUps } from './look-ups.ts'
import type { Permissions } from './permissions.ts'
import type { CustomerSelector } from './request-bodies.ts'

/** The services of a till that programs ask. */
type OperationServices = Pick<SlipService, 'redemptions' | 'credits' | 'returns' | 'queries'>

export interface OperationRequestsDependencies {
  readonly slips: Pick<Lazy<Result<OperationServices>>, 'get'>
  readonly session: Pick<Session, 'generation' | 'requireBusiness'>
  readonly permissions: Permissions
  readonly lookUps: Pick<LookUps, 'customer' | 'rewardName'>
}

/** Returns for whom it is asked: as the till knew the customer of an earlier request, or else read anew. */
export const askedFor = async (
  lookUps: OperationRequestsDependencies['lookUps'],
  selector: CustomerSelector,
  earlier: UndoableOperation<'redeemed' | 'credited'> | null
): Promise<AskedFor | null> => {
  if (earlier !== null) {
    const { customer, balanceBefore } = earlier
    return customer && { customer, balanceBefore }
  }
  const { id, name, balance } = await lookUps.customer(selector)
  return { customer: { id, name }, balanceBefore: balance }
}

/** What a program asks, of any kind. */
interface OperationBody {
  readonly reference: string
}

/** By which program it is asked. */
interface AskedOperation {
  readonly intentId: string
  readonly program: AskingProgram
}

/** For whom it is asked. */
export interface AskedFor {
  readonly customer: { readonly id: string; readonly name: string }
  /** points; null: not known */
  readonly balanceBefore: number | null
}

/** 201: done by this request. 202: the answer of the service was lost. */
export interface ProgramAnswer<Answered> {
  readonly status: 200 | 201 | 202
  readonly body: Answered
}

/** What makes one kind of operations for programs. */
export interface RequestKind<Body, Subject, Shown extends { readonly state: string }, Answered> {
  readonly operationsOf: (slips: OperationServices) => KeyedOperations<Shown>
  /** Throws unless the program may ask for it now. */
  readonly requirePermission: (caller: Caller) => void
  /** Returns what is asked beside the reference: another content under a reference is refused. */
  readonly contentOf: (body: Body) => readonly unknown[]
  /**
   * Returns what the till knows of it; null: its customer was forgotten, and it cannot be sent again.
   * @param earlier what the reference has already; null: nothing
   */
  readonly subjectOf: (
    body: Body,
    earlier: Shown | null,
    slips: OperationServices
  ) => Subject | null | Promise<Subject | null>
  readonly send: (
    slips: OperationServices,
    asked: AskedOperation,
    body: Body,
    subject: Subject
  ) => Promise<Result<Shown>>
  /** Returns what the program gets. */
  readonly answered: (shown: Shown, reference: string) => Answered
  /** Returns the error for one that was ended at the till without an answer. */
  readonly discarded: (body: Answered) => ApiError
  readonly errorOf: (failure: Failure) => ApiError
}

/** Every method throws an `ApiError`. */
export class OperationRequests<
  Body extends OperationBody,
  Subject,
  Shown extends KeyedOperation<string>,
  Answered
> {
  readonly #kind: RequestKind<Body, Subject, Shown, Answered>
  readonly #dependencies: OperationRequestsDependencies

  constructor(
    kind: RequestKind<Body, Subject, Shown, Answered>,
    dependencies: OperationRequestsDependencies
  ) {
    this.#kind = kind
    this.#dependencies = dependencies
  }

  /**
   * Does what is asked, or returns what came of an earlier request with the same reference and content. One whose answer was
   * lost is asked for again.
   */
  async ask(caller: Caller, body: Body): Promise<ProgramAnswer<Answered>> {
    const { session, permissions } = this.#dependencies
    const { operationsOf, requirePermission, contentOf, subjectOf, send, errorOf } = this.#kind
    const { generation } = session
    const { reference } = body
    const contentHash = createHash('sha256')
      .update(JSON.stringify(contentOf(body)))
      .digest('hex')
    const business = await session.requireBusiness()
    if (!business.ok) throw errorOfFailure(business.failure)
    const slips = await this.services()
    const operations = operationsOf(slips)
    const found = operations.ofProgram(caller.id, reference, contentHash)
    if (!found.ok) throw errorOfFailure(found.failure)
    const { intentId, row } = found.value
    if (row !== null && hasOtherContent(row, contentHash)) throw new ApiError('reference-differs')
    const earlier = row === null || canSendAgain(row.shown) ? null : row.shown
    if (earlier === null) {
      requirePermission(caller)
      await permissions.requireService()
    }
    const subject = await subjectOf(body, earlier, slips)
    if (session.generation !== generation) throw new ApiError('session-changed')
    if (earlier === null) requirePermission(caller)
    const program = { caller: { id: caller.id, name: caller.name }, reference, contentHash }
    const done = subject && (await send(slips, { intentId, program }, body, subject))
    const failure = done?.ok === false ? done.failure : null
    const now = operations.find(intentId)
    if (!now.ok) throw new ApiError('journal-not-written')
    if (now.value === null) throw failure ? errorOf(failure) : new ApiError('journal-not-written')
    // Another request with the reference came first meanwhile.
    if (hasOtherContent(now.value, contentHash)) throw new ApiError('reference-differs')
    return this.#answerOf(now.value.shown, reference, earlier === null, failure)
  }

  /** Returns what came of a reference. */
  async read(caller: Caller, reference: string): Promise<Answered> {
    return this.#kind.answered((await this.existing(caller, reference)).shown, reference)
  }

  /** Returns the operation of a reference. */
  protected async existing(caller: Caller, reference: string): Promise<ShownRow<Shown>> {
    const business = await this.#dependencies.session.requireBusiness()
    if (!business.ok) throw errorOfFailure(business.failure)
    const found = this.#kind.operationsOf(await this.services()).ofProgram(caller.id, reference, null)
    if (!found.ok) throw errorOfFailure(found.failure)
    if (found.value.row === null) throw new ApiError('reference-unknown', { field: 'reference' })
    return found.value.row
  }

  /**
   * Returns the answer for an operation: whether it is done is in its row, whatever came of asking again.
   * @param failure of this request
   */
  #answerOf(
    shown: Shown,
    reference: string,
    isFirst: boolean,
    failure: Failure | null
  ): ProgramAnswer<Answered> {
    const { answered, discarded, errorOf } = this.#kind
    const body = answered(shown, reference)
    switch (shown.state) {
      case 'requested':
      case 'unknown':
        return { status: 202, body }
      case 'refused':
        throw errorOf(failure ?? shown.failure ?? { kind: 'internal' })
      case 'discarded':
        throw discarded(body)
      default:
        return { status: isFirst ? 201 : 200, body }
    }
  }

  /** Returns the services of the till. */
  protected async services(): Promise<OperationServices> {
    const slips = await this.#dependencies.slips.get()
    if (!slips.ok) throw errorOfFailure(slips.failure)
    return slips.value
  }
}
