/** Messages between main and the PDF worker. A structured clone of an error has no class, so errors are serialized. */
import { UnreadablePdfError } from '../../printing/print-job.ts'
import { UnscannableError } from '../qr.ts'
import type { PdfRenderer } from '../slip-pdf-renderer.ts'

/** Name of a `PdfRenderer` method. */
export type RenderMethod = keyof PdfRenderer

/** A method call with its arguments. */
export interface WorkerRequest {
  readonly id: number
  readonly method: RenderMethod
  readonly args: readonly unknown[]
}

/** The outcome of the request with the same id. */
export type WorkerResponse =
  { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: SerializedError }

/** Error classes that callers distinguish. */
const ERROR_CLASSES = { unscannable: UnscannableError, 'unreadable-pdf': UnreadablePdfError } as const

export interface SerializedError {
  readonly kind: keyof typeof ERROR_CLASSES | 'other'
  readonly message: string
  readonly stack: string | undefined
}

function errorKind(error: unknown): SerializedError['kind'] {
  if (error instanceof UnscannableError) return 'unscannable'
  return error instanceof UnreadablePdfError ? 'unreadable-pdf' : 'other'
}

/** Converts a thrown value to a cloneable object. */
export function serializeError(error: unknown): SerializedError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { kind: errorKind(error), message, stack }
}

/** Restores the error's class, message and stack. */
export function deserializeError({ kind, message, stack }: SerializedError): Error {
  const error = kind === 'other' ? new Error(message) : new ERROR_CLASSES[kind](message)
  if (stack !== undefined) error.stack = stack
  return error
}
