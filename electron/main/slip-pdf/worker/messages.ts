/** Messages between main and the PDF worker. A structured clone of an error has no class, so errors are serialized. */
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

export interface SerializedError {
  /** the one class that callers distinguish */
  readonly isUnscannable: boolean
  readonly message: string
  readonly stack: string | undefined
}

/** Converts a thrown value to a cloneable object. */
export function serializeError(error: unknown): SerializedError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { isUnscannable: error instanceof UnscannableError, message, stack }
}

/** Restores the error's class, message and stack. */
export function deserializeError({ isUnscannable, message, stack }: SerializedError): Error {
  const error = isUnscannable ? new UnscannableError(message) : new Error(message)
  if (stack !== undefined) error.stack = stack
  return error
}
