/** Points codes: extracts one from a scanned or typed text, and determines whether one was used. */
import type { QrCode } from '../../contract/loyalty.ts'

const MAX_URL_LENGTH = 2000

const asUrl = (text: string): URL | null => {
  if (text.length > MAX_URL_LENGTH || /\s/.test(text)) return null
  const schemeless = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?\/\S+$/.test(text)
  const address = schemeless ? `https://${text}` : text
  return /^[a-z][a-z\d+.-]*:\/\//i.test(address) && URL.canParse(address) ? new URL(address) : null
}

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * Returns the code in a URL: its query parameter `code`, else the last segment of its path. Null for a text that is no
 * URL, or a URL with neither. The interface document does not specify the content of `qrURL`; both forms are common.
 */
export const codeFromUrl = (text: string): string | null => {
  const url = asUrl(text.trim())
  if (url === null) return null
  for (const [name, value] of url.searchParams)
    if (name.toLowerCase() === 'code' && value !== '') return value
  const segment = url.pathname.split('/').findLast((part) => part !== '')
  return segment === undefined ? null : decoded(segment)
}

/** A word that is a code rather than a name: it has a digit, an underscore, six capitals, or two inner capitals. */
const CODE_LIKE = /^(?=.*(?:\d|_|[A-Z]{6}|[a-z][A-Z].*[a-z][A-Z]))[A-Za-z\d][\w.~-]{3,199}$/

/**
 * Returns the code in a text from the search box: from a URL, or the text itself if it is one word that looks
 * like a code. Null otherwise. A phone of digits also looks like a code, so use this only if the text is a URL
 * (`codeFromUrl`) or if no customer was found.
 */
export const codeFromText = (text: string): string | null => {
  const token = text.trim()
  return codeFromUrl(token) ?? (CODE_LIKE.test(token) ? token : null)
}

const USED = new Set(['used', 'redeemed', 'claimed', 'consumed', 'scanned', 'collected', 'credited', 'spent'])
const UNUSED = new Set([
  'unused',
  'notused',
  'active',
  'available',
  'new',
  'created',
  'pending',
  'valid',
  'open',
  'unclaimed',
  'notclaimed',
  'unredeemed',
  'notredeemed'
])

/** Returns whether a date is real. Some services send the zero value of their date type, in the year 1 or 1970. */
const isRealDate = (moment: string): boolean => new Date(moment).getUTCFullYear() > 1970

/**
 * Returns true if the code has a date of use or a status of a used code, false for a status of an unused code, and null
 * otherwise. The interface document specifies neither the values of `status` nor `usedDate` before use.
 */
export const isCodeUsed = ({ usedDate, status }: Pick<QrCode, 'usedDate' | 'status'>): boolean | null => {
  if (usedDate !== null && isRealDate(usedDate)) return true
  const word = status.toLowerCase().replace(/[^a-z]/g, '')
  if (USED.has(word)) return true
  return UNUSED.has(word) ? false : null
}
