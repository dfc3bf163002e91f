/** What the till and its paper process say to each other, and how errors come across: a copy of one has no class. */
import { UnscannableError } from '../qr.ts'
import { UnreadablePdfError } from '../../printing/print-job.ts'
import type { PaperCall } from '../slip-pdf-renderer.ts'

/** A call, with its arguments. */
export interface Question {
  readonly id: number
  readonly call: PaperCall
  readonly values: readonly unknown[]
}

/** What came of it. */
export type Reply =
  { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: CopiedError }

/** The errors that somebody tells apart. */
const KINDS = { 'cannot-scan': UnscannableError, 'unreadable-pdf': UnreadablePdfError } as const

/** An error as it can be copied. */
export interface CopiedError {
  readonly kind: keyof typeof KINDS | 'other'
  readonly message: string
  readonly stack: string | undefined
}

/** Takes an error apart. */
export function copyOf(error: unknown): CopiedError {
  const kind =
    error instanceof UnscannableError
      ? 'cannot-scan'
      : error instanceof UnreadablePdfError
        ? 'unreadable-pdf'
        : 'other'
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { kind, message, stack }
}

/** Puts it together again. */
export function errorOf({ kind, message, stack }: CopiedError): Error {
  const error = kind === 'other' ? new Error(message) : new KINDS[kind](message)
  if (stack !== undefined) error.stack = stack
  return error
}
