/** Slips for programs: issued once for each reference, read and reprinted by it. */
import { createHash } from 'node:crypto'
import { PNG } from 'pngjs'
import type { Result } from '../../contract/failure.ts'
import type { Caller } from '../../contract/local-interface.ts'
import { calculatePoints } from '../../contract/points-calculation.ts'
import { collectionOf, isNotSent, type Slip, slipStatus } from '../../contract/slips.ts'
import type { Lazy } from '../lazy.ts'
import type { Session } from '../session/session.ts'
import type { Settings } from '../settings/index.ts'
import { encodeQr, type QrBars, QUIET_ZONE, UrlTooLongError } from '../slip-pdf/qr.ts'
import { pointsText, slipWords } from '../slip-pdf/slip-document.ts'
import { failureReason } from '../slips/csv-export.ts'
import type { ProgramDelivery } from '../slips/issuing.ts'
import type { JournalRow } from '../slips/journal/rows.ts'
import { hasOtherContent } from '../slips/program-requests.ts'
import type { SlipService } from '../slips/slip-service.ts'
import type { Staff } from '../staff/staff.ts'
import { ApiError, errorOfFailure } from './errors.ts'
import type { Callers } from './callers.ts'
import type { LookUps } from './look-ups.ts'
import type { SlipBody } from './request-bodies.ts'
import type { ProgramSlip, Receipt } from './schemas.ts'

export interface SlipRequestsDependencies {
  readonly slips: Pick<Lazy<Result<Pick<SlipService, 'programs' | 'printouts' | 'collections'>>>, 'get'>
  readonly session: Pick<Session, 'accepted' | 'generation' | 'isReachable' | 'requireBusiness'>
  readonly staff: Pick<Staff, 'state'>
  readonly settings: Pick<Settings, 'values'>
  readonly callers: Pick<Callers, 'find'>
  readonly lookUps: Pick<LookUps, 'customer'>
}

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
  const value = 'points' in body ? [body.points] : [body.amount, body.currency]
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

/** Returns a slip as programs see it. `collectionsAsOf` is that of the till's state. */
export function programSlip(slip: Slip, reference: string, collectionsAsOf: string | null): ProgramSlip {
  const isUsable = slip.state !== 'discarded'
  return {
    mode: slip.training ? 'training' : 'live',
    reference,
    state: slipStatus(slip),
    points: slip.points,
    code: isUsable ? slip.code : null,
    url: isUsable ? slip.url : null,
    customer: slip.customer,
    requestedAt: slip.requestedAt,
    issuedAt: slip.issuedAt,
    collection: collectionIn(slip, collectionsAsOf),
    copies: slip.copies,
    failure: failureReason(slip.failure)
  }
}

/** Every method throws an `ApiError`. */
export class SlipRequests {
  readonly #dependencies: SlipRequestsDependencies

  constructor(dependencies: SlipRequestsDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Issues a slip, or returns that of an earlier request with the same reference and content; that needs neither an
   * unlocked till nor the service.
   */
  async issue(caller: Caller, body: SlipBody): Promise<SlipAnswer> {
    const { session } = this.#dependencies
    const { generation } = session
    const { reference } = body
    const hash = contentHash(body)
    await this.#requireBusiness()
    const before = await this.#find(caller, reference)
    if (before !== null && hasOtherContent(before, hash)) throw new ApiError('reference-differs')
    const isNew = before === null || isNotSent(before.slip)
    if (isNew) await this.#requireService(caller)
    const { points, customer } = isNew
      ? { points: this.#pointsOf(body), customer: await this.#customerOf(body) }
      : before.slip
    const service = await this.#opened()
    // The customer is of the service that was asked, and a person may have locked the till, or removed the program, meanwhile.
    if (session.generation !== generation) throw new ApiError('session-changed')
    if (isNew) this.#requirePermission(caller)
    const issued = await service.programs.issue({
      caller: { id: caller.id, name: caller.name },
      reference,
      contentHash: hash,
      points,
      customer,
      delivery: DELIVERIES[body.deliver]
    })
    if (!issued.ok) throw errorOfFailure(issued.failure)
    const { row, isFirst } = issued.value
    // Another request with the reference came first meanwhile.
    if (hasOtherContent(row, hash)) throw new ApiError('reference-differs')
    return this.#answer(row, reference, isFirst, body.deliver === 'return')
  }

  /** Returns the slip of a reference. */
  async read(caller: Caller, reference: string): Promise<ProgramSlip> {
    return this.#programSlip((await this.#existing(caller, reference)).slip, reference)
  }

  /** Prints a slip again, and resolves when the print ended. */
  async reprint(caller: Caller, reference: string): Promise<ProgramSlip> {
    const { slip } = await this.#existing(caller, reference)
    if (slip.code === null || slip.state === 'discarded') throw new ApiError('not-printable')
    const { printouts } = await this.#opened()
    this.#requirePermission(caller)
    const printed = await printouts.reprint({ intentId: slip.intentId })
    if (!printed.ok) throw errorOfFailure(printed.failure)
    return this.#programSlip(printed.value.slip, reference)
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

  /** Throws unless something may be issued now: nothing is written then, and the reference stays unused. */
  async #requireService(caller: Caller): Promise<void> {
    const { session } = this.#dependencies
    this.#requirePermission(caller)
    if (!session.accepted) throw new ApiError('not-connected')
    if (!(await session.isReachable())) throw new ApiError('service-unreachable')
  }

  /** Throws unless the program may issue and print now. Call it after the last wait. */
  #requirePermission({ id }: Caller): void {
    const { staff, callers } = this.#dependencies
    const caller = callers.find(id)
    if (caller === null) throw new ApiError('unauthorized')
    if (staff.state.locked && !caller.mayIssueWhileLocked) throw new ApiError('locked')
  }

  async #requireBusiness(): Promise<void> {
    const business = await this.#dependencies.session.requireBusiness()
    if (!business.ok) throw errorOfFailure(business.failure)
  }

  #pointsOf(body: SlipBody): number {
    if ('points' in body) return body.points
    const rule = this.#dependencies.settings.values.pointsRule
    if (rule === null) throw new ApiError('no-points-rule', { field: 'amount' })
    if (body.currency !== rule.currency) {
      const message = `The points rule is for ${rule.currency}, not ${body.currency}.`
      throw new ApiError('currency-differs', { field: 'currency', message })
    }
    const calculated = calculatePoints(body.amount, rule)
    if (!calculated.ok) throw errorOfFailure(calculated.failure)
    if (calculated.value.kind !== 'points') throw new ApiError(calculated.value.kind, { field: 'amount' })
    return calculated.value.points
  }

  async #customerOf({ customer }: SlipBody): Promise<Slip['customer']> {
    if (customer === undefined) return null
    const { id, name } = await this.#dependencies.lookUps.customer(customer)
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

  async #opened(): Promise<Pick<SlipService, 'programs' | 'printouts' | 'collections'>> {
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

/** Pixels for each module: a receipt printer prints each as a dot, and 8 scan best (`slip-pdf/qr.ts`). */
const MODULE_PIXELS = 8

/** Draws a code as a greyscale PNG, with its quiet zone. */
function pngOf({ size, bars }: QrBars): Buffer {
  const width = (size + 2 * QUIET_ZONE) * MODULE_PIXELS
  const data = Buffer.alloc(width * width, 255)
  for (const { x, y, length } of bars) {
    for (let line = 0; line < MODULE_PIXELS; line++) {
      const start = ((y + QUIET_ZONE) * MODULE_PIXELS + line) * width + (x + QUIET_ZONE) * MODULE_PIXELS
      data.fill(0, start, start + length * MODULE_PIXELS)
    }
  }
  // Given a size, it would make room for four bytes a pixel, which takes as long as all the rest.
  const png = Object.assign(new PNG(), { width, height: width, data })
  return PNG.sync.write(png, { colorType: 0, inputColorType: 0, inputHasAlpha: false, filterType: 0 })
}

/** Draws a code as SVG, with its quiet zone; one unit is one module. */
function svgOf({ size, bars }: QrBars): string {
  const width = size + 2 * QUIET_ZONE
  const path = bars
    .map(({ x, y, length }) => `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h${length}v1h-${length}z`)
    .join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${width}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${width}v${width}H0z"/><path d="${path}"/></svg>`
}

/**
 * Returns the lines with which a program prints a slip on its own receipt, before or after the QR code; null while there is
 * no code. In training mode the first and the last line say so, as on the till's own slips.
 */
function receiptText({ slip, snapshot }: Pick<JournalRow, 'slip' | 'snapshot'>): string | null {
  if (slip.code === null || slip.url === null) return null
  const words = slipWords(snapshot)
  const mark = slip.training ? [words.training()] : []
  return [
    ...mark,
    snapshot.headline.trim() === '' ? words.headline() : snapshot.headline,
    pointsText({ points: slip.points, locale: snapshot.locale }),
    words.instruction(),
    slip.url,
    words.codeLabel(),
    slip.code,
    ...(snapshot.footer.trim() === '' ? [] : [snapshot.footer]),
    ...mark
  ].join('\n')
}

/** Returns null without a code, or when its URL is too long for a QR code. */
function receiptOf(row: JournalRow): Receipt | null {
  const text = receiptText(row)
  const { url } = row.slip
  if (text === null || url === null) return null
  try {
    const code = encodeQr(url)
    return { text, qrPng: pngOf(code).toString('base64'), qrSvg: svgOf(code) }
  } catch (error) {
    if (error instanceof UrlTooLongError) return null
    throw error
  }
}
