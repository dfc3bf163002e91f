/** Keys with which a till makes codes without a connection. Vitest is not loaded here. */
import { CODE_ALPHABET, writeOfflineCode } from '../../electron/codes/offline-code.ts'
import type { OfflineKeyAnswer } from '../../electron/contract/offline.ts'
import { OfflineKeys, type OfflineKeysDependencies } from '../../electron/main/offline/offline-keys.ts'
import { seededRandom } from './seeded-random.ts'

export const OFFLINE_SECRET = Buffer.alloc(32, 7)

/** A key of 21 November 2026 for three days, as the service gives it. */
export const offlineKeyAnswer: OfflineKeyAnswer = {
  key: 'K7Q2M0',
  secret: OFFLINE_SECRET.toString('base64url'),
  ticket: 'T1',
  address: 'HTTPS://POINTS.SHOP.EXAMPLE/Q/',
  pointsOfCode: 500,
  pointsOfDay: 700,
  days: 3,
  codeValidityDays: 90,
  timeZone: 'Europe/Berlin',
  day: '2026-11-21',
  renewAfter: '2026-11-21T13:00:00.000Z'
}

/** Creates the keys of a till whose system has a keyring that is no secret. */
export const createOfflineKeys = (
  dependencies: Pick<OfflineKeysDependencies, 'session' | 'settings'> &
    Partial<Pick<OfflineKeysDependencies, 'onChange'>>
) =>
  new OfflineKeys({
    onChange: () => undefined,
    ...dependencies,
    tokens: {
      seal: (token) =>
        Promise.resolve({ kind: 'sealed', sealed: { ciphertext: `sealed ${token}`, weak: false } }),
      open: ({ ciphertext }) => Promise.resolve(ciphertext.slice('sealed '.length))
    },
    clock: { aheadMs: 0 }
  })

/** Returns the address in the QR code of a slip, at a host of 30 characters; another one for each index. */
export function offlineAddress(index: number): string {
  const random = seededRandom(index)
  const serial = Array.from({ length: 10 }, () => CODE_ALPHABET.charAt(Math.floor(random() * 32))).join('')
  const points = 1 + Math.floor(random() * 9_999_999)
  return `HTTPS://LOYALTY.CORNER-SHOP-42.EXAMPLE/Q/${writeOfflineCode({ key: 'K7Q2M0', serial, points, day: '2026-11-21' }, OFFLINE_SECRET)}`
}
