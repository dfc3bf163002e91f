/** Any value as plain, masked JSON: errors with their causes, nothing circular, nothing endless. */
import { mask } from './mask.ts'

const DEEPEST = 6
const LONGEST_TEXT = 4_000
const MOST_ITEMS = 50
const STACK_LINES = 12

/** Keys whose values are about a person or a secret, whatever their shape. */
const LEFT_OUT =
  /^(name|first_?name|last_?name|customer(_?name)?|cashier|phone|e-?mail|avatar|token|authorization|password|secret|cookie|headers|body|street|note)$/i

/** Properties that system, SQLite and network errors tell their reason by. */
const ERROR_PROPERTIES = ['code', 'errcode', 'errno', 'syscall', 'status', 'reason', 'fault'] as const

const cut = (text: string): string =>
  text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}… (${String(text.length)} characters)` : text

/** Makes the reading of values, with one set of secrets to mask. */
export function createPlain(secrets: () => Iterable<string>): (value: unknown) => unknown {
  // Masked before it is cut: half a token has no shape any more.
  const text = (value: string): string => cut(mask(value, secrets()))

  const ofError = (error: Error, depth: number, seen: readonly unknown[]): unknown => {
    const properties = ERROR_PROPERTIES.flatMap((key) => {
      const found: unknown = Reflect.get(error, key)
      return typeof found === 'string' || typeof found === 'number'
        ? [[key, plain(found, depth + 1, seen)]]
        : []
    })
    const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
    return {
      error: text(error.name),
      message: text(error.message),
      ...Object.fromEntries(properties),
      stack: frames.slice(0, STACK_LINES).map((line) => text(line.trim())),
      ...(error.cause === undefined ? {} : { cause: plain(error.cause, depth + 1, seen) }),
      ...(error instanceof AggregateError ? { errors: plain(error.errors, depth + 1, seen) } : {})
    }
  }

  const ofObject = (value: object, depth: number, seen: readonly unknown[]): unknown => {
    if (seen.includes(value)) return '[again]'
    if (depth > DEEPEST) return '[deeper]'
    const inside = [...seen, value]
    if (value instanceof Error) return ofError(value, depth, inside)
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
      return `[${String(value.byteLength)} bytes]`
    if (value instanceof Map || value instanceof Set) return plain([...value], depth + 1, inside)
    if (Array.isArray(value)) {
      return value.slice(0, MOST_ITEMS).map((item: unknown) => plain(item, depth + 1, inside))
    }
    return Object.fromEntries(
      Object.entries(value)
        .slice(0, MOST_ITEMS)
        .filter(([, item]) => item !== undefined && typeof item !== 'function')
        .map(([key, item]) => [
          text(key),
          LEFT_OUT.test(key) && item !== null ? '[left out]' : plain(item, depth + 1, inside)
        ])
    )
  }

  const plain = (value: unknown, depth = 0, seen: readonly unknown[] = []): unknown => {
    switch (typeof value) {
      case 'string':
        return text(value)
      case 'number':
        return Number.isFinite(value) ? value : String(value)
      case 'boolean':
        return value
      case 'bigint':
      case 'symbol':
        return text(String(value))
      case 'undefined':
      case 'function':
        return null
      case 'object':
        return value === null ? null : ofObject(value, depth, seen)
    }
  }
  return (value) => plain(value)
}
