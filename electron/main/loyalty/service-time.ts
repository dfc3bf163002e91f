/** Moments that the service sends, and the till's clock beside its. */

/** ISO 8601 with a time and an offset. A time without an offset can be of any zone. */
const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/i

/** Beyond this difference the till's clock counts as wrong. */
const MAX_CLOCK_DIFFERENCE_MS = 5 * 60_000

/**
 * Returns a moment that came with a code in UTC. Null if the service sent none that can be read exactly, or the zero
 * value of its date type, in the year 1 or 1970.
 */
export function serviceMoment(sent: string | null): Date | null {
  if (sent === null || !MOMENT.test(sent)) return null
  const moment = new Date(sent)
  return moment.getUTCFullYear() > 1970 ? moment : null
}

/**
 * Returns how far the till's clock is ahead of the service, in ms, negative if it is behind; 0 if the difference can be
 * ignored. The code was created between the request and its response.
 */
export function clockDifference(created: Date, requestedAt: Date, respondedAt: Date): number {
  const ahead = requestedAt.getTime() - created.getTime()
  const behind = created.getTime() - respondedAt.getTime()
  if (ahead > MAX_CLOCK_DIFFERENCE_MS) return ahead
  return behind > MAX_CLOCK_DIFFERENCE_MS ? -behind : 0
}
