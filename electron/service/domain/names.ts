/** Names of customers and rewards. */
import { Refusal } from './refusal.ts'

const MAX_NAME_LENGTH = 200

/** Trims a name. Throws a `Refusal` for one that is empty, longer than 200 characters or has control characters. */
export const parseName = (text: string): string => {
  const name = text.trim()
  if (name === '') throw new Refusal('name-malformed', 'The name is missing.')
  if (Array.from(name).length > MAX_NAME_LENGTH) {
    throw new Refusal('name-malformed', `The name has more than ${MAX_NAME_LENGTH} characters.`)
  }
  if (/[\p{Cc}\p{Cs}]/u.test(name)) throw new Refusal('name-malformed', 'The name has control characters.')
  return name
}
