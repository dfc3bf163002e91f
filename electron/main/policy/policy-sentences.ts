/**
 * What a policy may say, in words for its administrator: made from the schemas, so that each value of each setting has a
 * sentence that names it, what is allowed, and what to do.
 */
import * as v from 'valibot'

/** The parts of a schema of valibot that are put into words. */
const nodeSchema = v.object({
  type: v.string(),
  key: v.fallback(v.string(), ''),
  literal: v.optional(v.unknown()),
  message: v.optional(v.unknown()),
  requirement: v.optional(v.unknown()),
  wrapped: v.optional(v.unknown()),
  item: v.optional(v.unknown()),
  options: v.fallback(v.array(v.unknown()), []),
  entries: v.fallback(v.record(v.string(), v.unknown()), {}),
  pipe: v.fallback(v.array(v.unknown()), [])
})
type Node = v.InferOutput<typeof nodeSchema>

const nodeOf = (schema: unknown): Node => v.parse(nodeSchema, schema)

const quoted = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ')

/** Longer values are cut. */
const MAX_SHOWN_LENGTH = 60

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text
}

/** Returns the number that a check of a pipe compares with; undefined without that check. */
function limitOf({ pipe }: Node, type: string): number | undefined {
  const check = pipe.map(nodeOf).find((step) => step.type === type)
  return typeof check?.requirement === 'number' ? check.requirement : undefined
}

/** Returns what a schema allows, as the end of `must be`. */
function allowedBy(schema: unknown): string {
  const node = nodeOf(schema)
  // A check that no type tells has its own words.
  const words = node.pipe.map(nodeOf).findLast(({ message }) => typeof message === 'string')?.message
  if (typeof words === 'string') return words.charAt(0).toLowerCase() + words.slice(1)
  switch (node.type) {
    case 'nullable':
      return `${allowedBy(node.wrapped)}, or null`
    case 'optional':
      return allowedBy(node.wrapped)
    case 'picklist':
      return `one of ${quoted(node.options)}`
    case 'literal':
      return JSON.stringify(node.literal)
    case 'boolean':
      return 'true or false'
    case 'number': {
      const [minimum, maximum] = [limitOf(node, 'min_value'), limitOf(node, 'max_value')]
      const isOpen = minimum === undefined || maximum === undefined
      return isOpen ? 'a whole number' : `a whole number from ${String(minimum)} to ${String(maximum)}`
    }
    case 'array':
      return `a list of at most ${String(limitOf(node, 'max_length'))} values, each ${allowedBy(node.item)}`
    case 'strict_object':
      return `an object with ${quoted(Object.keys(node.entries))}`
    case 'variant':
      return `an object whose ${JSON.stringify(node.key)} is ${kindsOf(node)}`
    default: {
      const [minimum, maximum] = [
        limitOf(node, 'non_empty') === undefined ? '' : '1 to ',
        limitOf(node, 'max_length')
      ]
      return maximum === undefined
        ? 'a text'
        : `a text of ${minimum || 'at most '}${String(maximum)} characters`
    }
  }
}

const kindsOf = ({ key, options }: Node): string =>
  `one of ${options.map((option) => allowedBy(nodeOf(option).entries[key])).join(', ')}`

/** Returns the schema of a part of a value; null for a part that it does not have. */
function partOf(schema: unknown, key: unknown, value: unknown): unknown {
  const node = nodeOf(schema)
  if (node.wrapped !== undefined) return partOf(node.wrapped, key, value)
  if (node.item !== undefined) return node.item
  const kind: unknown = Reflect.get(Object(value), node.key)
  const option =
    node.type === 'variant'
      ? node.options.find((one) => nodeOf(nodeOf(one).entries[node.key]).literal === kind)
      : node
  return nodeOf(option ?? node).entries[String(key)] ?? null
}

/**
 * Returns what is wrong with a value that a schema refuses.
 * @param name of the setting or option
 * @param allowed what a policy may say beyond the schema
 * @param issue the first of the refusal
 */
export function wrongValueSentence(
  {
    name,
    schema,
    value,
    allowed
  }: {
    readonly name: string
    readonly schema: unknown
    readonly value: unknown
    readonly allowed?: string | undefined
  },
  issue: v.BaseIssue<unknown> | undefined
): string {
  let [part, found, place] = [schema, value, name]
  for (const { key } of issue?.path ?? []) {
    const next = partOf(part, key, found)
    if (next === null) {
      const node = nodeOf(part)
      if (node.type === 'variant' && key === node.key)
        return valueSentence(`${place}.${node.key}`, kindsOf(node), issue?.input)
      return `There is no "${String(key)}" in "${place}", which must be ${allowedBy(part)}. Correct the name, or remove it.`
    }
    found = Reflect.get(Object(found), String(key)) as unknown
    part = next
    place += `.${String(key)}`
  }
  return valueSentence(place, place === name ? (allowed ?? allowedBy(part)) : allowedBy(part), found)
}

/** Returns what is wrong with a value that must be another one. @param value undefined: it is missing */
export const valueSentence = (place: string, allowed: string, value: unknown): string =>
  value === undefined
    ? `"${place}" is missing. It must be ${allowed}. Add it.`
    : `"${place}" must be ${allowed}, but is ${shown(value)}. Correct it, or remove it.`

/** Returns what is wrong with a name that nothing has. */
export const unknownNameSentence = (name: string, known: readonly string[]): string =>
  `There is no "${name}" here. Allowed are ${quoted(known)}. Correct the name, or remove it.`
