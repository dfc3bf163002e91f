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

const session = () =>
  new Session({
    readState: () => stored,
    updateState: (change) => {
      stored = { ...stored, ...change }
    },
    connect: (credentials) => {
      used.push(credentials)
      return { account: () => Promise.resolve(ok(ACCOUNT)) }
    },
    openTraining: () => Promise.reject(new Error('no training here')),
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

  it('asks nothing of anyone when the environment asks for nothing', async () => {
    expect(await restoreConnection(session(), { ...first, provisioning: null }, help)).toBeNull()
    expect(used).toEqual([])
  })

  it('connects with what the environment gives, and keeps it sealed', async () => {
    const notice = await restoreConnection(
      session(),
      { ...first, provisioning: { baseUrl: ADDRESS, token: 't' } },
      help
    )
    expect(notice).toBeNull()
    expect(used).toEqual([{ baseUrl: ADDRESS, token: 't' }])
    expect(stored).toEqual({ mode: 'business', baseUrl: ADDRESS, business: null, token: 'sealed t' })
  })

  it('works with a token that it cannot seal, and says that it is not kept', async () => {
    encryption = false
    const notice = await restoreConnection(
      session(),
      { ...first, provisioning: { baseUrl: ADDRESS, token: 't' } },
      help
    )
    expect(notice).toEqual({ kind: 'token-not-kept' })
    expect(used).toHaveLength(1)
    expect(stored.token).toBeNull()
  })

  it('says why an address from the environment cannot be used, and stays at the first start', async () => {
    const notice = await restoreConnection(
      session(),
      { ...first, provisioning: { baseUrl: 'http://shop', token: 't' } },
      help
    )
    expect(notice?.kind).toBe('provisioning-failed')
    expect(stored.mode).toBe('onboarding')
  })
})

describe('a later start', () => {
  const later = { mode: 'business', baseUrl: ADDRESS, sealedToken: 'sealed t' } as const

  it('opens the sealed token', async () => {
    expect(await restoreConnection(session(), { ...later, provisioning: null }, help)).toBeNull()
    expect(used).toEqual([{ baseUrl: ADDRESS, token: 't' }])
  })

  it('keeps what it has, whatever the environment says', async () => {
    await restoreConnection(
      session(),
      { ...later, provisioning: { baseUrl: 'https://other/', token: 'x' } },
      help
    )
    expect(used).toEqual([{ baseUrl: ADDRESS, token: 't' }])
  })

  it('asks to connect again when the token cannot be opened, and keeps the address', async () => {
    const notice = await restoreConnection(
      session(),
      { ...later, sealedToken: 'foreign', provisioning: null },
      help
    )
    expect(notice).toEqual({ kind: 'token-unreadable' })
    expect(used).toEqual([])
  })

  it('takes the token from the environment again where it could not be kept', async () => {
    const provisioning = { baseUrl: ADDRESS, token: 't' }
    expect(await restoreConnection(session(), { ...later, sealedToken: null, provisioning }, help)).toBeNull()
    expect(used).toEqual([provisioning])
  })
})

describe('saving a connection', () => {
  const checked = async () => {
    const one = session()
    await one.check({ baseUrl: ADDRESS, token: 't' })
    return one
  }

  it('keeps the pair that was checked', async () => {
    expect(await saveCandidate(await checked(), connectionStore, false)).toEqual(ok(null))
    expect(stored).toEqual({ mode: 'business', baseUrl: ADDRESS, business: ACCOUNT, token: 'sealed t' })
  })

  it('refuses where the system has no encryption', async () => {
    encryption = false
    expect(await saveCandidate(await checked(), connectionStore, false)).toEqual(
      err({ kind: 'no-encryption' })
    )
    expect(stored.mode).toBe('onboarding')
  })

  it('keeps it there once the manager accepts that', async () => {
    encryption = false
    expect(await saveCandidate(await checked(), connectionStore, true)).toEqual(ok(null))
  })

  it('saves nothing that was not checked', async () => {
    expect(await saveCandidate(session(), connectionStore, false)).toEqual(err({ kind: 'not-connected' }))
  })
})
