/** What a test and the till in its child process say to each other. */
import type { Result } from '../../electron/contract/failure.ts'
import type { IssuedSlip, Slip } from '../../electron/contract/slips.ts'
import type { OperationArguments, OperationName } from './operations.ts'

/** The service that a till asks, and how it goes about it. */
export interface OpenOptions {
  readonly baseUrl: string
  /** ms for a whole answer; what a till gives, unless told */
  readonly timeoutMs?: number
  /** ms by which the clock jumps as soon as a request was sent */
  readonly clockJump?: number
  /** the name service knows no host any more */
  readonly withoutNames?: boolean
  /** folder of a till that also issues slips */
  readonly slips?: { readonly folder: string; readonly fontsFolder: string }
}

/** Each call with what goes in and what comes out. */
export interface Calls {
  open: (opening: OpenOptions) => null
  run: (asked: { readonly operation: OperationName; readonly given: OperationArguments }) => Result<unknown>
  /** Issues a slip, and waits for its paper where there is a code. */
  issue: (press: { readonly intentId: string; readonly points: number }) => Result<IssuedSlip>
  /** every row of the journal, newest first */
  slips: (nothing: null) => readonly Slip[]
  /** Closes the slips, as a till that ends does. */
  close: (nothing: null) => null
  /** what keeps the process awake: timers, and sockets with a request under way */
  leftovers: (nothing: null) => readonly string[]
  /** the most memory that the process ever held, bytes */
  peakMemory: (nothing: null) => number
}

export type CallName = keyof Calls

export interface WorkerRequest {
  readonly id: number
  readonly call: CallName
  readonly input: unknown
}

export type WorkerReply =
  | { readonly id: number; readonly value: unknown }
  /** the till threw, which it never may */
  | { readonly id: number; readonly thrown: string }
