/** Slips for programs: issued once for each reference; read, reprinted and cancelled by it. */
import { createHash } from 'node:crypto'
import { err, type Result } from '../../contract/failure.ts'
import type { Caller } from '../../contract/local-interface.ts'
import {
  calculatePoints,
  keptCalculation,
  type Calculation,
  type EarningRule
} from '../../contract/points-calculation.ts'
import type { QrCode } from '../../contract/loyalty.ts'
import {
  collectionOf,
  isNotSent,
  isOnReceipt,
  isWorthless,
  type Slip,
  slipStatus
} from '../../contract/slips.ts'
import type { Lazy } from '../lazy.ts'
import { isCodeEnded, isCodeUsed } from '../loyalty/code-status.ts'
import type { ShopRules } from '../session/shop-rules.ts'
import type { Session } from '../session/session.ts'
import type { Standings } from '../session/standings.ts'
import { failureReason } from '../reports/csv-export.ts'
import type { ProgramDelivery } from '../slips/delivery.ts'
import type { JournalRow } from '../journal/rows.ts'
import { hasOtherContent } from '../journal/rows.ts'
import type { SlipService } from '../slips/slip-service.ts'
import { ApiError } from './api-error.ts'
import { errorOfFailure } from './failures.ts'
import type { LookUps } from './look-ups.ts'
import type { Permissions } from './permissions.ts'
import type { SlipBody } from './request-bodies.ts'
import { receiptOf } from './receipt.ts'
import type { ProgramSlip } from './schemas.ts'

export interface SlipRequestsDependencies {
  readonly slips: Pick<
    Lazy<Result<Pick<SlipService, 'programs' | 'printouts' | 'collections' | 'offline'>>>,
    'get'
  >
  readonly session: Pick<Session, 'generation' | 'requireBusiness' | 'isReachable' | 'ask'>
  readonly shopRules: Pick<ShopRules, 'current'>
  readonly standings: Pick<Standings, 'read'>
  readonly permissions: Permissions
  readonly lookUps: Pick<LookUps, 'customer'>
}

/**
 * How long a request that comes again is certainly the same bill, so that it has its slip without the service. No service
 * lets a code expire sooner.
 */
const REPEAT_MS = 24 * 60 * 60_000

/** How long the service may take to say whether a code can still be collected. */
const CODE_TIMEOUT_MS = 2500

/** An answer with a slip, and its status. */
export interface SlipAnswer {
  readonly status: 200 | 201 | 202
  readonly slip: ProgramSlip
}

const DELIVERIES = {
  print: 'print',
  display: 'show',
  return: 'return'
} as const satisfies Readonly<Record<SlipBody['deliver'], ProgramDelivery>>

/** Returns the hash of a request's content. The order of the keys in the body says nothing. */
function contentHash(body: SlipBody): string {
  const { deliver, customer = null } = body
  const value =
    'points' in body
      ? [body.points]
      : [body.amount, body.currency, ...(body.groups === undefined ? [] : [body.groups])]
  const content = JSON.stringify([value, customer && Object.entries(customer), deliver])
  return createHash('sha256').update(content).digest('hex')
}

/** Whether a slip was collected, as the till knew at `asOf` (`TillState.collectionsAsOf`). */
function collectionIn(slip: Slip, asOf: string | null): ProgramSlip['collection'] {
  const state = collectionOf(slip, asOf)
  if (state === null || asOf === null) return null
  const at = { collected: slip.collectedAt, 'taken-back': slip.takenBackAt, 'not-collected': null }[state]
  return { state, at, asOf }
}

/** A program knows whether it was the one that got the code. */
function programStatus(slip: Slip): ProgramSlip['state'] {
  const status = slipStatus(slip)
  return status === 'on-receipt' ? 'given' : status
}

/** Returns a slip as programs see it. `collectionsAsOf` is that of the till's state. */
export function programSlip(slip: Slip, reference: string, collectionsAsOf: string | null): ProgramSlip {
  const isUsable = slip.state !== 'discarded'
  return {
    mode: slip.training ? 'training' : 'live',
    reference,
    state: programStatus(slip),
    points: slip.points,
    code: isUsable ? slip.code : null,
    url: isUsable ? slip.url : null,
    customer: slip.customer,
    requestedAt: slip.requestedAt,
    issuedAt: slip.issuedAt,
    expiresAt: slip.expiresAt,
    collection: collectionIn(slip, collectionsAsOf),
    offline: slip.offline !== null,
    copies: slip.copies,
    failure: failureReason(slip.failure)
  }
}

/** Throws an `ApiError` for a group that the rule does not have, and for one that comes twice. */
function requireGroups(groups: readonly { readonly name: string }[], rule: EarningRule): void {
  const left = new Set(rule.groups.map(({ name }) => name))
  for (const { name } of groups) {
    if (left.delete(name)) continue
    if (rule.groups.some((group) => group.name === name))
      throw new ApiError('invalid', { field: 'groups', message: `The group ${name} is there twice.` })
    const known = rule.groups.map((group) => group.name).join(', ') || 'none'
    const message = `The points rules have no group ${name}. They have: ${known}.`
    throw new ApiError('group-unknown', { field: 'groups', message })
  }
}

/** Every method throws an `ApiError`. */
export class SlipRequests {
  readonly #dependencies: SlipRequestsDependencies

  constructor(dependencies: SlipRequestsDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Issues a slip, or returns that of an earlier request with the same reference and content, while its code can be
   * collected; that needs no unlocked till, and the service only after `REPEAT_MS`.
   */
  async issue(caller: Caller, body: SlipBody): Promise<SlipAnswer> {
    const { session, permissions } = this.#dependencies
    const { generation } = session
    const { reference } = body
    const hash = contentHash(body)
    await this.#requireBusiness()
    const before = await this.#find(caller, reference)
    if (before !== null && hasOtherContent(before, hash)) throw new ApiError('reference-differs')
    const isNew = before === null || isNotSent(before.slip)
    /** whether the till makes the code itself, within its limits */
    const isOffline = (await this.#opened()).offline.state?.obstacle === null
    if (isNew) {
      permissions.requireCashier(caller)
      if (!isOffline) await permissions.requireService()
    }
    const customer = isNew ? await this.#customerOf(body, isOffline) : before.slip.customer
    const { points, calculation } = isNew
      ? this.#pointsOf(body, await this.#levelOf(body, customer))
      : { points: before.slip.points, calculation: before.calculation }
    const service = await this.#opened()
    // The customer is of the service that was asked, and a person may have locked the till, or removed the program, meanwhile.
    if (session.generation !== generation) throw new ApiError('session-changed')
    if (isNew) permissions.requireCashier(caller)
    const issued = await service.programs.issue({
      caller: { id: caller.id, name: caller.name },
      reference,
      contentHash: hash,
      points,
      calculation,
      customer,
      delivery: DELIVERIES[body.deliver]
    })
    if (!issued.ok) throw errorOfFailure(issued.failure)
    const { row, isFirst } = issued.value
    // Another request with the reference came first meanwhile.
    if (hasOtherContent(row, hash)) throw new ApiError('reference-differs')
    if (!isNew) await this.#requireCollectable(row, reference)
    return this.#answer(row, reference, isFirst, body.deliver === 'return')
  }

  /** Returns the slip of a reference. */
  async read(caller: Caller, reference: string): Promise<ProgramSlip> {
    return this.#programSlip((await this.#existing(caller, reference)).slip, reference)
  }

  /** Prints a slip again, and resolves when the print ended. */
  async reprint(caller: Caller, reference: string): Promise<ProgramSlip> {
    const row = await this.#existing(caller, reference)
    const { slip } = row
    if (slip.code === null || slip.state === 'discarded') throw new ApiError('not-printable')
    await this.#requireCollectable(row, reference)
    const { printouts } = await this.#opened()
    this.#dependencies.permissions.requireCashier(caller)
    const printed = await printouts.reprint({ intentId: slip.intentId })
    if (!printed.ok) throw errorOfFailure(printed.failure)
    return this.#programSlip(printed.value.slip, reference)
  }

  /**
   * Discards a slip, as a manager does: one that the customer does not have, or that was returned to the program and not
   * collected. The code stays valid at the service.
   */
  async cancel(caller: Caller, reference: string, reason: string | undefined): Promise<ProgramSlip> {
    const { permissions, session } = this.#dependencies
    const { generation } = session
    const { slip } = await this.#existing(caller, reference)
    if (slip.state === 'discarded') return this.#programSlip(slip, reference)
    permissions.requireManager(caller)
    if (isOnReceipt(slip)) await this.#requireUncollected(slip, reference)
    const { printouts } = await this.#opened()
    if (session.generation !== generation) throw new ApiError('session-changed')
    permissions.requireManager(caller)
    const cancelled = await printouts.cancel({ intentId: slip.intentId, reason: reason ?? caller.name })
    if (cancelled.ok) return this.#programSlip(cancelled.value, reference)
    if (cancelled.failure.kind !== 'not-found') throw errorOfFailure(cancelled.failure)
    throw new ApiError('not-cancellable', { slip: await this.#programSlip(slip, reference) })
  }

  /**
   * Throws `code-ended` once the code of an earlier request can no longer be collected: the number of a bill may begin again,
   * and the code would be that of another buyer.
   */
  async #requireCollectable({ slip, contentHash }: JournalRow, reference: string): Promise<void> {
    if (slip.code === null || slip.state === 'discarded') return
    // The retention, or the removal of the customer, took away what tells the bill from another one.
    const isForgotten = contentHash === null || isWorthless(slip)
    const read = isForgotten || slip.collectedAt !== null ? null : await this.#readCode(slip.code)
    if (read?.ok === true && !isCodeEnded(read.value)) return
    if (read?.ok === false) {
      const ageMs = Date.now() - Date.parse(slip.requestedAt)
      if (ageMs < REPEAT_MS) return
      if (read.failure.kind !== 'not-found') throw errorOfFailure(read.failure)
    }
    const ended = { ...(await this.#programSlip(slip, reference)), code: null, url: null }
    throw new ApiError('code-ended', { slip: ended })
  }

  async #requireUncollected(slip: Slip, reference: string): Promise<void> {
    const read = slip.collectedAt !== null || slip.code === null ? null : await this.#readCode(slip.code)
    if (read?.ok === false && read.failure.kind !== 'not-found') throw errorOfFailure(read.failure)
    const isCollected = slip.collectedAt !== null || (read?.ok === true && isCodeUsed(read.value) === true)
    if (isCollected) throw new ApiError('collected', { slip: await this.#programSlip(slip, reference) })
  }

  /** Asks the service for a code; `offline` when it is known to be unreachable. */
  async #readCode(code: string): Promise<Result<QrCode>> {
    const { session } = this.#dependencies
    if (!(await session.isReachable())) return err({ kind: 'offline' })
    const signal = AbortSignal.timeout(CODE_TIMEOUT_MS)
    const read = await session.ask((client) => client.qr(code, signal), signal)
    return !read.ok && signal.aborted ? err({ kind: 'timeout' }) : read
  }

  async #answer(
    row: JournalRow,
    reference: string,
    isFirst: boolean,
    withReceipt: boolean
  ): Promise<SlipAnswer> {
    const slip = await this.#programSlip(row.slip, reference)
    switch (row.slip.state) {
      case 'unknown':
      case 'requested':
        return { status: 202, slip }
      case 'refused':
        throw isNotSent(row.slip) ? new ApiError('service-unreachable') : new ApiError('refused', { slip })
      case 'discarded':
        throw new ApiError('discarded', { slip })
      default: {
        const receipt = withReceipt ? receiptOf(row) : null
        return { status: isFirst ? 201 : 200, slip: receipt === null ? slip : { ...slip, receipt } }
      }
    }
  }

  async #requireBusiness(): Promise<void> {
    const business = await this.#dependencies.session.requireBusiness()
    if (!business.ok) throw errorOfFailure(business.failure)
  }

  #pointsOf(
    body: SlipBody,
    level: string | undefined
  ): { readonly points: number; readonly calculation: Calculation | null } {
    if ('points' in body) return { points: body.points, calculation: null }
    const rule = this.#dependencies.shopRules.current
    if (rule === null) throw new ApiError('no-points-rule', { field: 'amount' })
    if (body.currency !== rule.currency) {
      const message = `The points rule is for ${rule.currency}, not ${body.currency}.`
      throw new ApiError('currency-differs', { field: 'currency', message })
    }
    requireGroups(body.groups ?? [], rule)
    const bill = { ...body, ...(level !== undefined && { level }) }
    const calculated = calculatePoints(bill, rule)
    if (!calculated.ok) throw errorOfFailure(calculated.failure)
    if (calculated.value.kind !== 'points') throw new ApiError(calculated.value.kind, { field: 'amount' })
    return { points: calculated.value.points, calculation: keptCalculation(bill, rule) }
  }

  /** Returns the level that counts for an amount. */
  async #levelOf(body: SlipBody, customer: Slip['customer']): Promise<string | undefined> {
    if ('points' in body || customer === null) return undefined
    return (await this.#dependencies.standings.read(customer.id))?.level?.name
  }

  async #customerOf({ customer }: SlipBody, isOffline: boolean): Promise<Slip['customer']> {
    if (customer === undefined) return null
    const { id, name } = await this.#dependencies.lookUps.customer(customer, isOffline)
    return { id, name }
  }

  async #find({ id }: Caller, reference: string): Promise<JournalRow | null> {
    const { programs } = await this.#opened()
    const found = await programs.find(id, reference)
    if (!found.ok) throw errorOfFailure(found.failure)
    return found.value
  }

  async #programSlip(slip: Slip, reference: string): Promise<ProgramSlip> {
    return programSlip(slip, reference, (await this.#opened()).collections.asOf)
  }

  async #opened(): Promise<Pick<SlipService, 'programs' | 'printouts' | 'collections' | 'offline'>> {
    const slips = await this.#dependencies.slips.get()
    if (!slips.ok) throw errorOfFailure(slips.failure)
    return slips.value
  }

  async #existing(caller: Caller, reference: string): Promise<JournalRow> {
    await this.#requireBusiness()
    const row = await this.#find(caller, reference)
    if (row === null) throw new ApiError('reference-unknown', { field: 'reference' })
    return row
  }
}
