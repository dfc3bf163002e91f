/** One operation of the interface: what goes on the wire, and which refusals have a meaning of their own. */
import type { Failure } from '../../contract/failure.ts'

export interface Operation {
  /** POST writes: it is sent once, and a lost answer to it leaves the outcome unknown. */
  readonly method: 'GET' | 'POST'
  /** relative to the base address, without a leading slash; its values percent-encoded */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** what a status means for this operation alone */
  readonly refusals?: Readonly<Record<number, Failure>>
}

/**
 * A value as one segment of a path: `+` becomes `%2B`, `@` `%40`, `/` `%2F`. Null for what no segment can carry:
 * nothing at all (it would turn a customer into a search), and `.` and `..`, which every URL parser resolves away.
 */
export const segmentOf = (value: string): string | null =>
  value === '' || value === '.' || value === '..' ? null : encodeURIComponent(value.toWellFormed())
