/** Turns values into text and back, keeping what structured clone keeps. */
export interface Codec {
  /** @throws Error "An object could not be cloned." for what can't be cloned */
  stringify(value: unknown): string
  parse(text: string): unknown
}

/**
 * Makes a codec. Both Node and the page run this one function (the page gets its source text), so it refers to nothing
 * outside itself. Dates, maps, sets, typed arrays, errors, undefined, NaN, -0, big integers and cycles survive.
 */
export function makeCodec(): Codec {
  type Node = readonly [kind: string, ...parts: unknown[]]
  const toBase64 = (bytes: Uint8Array): string => {
    let text = ''
    for (let start = 0; start < bytes.length; start += 8192) {
      text += String.fromCharCode(...bytes.subarray(start, start + 8192))
    }
    return btoa(text)
  }
  const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => {
    const binary = atob(text)
    const bytes = new Uint8Array(binary.length)
    for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
    return bytes
  }
  const typedArrays: Record<string, new (buffer: ArrayBuffer) => ArrayBufferView> = {
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
    DataView
  }

  const encoder = (): ((value: unknown) => unknown) => {
    const seen = new Map<object, number>()
    const encode = (value: unknown): unknown => {
      if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
      if (typeof value === 'number') {
        return Number.isFinite(value) && !Object.is(value, -0)
          ? value
          : ['number', Object.is(value, -0) ? '-0' : `${value}`]
      }
      if (value === undefined) return ['undefined']
      if (typeof value === 'bigint') return ['bigint', value.toString()]
      if (typeof value !== 'object') throw new Error('An object could not be cloned.')
      const known = seen.get(value)
      if (known !== undefined) return ['again', known]
      seen.set(value, seen.size)
      if (value instanceof Date) return ['date', value.getTime()]
      if (value instanceof RegExp) return ['regexp', value.source, value.flags]
      if (value instanceof Boolean || value instanceof String || value instanceof Number) {
        return ['boxed', encode(value.valueOf())]
      }
      if (value instanceof Map) return ['map', ...[...value].flat().map(encode)]
      if (value instanceof Set) return ['set', ...[...value].map(encode)]
      if (value instanceof Error) return ['error', value.name, value.message, value.stack]
      if (value instanceof ArrayBuffer) return ['buffer', toBase64(new Uint8Array(value))]
      if (ArrayBuffer.isView(value)) {
        const name = Object.prototype.toString.call(value).slice(8, -1)
        return ['view', name, toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))]
      }
      if (Array.isArray(value)) return ['array', ...Array.from(value, encode)]
      const entries = Object.entries(value)
      // Structured clone leaves nothing but plain objects here; a platform object would have lost its content.
      if (entries.length === 0 && Object.prototype.toString.call(value) !== '[object Object]') {
        throw new Error('An object could not be cloned.')
      }
      return ['object', ...entries.flatMap(([key, each]) => [key, encode(each)])]
    }
    return encode
  }

  const decoder = (): ((value: unknown) => unknown) => {
    const seen: unknown[] = []
    const decode = (value: unknown): unknown => {
      if (!Array.isArray(value)) return value
      const [kind, ...parts] = value as unknown as Node
      const text = String(parts[0])
      if (kind === 'undefined') return undefined
      if (kind === 'number') return Number(text)
      if (kind === 'bigint') return BigInt(text)
      if (kind === 'again') return seen[Number(parts[0])]
      const slot = seen.push(undefined) - 1
      const keep = <T>(made: T): T => {
        seen[slot] = made
        return made
      }
      if (kind === 'date') return keep(new Date(Number(parts[0])))
      if (kind === 'regexp') return keep(new RegExp(text, String(parts[1])))
      if (kind === 'boxed') return keep(Object(decode(parts[0])))
      if (kind === 'buffer') return keep(fromBase64(text).buffer)
      if (kind === 'view') {
        const View = typedArrays[text] ?? Uint8Array
        return keep(new View(fromBase64(String(parts[1])).buffer))
      }
      if (kind === 'error') {
        const error = keep(new Error(String(parts[1])))
        Object.defineProperty(error, 'name', { value: text, configurable: true, writable: true })
        Object.defineProperty(error, 'stack', { value: parts[2], configurable: true, writable: true })
        return error
      }
      if (kind === 'array') {
        const list = keep<unknown[]>([])
        for (const part of parts) list.push(decode(part))
        return list
      }
      if (kind === 'set') {
        const set = keep(new Set<unknown>())
        for (const part of parts) set.add(decode(part))
        return set
      }
      if (kind === 'map') {
        const map = keep(new Map<unknown, unknown>())
        for (let index = 0; index < parts.length; index += 2)
          map.set(decode(parts[index]), decode(parts[index + 1]))
        return map
      }
      const object = keep<Record<string, unknown>>({})
      for (let index = 0; index < parts.length; index += 2) {
        const key = String(parts[index])
        // defineProperty, so that a key named __proto__ stays a key
        Object.defineProperty(object, key, {
          value: decode(parts[index + 1]),
          enumerable: true,
          configurable: true,
          writable: true
        })
      }
      return object
    }
    return decode
  }

  return {
    stringify(value) {
      let clone: unknown
      try {
        clone = structuredClone(value)
      } catch {
        throw new Error('An object could not be cloned.')
      }
      return JSON.stringify(encoder()(clone))
    },
    parse: (text) => decoder()(JSON.parse(text))
  }
}
