/** Values that often break programs, alone and inside valid values. */
import * as fc from 'fast-check'

const LONG = 'x'.repeat(100_000)

/** Texts with special characters or with a meaning to other programs. */
const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\uD800',
  '\uDC00\uD800',
  '\uFEFF',
  '\u202Egnp.exe',
  '\u200B',
  '\r\nx-injected: 1',
  '../../../etc/passwd',
  '..',
  '.',
  '/',
  'C:\\Windows\\System32',
  'CON',
  '%00',
  '%2e%2e%2f',
  '${7*7}',
  "'; DROP TABLE slips; --",
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  'file:///etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  '-0',
  '1e309',
  '٢٥٠',
  '👩‍👩‍👧‍👦'.repeat(50),
  'Z̸̡̢̧̛̖̣͔̜͈͓͖̙̘̪̦̦̬̼̰̻̮͚̥̭̹̯̞͖̳̺͕̙̯̰̖̭̪͚̦̳̦̣͖̗͓̺̟̬̦̺̩̻̠̬̹̳̜͎̲̭͎̟̘̩͚̬͍̥̪̙̺̲͓̯͔̥̟̭̙̺̠͇̞̤͚̳͚̱̞̭̭͕̥̙̝̦͈͎̖̠̦̙̗̠̭̩̱̘̻̗̹̬̮̙̝͚̜̰̳̠̼̝̪̖͖̪͕̦̯̭̝͉̩̠̯̺̝͖̜̖͙̮̳̻̫̙̖̲͉̺̝͈͙̲̭͎̮̦̹͎̻̭͎̗̺̞̺͙̲̻̱̗',
  LONG
] as const

const NUMBERS = [
  0,
  -0,
  -1,
  0.1,
  1e21,
  1e308,
  5e-324,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 63),
  9_999_999,
  10_000_000
] as const

const nested = (depth: number, within: (inner: unknown) => unknown): unknown => {
  let value: unknown = null
  for (let level = 0; level < depth; level += 1) value = within(value)
  return value
}

/** An object with a field of any name, `__proto__` among them, as JSON.parse and a structured clone make it. */
const withField = (base: object, name: string, value: unknown): object => {
  const copy = { ...base }
  Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true })
  return copy
}

const POLLUTING = ['__proto__', 'constructor', 'prototype'].map((name) =>
  withField({}, name, withField({}, 'prototype', { polluted: true }))
)

/** Unexpected texts, of bounded length. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 })
)

/** Unexpected JSON values. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...TEXTS),
  fc.constantFrom<unknown>(...NUMBERS),
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { length: -1 }, ...POLLUTING),
  fc.constantFrom(10, 500).map((depth) => nested(depth, (inner) => [inner])),
  fc.constantFrom(10, 500).map((depth) => nested(depth, (inner) => ({ data: inner }))),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.jsonValue({ maxDepth: 3 })
)

const cyclic = (): unknown => {
  const self: { self?: unknown } = {}
  self.self = self
  return self
}

/** Unexpected values that a page can send to main: JSON, and whatever else a structured clone can copy. */
export const hostileClone: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileJson },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom<() => unknown>(
        () => undefined,
        () => Number.NaN,
        () => Number.POSITIVE_INFINITY,
        () => 10n ** 100n,
        () => new Date(Number.NaN),
        () => /(a+)+$/,
        () => new Map([['points', 1]]),
        () => new Set(['intentId']),
        () => new Uint8Array(1000),
        () => new ArrayBuffer(8),
        () => new DataView(new ArrayBuffer(8)),
        () => new Error('a message'),
        () => new Array<unknown>(10_000),
        () => Object.assign([1, 2, 3], { points: 5 }),
        () => Object.create({ points: 5, intentId: 'inherited' }) as unknown,
        () => new Boolean(false),
        () => new String('text'),
        () => new Number(5),
        () => Object(5n) as unknown,
        cyclic,
        () => Array.from({ length: 50_000 }, () => ({}))
      )
      .map((createValue) => createValue())
  },
  {
    weight: 1,
    arbitrary: fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, maxDepth: 3 })
  }
)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** More than the depth and the number of fields of any valid value. */
const MAX_PLACES = { depth: 4, width: 20 }

/** Returns the paths of all parts of a value, as lists of names. */
const placesIn = (value: unknown, here: readonly string[] = []): (readonly string[])[] => {
  if (here.length === MAX_PLACES.depth || !(Array.isArray(value) || isRecord(value))) return [here]
  const inner = Object.entries(value).slice(0, MAX_PLACES.width)
  return [here, ...inner.flatMap(([name, part]) => placesIn(part, [...here, name]))]
}

type Change = (value: unknown) => unknown
const REMOVED = Symbol('removed')

/** Returns the value with the part at `place` changed. */
const changedAt = (value: unknown, place: readonly string[], change: Change): unknown => {
  const [step, ...rest] = place
  if (step === undefined) return change(value)
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, at) =>
      String(at) === step ? changedAt(item, rest, change) : item
    )
    return items.filter((item) => item !== REMOVED)
  }
  if (!isRecord(value)) return value
  return Object.entries(value).reduce<object>((copy, [name, part]) => {
    const next = name === step ? changedAt(part, rest, change) : part
    return next === REMOVED ? copy : withField(copy, name, next)
  }, {})
}

/** One change anywhere in `valid`: another value, a field added or removed, or a part duplicated. */
const oneChange = (valid: unknown, hostile: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      fc.constantFrom(...placesIn(valid)),
      fc.oneof(
        {
          weight: 6,
          arbitrary: hostile.map(
            (value): Change =>
              () =>
                value
          )
        },
        { weight: 1, arbitrary: fc.constant<Change>(() => REMOVED) },
        { weight: 1, arbitrary: fc.constant<Change>((value) => [value, value]) },
        {
          weight: 2,
          arbitrary: fc
            .tuple(
              fc.oneof(
                fc.constantFrom('__proto__', 'constructor', 'toJSON', 'then', 'length', 'statusCode'),
                fc.string()
              ),
              hostile
            )
            .map(
              ([name, value]): Change =>
                (at) =>
                  isRecord(at) ? withField(at, name, value) : at
            )
        }
      )
    )
    .map(([place, change]) => {
      const changed = changedAt(valid, place, change)
      return changed === REMOVED ? null : changed
    })

/** Hostile values, and valid ones with one or two changes. */
export const mutationsOf = (valid: unknown, hostile: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 1, arbitrary: hostile },
    { weight: 5, arbitrary: oneChange(valid, hostile) },
    { weight: 3, arbitrary: oneChange(valid, hostile).chain((once) => oneChange(once, hostile)) }
  )

/** Bytes as they are, truncated, flipped, cut, extended, repeated, or in another encoding. */
export const mangled = (bytes: Buffer): fc.Arbitrary<Buffer> => {
  const place = fc.nat({ max: Math.max(0, bytes.byteLength - 1) })
  return fc.oneof(
    fc.constant(bytes),
    place.map((at) => bytes.subarray(0, at)),
    fc.tuple(place, fc.nat({ max: 255 })).map(([at, byte]) => {
      const copy = Buffer.from(bytes)
      copy[at] = byte
      return copy
    }),
    fc.tuple(place, place).map(([from, to]) => Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])),
    fc
      .tuple(place, fc.uint8Array({ maxLength: 40 }))
      .map(([at, more]) => Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)])),
    fc
      .constantFrom('\uFEFF', ' \n', '\0', ")]}',\n", '/*')
      .map((before) => Buffer.concat([Buffer.from(before), bytes])),
    fc.constant(Buffer.from(bytes.toString('utf8'), 'utf16le')),
    fc.constant(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(bytes.toString('utf8'), 'utf16le')])),
    fc.constant(Buffer.from(bytes.toString('utf8'), 'latin1')),
    fc.constant(Buffer.concat([bytes, bytes])),
    fc.constantFrom('[', '{"data":', '"\\u0000').map((piece) => Buffer.from(piece.repeat(100_000)))
  )
}
