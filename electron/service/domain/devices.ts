/** Devices of customers: a cookie names one, and staff link it to a customer by the six digits that it shows. */
import type { RandomBytes } from './identifiers.ts'

/** How long the digits are valid. */
export const LINK_TIME_MS = 10 * 60_000

/** A device that is linked to a customer. Times are ISO 8601, UTC. */
export interface LinkedDevice {
  readonly id: string
  readonly createdAt: string
  readonly lastSeenAt: string
}

/** Returns six random digits. */
export const newLinkDigits = (random: RandomBytes): string => {
  let digits = ''
  while (digits.length < 6) {
    // Bytes from 250 on would make the first digits likelier.
    for (const byte of random(6)) if (byte < 250) digits += String(byte % 10)
  }
  return digits.slice(0, 6)
}
