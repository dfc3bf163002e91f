/**
 * How long a service asks to wait, in whole seconds from now, rounded up: `Retry-After` as seconds or as a date
 * (RFC 9110, 10.2.3). Null when the header is absent or says nothing readable.
 */
export const retryAfterSeconds = (header: string | null): number | null => {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  // A date always names its weekday; anything else that Date.parse would swallow is no Retry-After.
  const moment = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(moment) ? null : Math.max(0, Math.ceil((moment - Date.now()) / 1000))
}
