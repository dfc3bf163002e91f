import { describe, expect, it } from 'vitest'
import { err, ok, type Result, type Failure } from '../../../../electron/contract/failure.ts'
import type { QrCode } from '../../../../electron/contract/loyalty.ts'
import { createCheckCode } from '../../../../electron/main/ipc/slips.ts'
import type { LoyaltyClient } from '../../../../electron/main/loyalty/loyalty-client.ts'
import type { Session } from '../../../../electron/main/session/session.ts'
import { slip } from '../../renderer/support/bridge.ts'

const qr: QrCode = {
  code: 'AR7K',
  qrURL: 'https://points.example/q/AR7K',
  qrImageURL: null,
  rewardPoints: 250,
  status: 'used',
  usedDate: '2026-11-20T17:11:00.000Z',
  createdAt: null,
  updatedAt: null
}
const own = slip('intent', { code: 'AR7K' })

/** A check in a till that issued AR7K, of a service that answers so. */
const check = (answer: Result<QrCode>) =>
  createCheckCode({ ask: () => Promise.resolve(answer) } as unknown as Session<LoyaltyClient>, () =>
    Promise.resolve({
      byCode: (code) => (code === own.code ? own : null),
      byUrl: (url) => (url === own.url ? own : null),
      newestCodes: () => [own]
    })
  )

const silent: Failure = { kind: 'offline' }

describe('checking a code', () => {
  it('returns the status from the service and the slip of this till', async () => {
    expect(await check(ok(qr))('ar7k')).toEqual(ok({ code: 'AR7K', qr, used: true, slip: own }))
  })

  it.each(['AR7K', ' ar7k ', 'https://points.example/q/AR7K'])(
    'returns the slip of this till without a response of the service: %s',
    async (text) => {
      expect(await check(err(silent))(text)).toEqual(ok({ code: 'AR7K', qr: null, used: null, slip: own }))
    }
  )

  it('fails without a response for a code that this till did not issue', async () => {
    expect(await check(err(silent))('BR8L')).toEqual(err(silent))
  })

  it.each(['https://elsewhere.example/q/BR8L', 'https://elsewhere.example/'])(
    'reports that the code is not in an address if the guess is wrong, or there is none: %s',
    async (address) => {
      const failure: Failure = { kind: 'invalid-input', field: 'code', fault: 'not-in-address' }
      expect(await check(err({ kind: 'not-found' }))(address)).toEqual(err(failure))
    }
  )

  it('reports an unknown code of an address that is like that of an issued one', async () => {
    expect(await check(err({ kind: 'not-found' }))('https://points.example/q/BR8L')).toEqual(
      err({ kind: 'not-found' })
    )
  })

  it('returns a refusal of the service instead of the slip', async () => {
    const refusal: Failure = { kind: 'not-found' }
    expect(await check(err(refusal))('AR7K')).toEqual(err(refusal))
  })

  it('ignores an aborted call', async () => {
    expect(await check(err(silent))('AR7K', AbortSignal.abort())).toEqual(err(silent))
  })
})
