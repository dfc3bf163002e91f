/** Operations with a key for programs: done once for each reference, read and undone by it. */
import { createHash } from 'node:crypto'
import type { Failure, Result } from '../../contract/failure.ts'
import type { Caller } from '../../contract/local-interface.ts'
import type { UndoableOperation } from '../../contract/operations.ts'
import type { Lazy } from '../lazy.ts'
import type { Session } from '../session/session.ts'
import { hasOtherContent } from '../journal/rows.ts'
import { canSendAgain } from '../operations/operations.ts'
import type { AskingProgram, ShownRow, UndoableOperations } from '../operations/undoable-operations.ts'
import type { SlipService } from '../slips/slip-service.ts'
import { ApiError } from './errors.ts'
import { errorOfFailure } from './failures.ts'
import type { LookUps } from './look-ups.ts'
import type { Permissions } from './permissions.ts'
import type { CustomerSelector } from './request-bodies.ts'

export interface OperationRequestsDependencies {
  readonly slips: Pick<Lazy<Result<Pick<SlipService, 'redemptions' | 'credits'>>>, 'get'>
  readonly session: Pick<Session, 'generation' | 'requireBusiness'>
  readonly permissions: Permissions
  readonly lookUps: Pick<LookUps, 'customer' | 'rewardName'>
}

/** What a program asks, of any kind. */
interface OperationBody {
  readonly reference: string
  readonly customer: CustomerSelector
}

/** For whom it is asked, and by which program. */
export interface AskedOperation {
  readonly intentId: string
  readonly customer: { readonly id: string; readonly name: string }
  /** points; null: not known */
  readonly balanceBefore: number | null
  readonly program: AskingProgram
}

/** 201: done by this request. 202: the answer of the service was lost. */
interface OperationAnswer<Answered> {
  readonly status: 200 | 201 | 202
  readonly body: Answered
}

/** What makes one kind of operations for programs. */
export interface RequestKind<Body, Subject, Shown extends { readonly state: string }, Answered> {
  readonly operationsOf: (slips: Pick<SlipService, 'redemptions' | 'credits'>) => UndoableOperations<Shown>
  /** Throws unless the program may ask for it now. */
  readonly requirePermission: (caller: Caller) => void
  /** Returns what is asked beside the reference and the customer: another one under a reference is refused. */
  readonly contentOf: (body: Body) => readonly unknown[]
  /** Returns what the till knows of it. @param earlier what the reference has already; null: nothing */
  readonly subjectOf: (body: Body, earlier: Shown | null) => Subject | Promise<Subject>
  readonly send: (
    slips: Pick<SlipService, 'redemptions' | 'credits'>,
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
  Shown extends UndoableOperation<'redeemed' | 'credited'>,
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
  async ask(caller: Caller, body: Body): Promise<OperationAnswer<Answered>> {
    const { session, permissions } = this.#dependencies
    const { operationsOf, requirePermission, contentOf, subjectOf, send, errorOf } = this.#kind
    const { generation } = session
    const { reference } = body
    const contentHash = createHash('sha256')
      .update(JSON.stringify([Object.entries(body.customer), ...contentOf(body)]))
      .digest('hex')
    const business = await session.requireBusiness()
    if (!business.ok) throw errorOfFailure(business.failure)
    const slips = await this.#slips()
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
    const { customer, balanceBefore } = earlier ?? (await this.#customerOf(body.customer))
    const subject = await subjectOf(body, earlier)
    if (session.generation !== generation) throw new ApiError('session-changed')
    if (earlier === null) requirePermission(caller)
    const program = { caller: { id: caller.id, name: caller.name }, reference, contentHash }
    // Its customer was forgotten: it cannot be sent again.
    const done =
      customer && (await send(slips, { intentId, customer, balanceBefore, program }, body, subject))
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
    const found = this.#kind.operationsOf(await this.#slips()).ofProgram(caller.id, reference, null)
    if (!found.ok) throw errorOfFailure(found.failure)
    if (found.value.row === null) throw new ApiError('reference-unknown', { field: 'reference' })
    return found.value.row
  }

  /** Undoes one, as a manager does; one that is undone stays so. @param notUndoable the error without anything to undo */
  protected async undoExisting(
    caller: Caller,
    reference: string,
    reason: string | undefined,
    notUndoable: (body: Answered) => ApiError
  ): Promise<OperationAnswer<Answered>> {
    const { session, permissions } = this.#dependencies
    const { operationsOf, answered, errorOf } = this.#kind
    const { generation } = session
    const { shown } = await this.existing(caller, reference)
    const { intentId } = shown
    if (shown.state === 'undone') return { status: 200, body: answered(shown, reference) }
    permissions.requireManager(caller)
    await permissions.requireService()
    const operations = operationsOf(await this.#slips())
    if (session.generation !== generation) throw new ApiError('session-changed')
    permissions.requireManager(caller)
    const undone = await operations.undo({ intentId, reason: reason ?? caller.name })
    const now = operations.find(intentId)
    if (!now.ok || now.value === null) throw new ApiError('journal-not-written')
    const body = answered(now.value.shown, reference)
    // What came of it is in the row.
    switch (now.value.shown.state) {
      case 'undone':
        return { status: 200, body }
      case 'undo-requested':
      case 'undo-unknown':
        return { status: 202, body }
      default:
        if (undone.ok || undone.failure.kind === 'not-found') throw notUndoable(body)
        throw errorOf(undone.failure)
    }
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
  ): OperationAnswer<Answered> {
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

  async #customerOf(key: CustomerSelector): Promise<Pick<AskedOperation, 'customer' | 'balanceBefore'>> {
    const { id, name, balance } = await this.#dependencies.lookUps.customer(key)
    return { customer: { id, name }, balanceBefore: balance }
  }

  async #slips(): Promise<Pick<SlipService, 'redemptions' | 'credits'>> {
    const slips = await this.#dependencies.slips.get()
    if (!slips.ok) throw errorOfFailure(slips.failure)
    return slips.value
  }
}
