/** Names of customers and rewards. */
import { Refusal } from './refusal.ts'

/** Characters of a name. The interface document specifies no limit. */
export const MAX_NAME_LENGTH = 200

const FAULTS = {
  'name-missing': 'The name is missing.',
  'name-too-long': `The name has more than ${MAX_NAME_LENGTH} characters.`,
  'name-malformed': 'The name has control characters.'
} as const

/** Returns what is wrong with a trimmed name; null if nothing is. */
export const nameFault = (name: string): keyof typeof FAULTS | null => {
  if (name === '') return 'name-missing'
  if (Array.from(name).length > MAX_NAME_LENGTH) return 'name-too-long'
  return /[\p{Cc}\p{Cs}]/u.test(name) ? 'name-malformed' : null
}

/** Trims a name. Throws a `Refusal` for one that is empty, longer than 200 characters or has control characters. */
export const parseName = (text: string): string => {
  const name = text.trim()
  const fault = nameFault(name)
  if (fault !== null) throw new Refusal('name-malformed', FAULTS[fault])
  return name
}
