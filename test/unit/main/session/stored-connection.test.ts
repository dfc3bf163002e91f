import { beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'valibot'
import { err, ok } from '../../../../electron/contract/failure.ts'
import { accountSchema, type Account } from '../../../../electron/contract/loyalty.ts'
import type { Notice } from '../../../../electron/contract/till.ts'
import { PAIRING_CODE_UNKNOWN, type PairingClient } from '../../../../electron/main/session/pairing-client.ts'
import { StoredConnection } from '../../../../electron/main/session/stored-connection.ts'
import type { Credentials } from '../../../../electron/main/loyalty/credentials.ts'
import { Session } from '../../../../electron/main/session/session.ts'
import type { SealResult } from '../../../../electron/main/settings/index.ts'
import type { SealedToken, StoredSettings } from '../../../../electron/main/settings/settings-schema.ts'
import { AccountClient, connectorOf, MemorySettings } from '../../../support/session.ts'

const ACCOUNT: Account = parse(accountSchema, { id: 'a1', name: 'Shop' })
const ADDRESS = 'https://shop.example/api/'

const sealed = (token: string): SealedToken => ({ ciphertext: `sealed ${token}`, weak: false })

let settings: MemorySettings
let used: Credentials[]
let pair: PairingClient['pair']
let waitingNotices: Notice[]
let encryption: boolean
/** sealing waits for it */
let sealing: Promise<unknown>

const tokens = {
  async seal(token: string, acceptWeak: boolean): Promise<SealResult> {
    await sealing
    return encryption || acceptWeak ? { kind: 'sealed', sealed: sealed(token) } : { kind: 'no-encryption' }
  },
  open: ({ ciphertext }: SealedToken) =>
    Promise.resolve(ciphertext.startsWith('sealed ') ? ciphertext.slice(7) : null)
}

const open = (stored: Partial<StoredSettings> = {}) => {
  settings.update(stored)
  const connect = (credentials: Credentials): AccountClient => {
    used.push(credentials)
    return new AccountClient(() => ok(ACCOUNT))
  }
  const session = new Session({ settings, connector: connectorOf(connect), onChange: () => undefined })
  const connection = new StoredConnection({
    session,
    settings,
    tokens,
    pairing: { pair: (baseUrl, code) => pair(baseUrl, code) },
    onWaiting: (notice) => waitingNotices.push(notice),
    pairingRetryMs: 1
  })
  return { session, connection }
}

beforeEach(() => {
  settings = new MemorySettings()
  used = []
  encryption = true
  waitingNotices = []
  pair = () => Promise.resolve(err({ kind: 'not-found' }))
  sealing = Promise.resolve()
})

describe('the first start', () => {
  const provisioning = { baseUrl: ADDRESS, token: 't' }

  it('sends no request without credentials in the environment', async () => {
    expect(await open().connection.restore(null)).toBeNull()
    expect(used).toEqual([])
  })

  it('connects with the credentials of the environment, and stores the token encrypted', async () => {
    expect(await open().connection.restore(provisioning)).toBeNull()
    expect(used).toEqual([provisioning])
    expect(settings.values).toMatchObject({
      mode: 'business',
      baseUrl: ADDRESS,
      business: null,
      token: sealed('t')
    })
  })

  it('uses a token that cannot be encrypted without storing it, and returns a notice', async () => {
    encryption = false
    expect(await open().connection.restore(provisioning)).toEqual({ kind: 'token-not-kept' })
    expect(used).toHaveLength(1)
    expect(settings.values.token).toBeNull()
  })

  it('uses the token before it is encrypted, and does not store it when the connection was replaced', async () => {
    const encrypted = Promise.withResolvers<undefined>()
    sealing = encrypted.promise
    const { session, connection } = open()
    const restored = connection.restore(provisioning)
    expect(used).toEqual([provisioning])
    expect(settings.values).toMatchObject({ mode: 'business', token: null })
    session.use(null)
    encrypted.resolve(undefined)
    expect(await restored).toBeNull()
    expect(settings.values.token).toBeNull()
  })

  it.each([
    ['an invalid base URL', { baseUrl: 'http://shop', token: 't' }],
    ['a missing token', { baseUrl: ADDRESS, token: '' }]
  ])('returns the reason for %s of the environment, and stays in onboarding', async (_fault, invalid) => {
    expect((await open().connection.restore(invalid))?.kind).toBe('provisioning-failed')
    expect(settings.values.mode).toBe('onboarding')
  })
})

describe('a later start', () => {
  const later = { mode: 'business', baseUrl: ADDRESS, token: sealed('t') } as const

  it('decrypts the stored token', async () => {
    expect(await open(later).connection.restore(null)).toBeNull()
    expect(used).toEqual([{ baseUrl: ADDRESS, token: 't' }])
  })

  it('prefers the stored connection to the environment', async () => {
    await open(later).connection.restore({ baseUrl: 'https://other/', token: 'x' })
    expect(used).toEqual([{ baseUrl: ADDRESS, token: 't' }])
  })

  it('returns a notice when the token cannot be decrypted', async () => {
    const { connection } = open({ ...later, token: { ciphertext: 'foreign', weak: false } })
    expect(await connection.restore(null)).toEqual({ kind: 'token-unreadable' })
    expect(used).toEqual([])
  })

  it('uses the token of the environment if none could be stored', async () => {
    const provisioning = { baseUrl: ADDRESS, token: 't' }
    expect(await open({ ...later, token: null }).connection.restore(provisioning)).toBeNull()
    expect(used).toEqual([provisioning])
  })
})

describe('saving a connection', () => {
  const checked = async () => {
    const { session, connection } = open()
    await session.candidates.check({ baseUrl: ADDRESS, token: 't' })
    return connection
  }

  it('stores the credentials that were checked', async () => {
    const connection = await checked()
    expect(await connection.saveCandidate(false)).toEqual(ok(null))
    expect(settings.values).toMatchObject({
      mode: 'business',
      baseUrl: ADDRESS,
      business: ACCOUNT,
      token: sealed('t')
    })
  })

  it('fails with no-encryption if the system provides none', async () => {
    encryption = false
    const connection = await checked()
    expect(await connection.saveCandidate(false)).toEqual(err({ kind: 'no-encryption' }))
    expect(settings.values.mode).toBe('onboarding')
  })

  it('stores the token without encryption if the manager accepts that', async () => {
    encryption = false
    const connection = await checked()
    expect(await connection.saveCandidate(true)).toEqual(ok(null))
  })

  it('stores no credentials that were not checked', async () => {
    expect(await open().connection.saveCandidate(false)).toEqual(err({ kind: 'not-connected' }))
  })

  it('stores nothing that was checked again, or removed, while it was encrypted', async () => {
    const encrypted = Promise.withResolvers<undefined>()
    sealing = encrypted.promise
    const { session, connection } = open()
    await session.candidates.check({ baseUrl: ADDRESS, token: 't' })
    const saved = connection.saveCandidate(false)
    await session.candidates.check({ baseUrl: 'https://other.example/', token: 'other' })
    encrypted.resolve(undefined)
    expect(await saved).toEqual(err({ kind: 'aborted' }))
    expect(settings.values.mode).toBe('onboarding')
    const again = connection.saveCandidate(false)
    connection.forget()
    expect(await again).toEqual(err({ kind: 'aborted' }))
    expect(settings.values).toMatchObject({ mode: 'onboarding', token: null })
  })

  it('forgets it', async () => {
    const { session, connection } = open()
    await session.candidates.check({ baseUrl: ADDRESS, token: 't' })
    await connection.saveCandidate(false)
    connection.forget()
    expect(settings.values).toMatchObject({ mode: 'onboarding', baseUrl: null, business: null, token: null })
    expect(session.credentials).toBeNull()
  })
})

describe('a policy', () => {
  const code = { baseUrl: ADDRESS, token: '', pairingCode: 'BCDF-GHJK' }

  it('connects with the token that its pairing code is traded for, and stores it encrypted', async () => {
    pair = (baseUrl) => Promise.resolve(ok({ baseUrl: `${baseUrl}1.0/`, token: 'traded' }))
    const { session, connection } = open()
    expect(await connection.restore(code)).toBeNull()
    expect(session.credentials).toEqual({ baseUrl: `${ADDRESS}1.0/`, token: 'traded' })
    expect(settings.values).toMatchObject({
      mode: 'business',
      baseUrl: `${ADDRESS}1.0/`,
      token: sealed('traded')
    })
  })

  it('sends its code again until the service can be reached', async () => {
    const answers = [
      err({ kind: 'offline' }),
      err({ kind: 'timeout' }),
      ok({ baseUrl: ADDRESS, token: 'traded' })
    ]
    pair = () => Promise.resolve(answers.shift() ?? err({ kind: 'internal' }))
    const { session, connection } = open()
    expect(await connection.restore(code)).toBeNull()
    expect(session.credentials?.token).toBe('traded')
    expect(waitingNotices.map((notice) => notice.kind)).toEqual([
      'provisioning-failed',
      'provisioning-failed'
    ])
  })

  /** Opens a till that waits for its pairing: each request of `trade` is answered by hand. */
  const openWaiting = async () => {
    const asked: PromiseWithResolvers<Awaited<ReturnType<PairingClient['pair']>>>[] = []
    pair = () => {
      const answer = Promise.withResolvers<Awaited<ReturnType<PairingClient['pair']>>>()
      asked.push(answer)
      return answer.promise
    }
    const { session, connection } = open()
    const restored = connection.restore(code)
    await expect.poll(() => asked.length).toBe(1)
    return { session, connection, restored, asked }
  }

  it('sends its code once when the policy changes while the till waits', async () => {
    const { session, connection, restored, asked } = await openWaiting()
    const again = connection.provision(code)
    asked[0]?.resolve(ok({ baseUrl: ADDRESS, token: 'traded' }))
    expect([await restored, await again]).toEqual([null, null])
    expect([session.credentials?.token, asked.length]).toEqual(['traded', 1])
  })

  it('does not use the answer to its code when the till was connected meanwhile', async () => {
    const { session, connection, restored, asked } = await openWaiting()
    await session.candidates.check({ baseUrl: 'https://other.example/', token: 'typed' })
    expect(await connection.saveCandidate(false)).toEqual(ok(null))
    asked[0]?.resolve(ok({ baseUrl: ADDRESS, token: 'traded' }))
    expect(await restored).toBeNull()
    await new Promise(setImmediate)
    expect(settings.values).toMatchObject({ baseUrl: 'https://other.example/', token: sealed('typed') })
    expect([session.credentials?.token, asked.length]).toEqual(['typed', 1])
  })

  it('sends its code to the address of a newer policy, and nothing to the earlier one', async () => {
    const { session, connection, restored, asked } = await openWaiting()
    const service = session.service()
    const corrected = connection.provision({ ...code, baseUrl: 'https://other.example/' })
    await expect.poll(() => asked.length).toBe(2)
    asked[0]?.resolve(err({ kind: 'offline' }))
    asked[1]?.resolve(ok({ baseUrl: 'https://other.example/', token: 'traded' }))
    expect([await restored, await corrected]).toEqual([null, null])
    expect(await service).toMatchObject({ ok: true })
    expect(settings.values.baseUrl).toBe('https://other.example/')
    expect([waitingNotices, asked.length]).toEqual([[], 2])
  })

  it('leaves training mode alone when its code is refused', async () => {
    const { session, connection, restored, asked } = await openWaiting()
    await session.startTraining()
    asked[0]?.resolve(err({ kind: 'not-found' }))
    await restored
    expect(settings.values).toMatchObject({ mode: 'training', baseUrl: null })
    await session.leaveTraining()
    expect(session.mode).toBe('onboarding')
    connection.forget()
  })

  it('leaves a till with a used code as it was', async () => {
    const { session, connection } = open()
    expect(await connection.restore(code)).toEqual({
      kind: 'provisioning-failed',
      failure: PAIRING_CODE_UNKNOWN
    })
    expect(session.mode).toBe('onboarding')
  })

  it('trades its code at the next start when the till ended before', async () => {
    pair = (baseUrl) => Promise.resolve(ok({ baseUrl, token: 'traded' }))
    const { session, connection } = open({ mode: 'business', baseUrl: ADDRESS })
    await connection.restore(code)
    expect(session.credentials?.token).toBe('traded')
  })

  it('moves a till to the service that it locks, and no till without a token for it', async () => {
    const stored = { mode: 'business', baseUrl: ADDRESS, token: sealed('t'), business: ACCOUNT } as const
    const { session, connection } = open(stored)
    const elsewhere = { baseUrl: 'https://other.example/', isLocked: true, isTokenInFile: true }
    await connection.restore({ ...elsewhere, token: '' })
    expect(session.credentials).toEqual({ baseUrl: ADDRESS, token: 't' })
    expect(await connection.provision({ ...elsewhere, token: 'new', isLocked: false })).toBeNull()
    expect(session.credentials?.token).toBe('t')
    await connection.provision({ ...elsewhere, token: 'new' })
    expect(session.credentials).toEqual({ baseUrl: 'https://other.example/', token: 'new' })
    expect(settings.values.business).toBeNull()
  })

  it('needs no encryption for a token that stays in its file', async () => {
    encryption = false
    const { connection } = open()
    expect(await connection.restore({ baseUrl: ADDRESS, token: 't', isTokenInFile: true })).toBeNull()
    const { session, connection: next } = open()
    await next.restore({ baseUrl: ADDRESS, token: 't', isTokenInFile: true })
    expect(session.credentials?.token).toBe('t')
  })
})

describe('the file of the token', () => {
  const inFile = (token: string, isLocked = true) => ({
    baseUrl: ADDRESS,
    token,
    isLocked,
    isTokenInFile: true
  })

  it('replaces the token of an open till, which stays in its mode', async () => {
    const { session, connection } = open()
    await connection.restore(inFile('first'))
    await session.refresh()
    await connection.provision(inFile('second'))
    expect(session.credentials).toEqual({ baseUrl: ADDRESS, token: 'second' })
    expect(settings.values).toMatchObject({ mode: 'business', business: ACCOUNT, token: sealed('second') })
    await session.startTraining()
    await connection.provision(inFile('third'))
    expect(session.credentials?.token).toBe('third')
    expect(session.mode).toBe('training')
  })

  it('replaces the token at the next start, and then once', async () => {
    const stored = { mode: 'business', baseUrl: ADDRESS, business: ACCOUNT } as const
    for (const isLocked of [true, false]) {
      settings = new MemorySettings()
      await open().connection.restore(inFile('first', isLocked))
      const { session, connection } = open(stored)
      await connection.restore(inFile('second', isLocked))
      expect(session.credentials?.token).toBe('second')
      expect(settings.values.token).toEqual(sealed('second'))
      const { generation } = session
      await connection.provision(inFile('second', isLocked))
      expect(session.generation).toBe(generation)
    }
  })

  it('is followed without encryption, too', async () => {
    encryption = false
    const { session, connection } = open()
    await connection.restore(inFile('first'))
    await connection.provision(inFile('second'))
    expect(session.credentials?.token).toBe('second')
  })

  it('that is empty or gone leaves the connection', async () => {
    const { session, connection } = open()
    await connection.restore(inFile('first'))
    await connection.provision(inFile(''))
    expect(session.credentials?.token).toBe('first')
  })

  const connectByHand = async (session: Session, connection: StoredConnection): Promise<void> => {
    await session.candidates.check({ baseUrl: ADDRESS, token: 'typed' })
    expect(await connection.saveCandidate(false)).toEqual(ok(null))
  }

  it('leaves a token that was typed since, until it changes again', async () => {
    const first = open()
    await first.connection.restore(inFile('first'))
    await connectByHand(first.session, first.connection)
    const { session, connection } = open()
    await connection.restore(inFile('first'))
    expect(session.credentials?.token).toBe('typed')
    await connection.provision(inFile('second'))
    expect(session.credentials?.token).toBe('second')
  })

  it('moves no till that was connected by hand unless the address is locked', async () => {
    const { session, connection } = open()
    await connection.restore(inFile('first', false))
    await connectByHand(session, connection)
    await connection.provision(inFile('second', false))
    expect(session.credentials?.token).toBe('typed')
  })

  it('is not sent to another service than the policy names', async () => {
    const { session, connection } = open()
    await connection.restore(inFile('first', false))
    await session.candidates.check({ baseUrl: 'https://other.example/', token: 'typed' })
    await connection.saveCandidate(false)
    await connection.provision(inFile('second', false))
    expect(session.credentials).toEqual({ baseUrl: 'https://other.example/', token: 'typed' })
  })
})
