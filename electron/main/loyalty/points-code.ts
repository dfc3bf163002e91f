import type { QrCode } from '../../contract/loyalty.ts'

/** Points codes as a scanner or a cashier enters them: the URL in the QR, or the code printed below it. */

const LONGEST_URL = 2000

const asUrl = (text: string): URL | null => {
  if (text.length > LONGEST_URL || /\s/.test(text)) return null
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
 * The code in a URL: its query parameter `code`, else the last segment of its path. Null for a text that is no URL,
 * or a URL without either. What a service puts into `qrURL` is not shown; these are the two usual places.
 */
export const codeFromUrl = (text: string): string | null => {
  const url = asUrl(text.trim())
  if (url === null) return null
  for (const [name, value] of url.searchParams)
    if (name.toLowerCase() === 'code' && value !== '') return value
  const segment = url.pathname.split('/').findLast((part) => part !== '')
  return segment === undefined ? null : decoded(segment)
}

/** What makes a word a code rather than a name: a digit, an underscore, six capitals, or capitals inside it twice. */
const CODE_LIKE = /^(?=.*(?:\d|_|[A-Z]{6}|[a-z][A-Z].*[a-z][A-Z]))[A-Za-z\d][\w.~-]{3,199}$/

/**
 * The code in a text from the search box: from a URL, or the text itself when it is one word that looks like a code.
 * Null otherwise. It claims little: a phone of digits alone also looks like a code, so ask only when the text is a
 * URL (`codeFromUrl`) or nobody was found.
 */
export const codeFromText = (text: string): string | null => {
  const token = text.trim()
  return codeFromUrl(token) ?? (CODE_LIKE.test(token) ? token : null)
}

/* from used.ts: Whether a points code has been used, from the little that the service says about it. */

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

/** Services that cannot leave a date out send the zero of their clock, in the year 1 or 1970. */
const isRealDate = (moment: string): boolean => new Date(moment).getUTCFullYear() > 1970

/**
 * True when the code has a date of use, or a status that says so; false when the status says the contrary; null when
 * neither tells (the interface document does not show the values of `status`, nor what `usedDate` holds before use).
 */
export const isCodeUsed = ({ usedDate, status }: Pick<QrCode, 'usedDate' | 'status'>): boolean | null => {
  if (usedDate !== null && isRealDate(usedDate)) return true
  const word = status.toLowerCase().replace(/[^a-z]/g, '')
  if (USED.has(word)) return true
  return UNUSED.has(word) ? false : null
}
