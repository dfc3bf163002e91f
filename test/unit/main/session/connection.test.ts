import { beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'valibot'
import { err, ok } from '../../../../electron/contract/failure.ts'
import { accountSchema, type Account } from '../../../../electron/contract/loyalty.ts'
import {
  restoreConnection,
  saveCandidate,
  type ConnectionStore
} from '../../../../electron/main/session/connection.ts'
import { Session, type Credentials, type SessionState } from '../../../../electron/main/session/session.ts'

const ACCOUNT: Account = parse(accountSchema, { id: 'a1', name: 'Shop' })
const ADDRESS = 'https://shop.example/api/'

let stored: SessionState & { token: string | null }
let used: Credentials[]
let encryption: boolean

const createSession = () =>
  new Session({
    readState: () => stored,
    updateState: (change) => {
      stored = { ...stored, ...change }
    },
    connect: (credentials) => {
      used.push(credentials)
      return { account: () => Promise.resolve(ok(ACCOUNT)) }
    },
    openTraining: () => Promise.reject(new Error('no training service')),
    onChange: () => undefined
  })

const connectionStore: ConnectionStore<string> = {
  seal: (token, acceptWeak) =>
    Promise.resolve(
      encryption || acceptWeak ? { kind: 'sealed', sealed: `sealed ${token}` } : { kind: 'no-encryption' }
    ),
  keep: (connection) => {
    stored = { ...stored, ...connection, mode: 'business' }
  },
  forget: () => undefined
}

const help = {
  store: connectionStore,
  openSealed: (sealed: string) => Promise.resolve(sealed.startsWith('sealed ') ? sealed.slice(7) : null),
  parseBaseUrl: (text: string) =>
    text.startsWith('https:')
      ? ok(text)
      : err({ kind: 'invalid-input', field: 'base-url', fault: 'not-https' })
}

beforeEach(() => {
  stored = { mode: 'onboarding', baseUrl: null, business: null, token: null }
  used = []
  encryption = true
})

describe('the first start', () => {
  const first = { mode: 'onboarding', baseUrl: null, sealedToken: null } as const

  it('sends no request without credentials in the environment', async () => {
    expect(await restoreConnection(createSession(), { ...first, provisioning: null }, help)).toBeNull()
    expect(used).toEqual([])
  })

  it('connects with the credentials of the environment, and stores the token encrypted', async () => {
    const notice = await restoreConnection(
      createSession(),
      { ...first, provisioning: { baseUrl: ADDRESS, token: 't' } },
      help
    )
    expect(notice).toBeNull()
    expect(used).toEqual([{ baseUrl: ADDRESS, token: 't' }])
    expect(stored).toEqual({ mode: 'business', baseUrl: ADDRESS, business: null, token: 'sealed t' })
  })

  it('uses a token that cannot be encrypted without storing it, and returns a notice', async () => {
    encryption = false
    const notice = await restoreConnection(
      createSession(),
      { ...first, provisioning: { baseUrl: ADDRESS, token: 't' } },
      help
    )
    expect(notice).toEqual({ kind: 'token-not-kept' })
    expect(used).toHaveLength(1)
    expect(stored.token).toBeNull()
  })

  it('uses the token before it is encrypted, and does not store it when the connection was replaced', async () => {
    const encrypted = Promise.withResolvers<undefined>()
    const session = createSession()
    const restored = restoreConnection(
      session,
      { ...first, provisioning: { baseUrl: ADDRESS, token: 't' } },
      {
        ...help,
        store: {
          ...connectionStore,
          seal: (token) => encrypted.promise.then(() => ({ kind: 'sealed', sealed: `sealed ${token}` }))
        }
      }
    )
    expect(used).toEqual([{ baseUrl: ADDRESS, token: 't' }])
    expect(stored).toMatchObject({ mode: 'business', token: null })
    session.use(null)
    encrypted.resolve(undefined)
    expect(await restored).toBeNull()
    expect(stored.token).toBeNull()
  })

  it('returns the reason for an invalid base URL of the environment, and stays in onboarding', async () => {
    const notice = await restoreConnection(
      createSession(),
      { ...first, provisioning: { baseUrl: 'http://shop', token: 't' } },
      help
    )
    expect(notice?.kind).toBe('provisioning-failed')
    expect(stored.mode).toBe('onboarding')
  })
})

describe('a later start', () => {
  const later = { mode: 'business', baseUrl: ADDRESS, sealedToken: 'sealed t' } as const

  it('decrypts the stored token', async () => {
    expect(await restoreConnection(createSession(), { ...later, provisioning: null }, help)).toBeNull()
    expect(used).toEqual([{ baseUrl: ADDRESS, token: 't' }])
  })

  it('prefers the stored connection to the environment', async () => {
    await restoreConnection(
      createSession(),
      { ...later, provisioning: { baseUrl: 'https://other/', token: 'x' } },
      help
    )
    expect(used).toEqual([{ baseUrl: ADDRESS, token: 't' }])
  })

  it('returns a notice when the token cannot be decrypted', async () => {
    const notice = await restoreConnection(
      createSession(),
      { ...later, sealedToken: 'foreign', provisioning: null },
      help
    )
    expect(notice).toEqual({ kind: 'token-unreadable' })
    expect(used).toEqual([])
  })

  it('uses the token of the environment if none could be stored', async () => {
    const provisioning = { baseUrl: ADDRESS, token: 't' }
    expect(
      await restoreConnection(createSession(), { ...later, sealedToken: null, provisioning }, help)
    ).toBeNull()
    expect(used).toEqual([provisioning])
  })
})

describe('saving a connection', () => {
  const checked = async () => {
    const one = createSession()
    await one.check({ baseUrl: ADDRESS, token: 't' })
    return one
  }

  it('stores the credentials that were checked', async () => {
    expect(await saveCandidate(await checked(), connectionStore, false)).toEqual(ok(null))
    expect(stored).toEqual({ mode: 'business', baseUrl: ADDRESS, business: ACCOUNT, token: 'sealed t' })
  })

  it('fails with no-encryption if the system provides none', async () => {
    encryption = false
    expect(await saveCandidate(await checked(), connectionStore, false)).toEqual(
      err({ kind: 'no-encryption' })
    )
    expect(stored.mode).toBe('onboarding')
  })

  it('stores the token without encryption if the manager accepts that', async () => {
    encryption = false
    expect(await saveCandidate(await checked(), connectionStore, true)).toEqual(ok(null))
  })

  it('stores no credentials that were not checked', async () => {
    expect(await saveCandidate(createSession(), connectionStore, false)).toEqual(
      err({ kind: 'not-connected' })
    )
  })
})
