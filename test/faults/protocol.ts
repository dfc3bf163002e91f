/** Messages between a test and the till in a child process. */
import type { Result } from '../../electron/contract/failure.ts'
import type { UnansweredOperation } from '../../electron/contract/operations.ts'
import type { RedeemRequest, Redemption } from '../../electron/contract/redemptions.ts'
import type { IssuedSlip, Slip } from '../../electron/contract/slips.ts'
import type {
  ExtensionArguments,
  ExtensionOperationName,
  OperationArguments,
  OperationName
} from './operations.ts'

/** Options of the client and the machine around it. */
export interface OpenOptions {
  readonly baseUrl: string
  /** ms by which the clock jumps after a request is sent */
  readonly clockJump?: number
  /** whether name resolution fails */
  readonly withoutNames?: boolean
  /** folders of the slip service, if slips are issued */
  readonly slips?: { readonly folder: string }
}

/** The calls with their parameters and results. */
export interface Calls {
  open: (opening: OpenOptions) => null
  run: (asked: { readonly operation: OperationName; readonly given: OperationArguments }) => Result<unknown>
  runExtension: (asked: {
    readonly operation: ExtensionOperationName
    readonly given: ExtensionArguments
  }) => Result<unknown>
  /** Ends the time limits of the client's pending requests. Throws without any. */
  expire: (nothing: null) => null
  /** Issues a slip, and prints it if it has a code. */
  issue: (press: { readonly intentId: string; readonly points: number }) => Result<IssuedSlip>
  redeem: (request: RedeemRequest) => Result<Redemption>
  /** Asks for lost answers; resolves with the operations that still have none. */
  askAgain: (nothing: null) => Result<readonly UnansweredOperation[]>
  /** the redemptions of a customer in the journal, newest first */
  redemptions: (customerId: string) => Result<readonly Redemption[]>
  /** every row of the journal, newest first */
  slips: (nothing: null) => readonly Slip[]
  /** Closes the slip service, as a till that quits does. */
  close: (nothing: null) => null
  /** resources that keep the process alive: timers, and sockets of pending requests */
  leftovers: (nothing: null) => readonly string[]
  /** peak memory of the process, bytes */
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
  /** the stack of an exception: the till must never throw */
  | { readonly id: number; readonly thrown: string }
