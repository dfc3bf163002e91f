import { describe, expect, it } from 'vitest'
import { err, mapResult, ok, type Result, type Failure } from '../../../../electron/contract/failure.ts'
import { accountSchema, type Account } from '../../../../electron/contract/loyalty.ts'
import type { Credentials } from '../../../../electron/main/loyalty/credentials.ts'
import { Session } from '../../../../electron/main/session/session.ts'
import type { StoredSettings } from '../../../../electron/main/settings/settings-schema.ts'
import { AccountClient, connectorOf, MemorySettings } from '../../../support/session.ts'
import { parse } from 'valibot'

const account = (name: string): Account => parse(accountSchema, { id: 'a1', name })
const SHOP: Credentials = { baseUrl: 'https://shop.example/api/', token: 'shop' }

const openSession = (start: Partial<StoredSettings> = {}) => {
  const settings = new MemorySettings(start)
  const failures = new Map<string, Failure>()
  const trainingErrors: Error[] = []
  let changes = 0
  /** A service whose business has the name of the token. */
  const connect = ({ token }: Pick<Credentials, 'token'>): AccountClient => {
    const failure = failures.get(token)
    return new AccountClient(() => (failure ? err(failure) : ok(account(token))))
  }
  const session = new Session({
    settings,
    connector: connectorOf(connect, () => {
      const error = trainingErrors.shift()
      return error ? Promise.reject(error) : Promise.resolve(connect({ token: 'training' }))
    }),
    onChange: () => {
      changes += 1
    }
  })
  return {
    session,
    trainingErrors,
    stored: () => settings.values,
    changes: () => changes,
    refuse: (token: string) => failures.set(token, { kind: 'unauthorised' }),
    silence: (token: string) => failures.set(token, { kind: 'offline' })
  }
}

describe('a session before onboarding', () => {
  it('sends no request', async () => {
    const { session } = openSession()
    expect(await session.ask(() => Promise.resolve(ok(1)))).toEqual(err({ kind: 'not-connected' }))
  })

  it('stays in its mode when the training data cannot be opened, and tries again', async () => {
    const { session, stored, trainingErrors } = openSession()
    trainingErrors.push(new Error('no such table'))
    await expect(session.startTraining()).rejects.toThrow('no such table')
    expect(stored().mode).toBe('onboarding')
    await session.startTraining()
    expect([stored().mode, session.business?.name]).toEqual(['training', 'training'])
  })

  it('uses the training service in training mode and shows its business', async () => {
    const { session, stored } = openSession()
    await session.startTraining()
    expect(stored().mode).toBe('training')
    expect(session.business?.name).toBe('training')
  })

  it('returns from training mode to onboarding', async () => {
    const { session, stored } = openSession()
    await session.startTraining()
    await session.leaveTraining()
    expect(stored().mode).toBe('onboarding')
  })
})

describe('a session with a business', () => {
  const business = { mode: 'business', baseUrl: SHOP.baseUrl } as const

  it('stores the profile that it loaded', async () => {
    const { session, stored } = openSession(business)
    session.use(SHOP)
    await session.refresh()
    expect(stored().business?.name).toBe('shop')
  })

  it('keeps the profile when the network fails', async () => {
    const { session, silence, stored } = openSession({ ...business, business: account('kept') })
    silence('shop')
    session.use(SHOP)
    await session.refresh()
    expect(stored().business?.name).toBe('kept')
    expect(session.accepted).toBe(true)
  })

  it('is not accepted after a 401 to any request, and reports one change', async () => {
    const { session, changes } = openSession(business)
    session.use(SHOP)
    const before = changes()
    await session.ask(() => Promise.resolve(err({ kind: 'unauthorised' })))
    await session.ask(() => Promise.resolve(err({ kind: 'unauthorised' })))
    expect(session.accepted).toBe(false)
    expect(changes() - before).toBe(1)
  })

  it('is accepted again after a successful response', async () => {
    const { session } = openSession(business)
    session.use(SHOP)
    await session.ask(() => Promise.resolve(err({ kind: 'unauthorised' })))
    await session.ask(() => Promise.resolve(ok('anything')))
    expect(session.accepted).toBe(true)
  })

  it('ignores a response to the old token after the token changed', async () => {
    const { session } = openSession(business)
    session.use(SHOP)
    const late = Promise.withResolvers<Result<never>>()
    const asked = session.ask(() => late.promise)
    session.use({ ...SHOP, token: 'new' })
    late.resolve(err({ kind: 'unauthorised' }))
    await asked
    expect(session.accepted).toBe(true)
  })

  it('ignores a late profile of the previous connection, and resolves with the one of the current', async () => {
    const { session, stored } = openSession(business)
    session.use(SHOP)
    const before = session.refresh()
    session.use({ ...SHOP, token: 'new' })
    expect(await before).toMatchObject({ ok: true, value: { name: 'new' } })
    expect(stored().business?.name).toBe('new')
  })

  it('sends a request to the service of the moment when it was asked', async () => {
    const { session } = openSession(business)
    session.use(SHOP)
    const answer = session.ask((service) => service.account())
    await session.startTraining()
    expect(await answer).toMatchObject({ ok: true, value: { name: 'shop' } })
  })

  it('sends no request without a readable token', async () => {
    const { session } = openSession(business)
    session.use(null)
    expect(await session.ask(() => Promise.resolve(ok(1)))).toEqual(err({ kind: 'unauthorised' }))
  })

  it('keeps the business during training mode', async () => {
    const { session, stored } = openSession({ ...business, business: account('shop') })
    session.use(SHOP)
    await session.startTraining()
    expect(session.business?.name).toBe('training')
    await session.leaveTraining()
    expect(stored().mode).toBe('business')
    expect(session.business?.name).toBe('shop')
  })
})

describe('Session.check', () => {
  it('keeps accepted credentials as the candidate', async () => {
    const { session } = openSession()
    await session.candidates.check(SHOP)
    expect(session.candidates.current?.credentials).toEqual(SHOP)
  })

  it('drops the earlier candidate when the next credentials are refused', async () => {
    const { session, refuse } = openSession()
    await session.candidates.check(SHOP)
    refuse('wrong')
    await session.candidates.check({ ...SHOP, token: 'wrong' })
    expect(session.candidates.current).toBeNull()
  })
})

describe('training mode that opens', () => {
  it('does not replace the connection that was made meanwhile', async () => {
    const { session, stored } = openSession({ mode: 'business', baseUrl: SHOP.baseUrl })
    const training = session.startTraining()
    session.use(SHOP)
    await training
    expect(stored().mode).toBe('business')
  })
})

describe('a connection of a policy to an address without the path of the API', () => {
  const open = (paths: Readonly<Record<string, Result<Account>>>) => {
    const settings = new MemorySettings({ mode: 'business', baseUrl: 'https://shop.example/' })
    const connector = connectorOf(
      ({ baseUrl }) => new AccountClient(() => paths[baseUrl] ?? err({ kind: 'not-found' }))
    )
    const session = new Session({ settings, connector, onChange: () => undefined })
    session.use({ baseUrl: 'https://shop.example/', token: 'shop' })
    return { session, settings }
  }

  it('moves to the API below it', async () => {
    const { session, settings } = open({ 'https://shop.example/api/': ok(account('shop')) })
    expect(await session.refresh()).toMatchObject({ ok: true, value: { name: 'shop' } })
    expect(session.credentials).toEqual({ baseUrl: 'https://shop.example/api/', token: 'shop' })
    expect(settings.values).toMatchObject({
      baseUrl: 'https://shop.example/api/',
      business: { name: 'shop' }
    })
  })

  it('stays where there is no API at all', async () => {
    const { session, settings } = open({})
    expect(await session.refresh()).toEqual(err({ kind: 'not-found' }))
    expect(settings.values.baseUrl).toBe('https://shop.example/')
  })
})

it('Session.check keeps the credentials of the check that began last, whichever answers last', async () => {
  const answers = new Map<string, PromiseWithResolvers<Result<Account>>>()
  const connect = ({ token }: Credentials): AccountClient => {
    const answer = Promise.withResolvers<Result<Account>>()
    answers.set(token, answer)
    return Object.assign(new AccountClient(() => ok(account(token))), { account: () => answer.promise })
  }
  const session = new Session({
    settings: new MemorySettings(),
    connector: connectorOf(connect),
    onChange: () => undefined
  })
  const [first, second] = ['a', 'b'].map((token) => session.candidates.check({ ...SHOP, token }))
  answers.get('b')?.resolve(ok(account('b')))
  expect(await second).toMatchObject({ ok: true, value: { name: 'b' } })
  answers.get('a')?.resolve(ok(account('a')))
  expect(await first).toEqual(err({ kind: 'aborted' }))
  expect(session.candidates.current?.business.name).toBe('b')
})

describe('credentials that the system decrypts', () => {
  const OTHER: Credentials = { baseUrl: 'https://other.example/api/', token: 'other' }
  const askName = async (session: Session): Promise<Result<string>> =>
    mapResult(await session.ask((service) => service.account()), ({ name }) => name)

  const openWaiting = () => {
    const { session } = openSession({ mode: 'business', baseUrl: SHOP.baseUrl })
    const decrypted = Promise.withResolvers<Credentials | null>()
    return { session, decrypted, isUnreadable: session.useWhenDecrypted(decrypted.promise) }
  }

  it('are waited for by each request', async () => {
    const { session, decrypted, isUnreadable } = openWaiting()
    const answer = askName(session)
    expect(session.accepted).toBe(true)
    decrypted.resolve(SHOP)
    expect(await answer).toEqual(ok('shop'))
    expect(await isUnreadable).toBe(false)
  })

  it('are reported when they are unreadable', async () => {
    const { session, decrypted, isUnreadable } = openWaiting()
    decrypted.resolve(null)
    expect(await isUnreadable).toBe(true)
    expect(await askName(session)).toEqual(err({ kind: 'unauthorised' }))
    expect(session.accepted).toBe(false)
  })

  it('do not replace others that were set meanwhile', async () => {
    const { session, decrypted, isUnreadable } = openWaiting()
    const answer = askName(session)
    session.use(OTHER)
    expect(await answer).toEqual(ok('other'))
    decrypted.resolve(null)
    expect(await isUnreadable).toBe(false)
    expect(session.credentials).toBe(OTHER)
  })

  it('are no longer waited for when the till quits', async () => {
    const { session, isUnreadable } = openWaiting()
    const answer = askName(session)
    session.close()
    expect(await answer).toEqual(err({ kind: 'not-connected' }))
    expect(await isUnreadable).toBe(false)
  })
})

it.each([{ kind: 'not-offered' }, { kind: 'not-found' }] as const)(
  'reads the profile again when an extension that it names answers $kind',
  async (failure) => {
    const { session, stored } = openSession({ mode: 'business', baseUrl: SHOP.baseUrl })
    session.use(SHOP)
    await session.askExtension(() => Promise.resolve(err(failure)))
    await expect.poll(() => stored().business?.name).toBe('shop')
  }
)

it('reads the profile again when a code with a key is not offered any more', async () => {
  const { session, stored } = openSession({ mode: 'business', baseUrl: SHOP.baseUrl })
  session.use(SHOP)
  await session.ask(() => Promise.resolve(err({ kind: 'not-offered' })))
  await expect.poll(() => stored().business?.name).toBe('shop')
})

describe('the generation of a session', () => {
  it('changes with the mode and the connection, and not when the stored credentials are decrypted', async () => {
    const { session } = openSession({ mode: 'business', baseUrl: SHOP.baseUrl })
    const seen = [session.generation]
    const see = (): number => seen.push(session.generation)
    await session.useWhenDecrypted(Promise.resolve(SHOP))
    await session.refresh()
    see()
    await session.startTraining()
    see()
    await session.leaveTraining()
    see()
    session.use(SHOP)
    see()
    expect(seen[1]).toBe(seen[0])
    expect(new Set(seen.slice(1)).size).toBe(4)
  })
})
