/** Settings as diagnostics may hold them: what was chosen from a list, and of all else only whether it is set. */

/** Settings whose text is one of a few that the till itself offers. */
const CHOICES = new Set([
  'mode',
  'language',
  'country',
  'kind',
  'paper',
  'code',
  'port',
  'rounding',
  'theme',
  'contrast'
])

/**
 * The settings without what somebody typed: a business's texts, names, addresses and secrets say only that they are
 * set. What a later version adds is treated the same way.
 */
export function settingsReport(settings: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]: [string, unknown]) => [name, report(name, value)])
  )
}

/** Whole groups that are about the business, or secret. */
const GROUPS = new Set(['token', 'business'])

function report(name: string, value: unknown): unknown {
  if (value === null || value === undefined || value === '') return 'not set'
  if (GROUPS.has(name)) return 'set'
  if (typeof value === 'boolean' || typeof value === 'number') return value
  if (typeof value === 'string') return CHOICES.has(name) ? value : 'set'
  if (Array.isArray(value)) return `${String(value.length)} items`
  return typeof value === 'object' ? settingsReport(value) : 'set'
}
