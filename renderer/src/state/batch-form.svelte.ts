import { MAX_BATCH_SLIPS } from '../../../electron/contract/slips.ts'
import type { Failure } from '../../../electron/contract/failure.ts'
import { asciiDigits } from '../format/digits.ts'
import { parsePoints } from '../format/points.ts'

/** What a batch form asks for, once it can be asked. */
export interface BatchWish {
  readonly batchId: string
  /** points on each slip */
  readonly points: number
  readonly count: number
  readonly oneJob: boolean
}

/** Why the number of slips is none: not a whole number, or not from 1 to `MAX_BATCH_SLIPS`. */
export type CountFault = 'missing' | 'not-a-whole-number' | 'out-of-bounds'

/** Many slips at once: how many points, how many slips, and the cashier's yes to the total. */
export class BatchForm {
  /** made when the form opens: however often the button is pressed, it is one batch */
  readonly batchId: string = crypto.randomUUID()
  #points = $state('')
  #count = $state('')
  #oneJob = $state(false)
  #pointsFailure = $state.raw<Failure | null>(null)
  #countFault = $state<CountFault | null>(null)
  #wish = $state.raw<BatchWish | null>(null)

  /** `oneJob` is what the settings say. */
  constructor(oneJob: boolean) {
    this.#oneJob = oneJob
  }

  /** Points on each slip, as typed. */
  get points(): string {
    return this.#points
  }

  set points(text: string) {
    this.#points = text
    this.#pointsFailure = null
  }

  /** How many slips, as typed. */
  get count(): string {
    return this.#count
  }

  set count(text: string) {
    this.#count = text
    this.#countFault = null
  }

  /** Whether all slips are one print job. */
  get oneJob(): boolean {
    return this.#oneJob
  }

  set oneJob(oneJob: boolean) {
    this.#oneJob = oneJob
  }

  get pointsFailure(): Failure | null {
    return this.#pointsFailure
  }

  get countFault(): CountFault | null {
    return this.#countFault
  }

  /** What was checked and waits for the cashier's yes; null while the form is being filled in. */
  get wish(): BatchWish | null {
    return this.#wish
  }

  /** All points of all slips as they are typed now; null while they cannot be reckoned. */
  get total(): number | null {
    const points = parsePoints(this.#points)
    const count = parseCount(this.#count)
    return points.ok && count.ok ? points.value * count.value : null
  }

  /** Checks what was typed; good, it waits for a yes. Gives whether it is good. */
  check(): boolean {
    const points = parsePoints(this.#points)
    const count = parseCount(this.#count)
    this.#pointsFailure = points.ok ? null : points.failure
    this.#countFault = count.ok ? null : count.fault
    if (!points.ok || !count.ok) return false
    this.#wish = {
      batchId: this.batchId,
      points: points.value,
      count: count.value,
      oneJob: this.#oneJob
    }
    return true
  }

  /** Back to the fields, which still hold what was typed. */
  back(): void {
    this.#wish = null
  }
}

type Count =
  { readonly ok: true; readonly value: number } | { readonly ok: false; readonly fault: CountFault }

function parseCount(text: string): Count {
  const digits = asciiDigits(text)
  if (digits === '') return { ok: false, fault: 'missing' }
  if (!/^\d+$/u.test(digits)) return { ok: false, fault: 'not-a-whole-number' }
  const value = Number(digits)
  return value >= 1 && value <= MAX_BATCH_SLIPS ? { ok: true, value } : { ok: false, fault: 'out-of-bounds' }
}
