/** Keys with which a till makes codes without a connection. Vitest is not loaded here. */
import type { OfflineKeyAnswer } from '../../electron/contract/offline.ts'
import { OfflineKeys, type OfflineKeysDependencies } from '../../electron/main/offline/offline-keys.ts'

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
export const createOfflineKeys = (dependencies: Pick<OfflineKeysDependencies, 'session' | 'settings'>) =>
  new OfflineKeys({
    ...dependencies,
    tokens: {
      seal: (token) =>
        Promise.resolve({ kind: 'sealed', sealed: { ciphertext: `sealed ${token}`, weak: false } }),
      open: ({ ciphertext }) => Promise.resolve(ciphertext.slice('sealed '.length))
    },
    clock: { aheadMs: 0 }
  })
