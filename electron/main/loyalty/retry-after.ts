/** Longest wait that is believed, s: a service that names more than a day has its clock wrong, or the till has. */
const LONGEST_BELIEVED = 86_400

/**
 * How long a service asks to wait, in whole seconds from now, rounded up: `Retry-After` as seconds or as a date
 * (RFC 9110, 10.2.3). Null when the header is absent, says nothing readable, or names more than a day.
 */
export const retryAfterSeconds = (header: string | null): number | null => {
  const text = header?.trim() ?? ''
  // A date always names its weekday; anything else that Date.parse would swallow is no Retry-After.
  const seconds = /^\d+$/.test(text)
    ? Number(text)
    : /^[A-Z][a-z]+,? /.test(text)
      ? Math.max(0, Math.ceil((Date.parse(text) - Date.now()) / 1000))
      : Number.NaN
  return seconds <= LONGEST_BELIEVED ? seconds : null
}
