/** Chromium's numbers of the network errors that a page's load meets (net/base/net_error_list.h). */
const NUMBERS: Readonly<Record<string, number>> = {
  ERR_FAILED: -2,
  ERR_ABORTED: -3,
  ERR_UNEXPECTED: -9,
  ERR_BLOCKED_BY_CLIENT: -20,
  ERR_CONNECTION_REFUSED: -102,
  ERR_INVALID_URL: -300,
  ERR_UNKNOWN_URL_SCHEME: -302
}

/** The number of a network error; -2 (ERR_FAILED) for one that is not listed. */
export const netErrorNumber = (name: string): number => NUMBERS[name] ?? -2
