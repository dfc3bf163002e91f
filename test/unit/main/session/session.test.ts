import { describe, expect, it } from 'vitest'
import { err, ok, type Result, type Failure } from '../../../../electron/contract/failure.ts'
import { accountSchema, type Account } from '../../../../electron/contract/loyalty.ts'
import { Session, type Credentials, type SessionState } from '../../../../electron/main/session/session.ts'
import { parse } from 'valibot'

const account = (name: string): Account => parse(accountSchema, { id: 'a1', name })
const SHOP: Credentials = { baseUrl: 'https://shop.example/api/', token: 'shop' }

/** A service that answers as told, and remembers whom it is. */
class Service {
  readonly name: string
  answer: Result<Account>
  constructor(name: string) {
    this.name = name
    this.answer = ok(account(name))
  }
  account(): Promise<Result<Account>> {
    return Promise.resolve(this.answer)
  }
}

const open = (start: Partial<SessionState> = {}) => {
  let stored: SessionState = { mode: 'onboarding', baseUrl: null, business: null, ...start }
  const training = new Service('training')
  const failures = new Map<string, Failure>()
  let changes = 0
  const session = new Session<Service>({
    readState: () => stored,
    updateState: (change) => {
      stored = { ...stored, ...change }
    },
    connect: ({ token }) => {
      const service = new Service(token)
      const failure = failures.get(token)
      if (failure) service.answer = err(failure)
      return service
    },
    openTraining: () => Promise.resolve(training),
    onChange: () => {
      changes += 1
    }
  })
  return {
    session,
    training,
    stored: () => stored,
    changes: () => changes,
    refuse: (token: string) => failures.set(token, { kind: 'unauthorised' }),
    silence: (token: string) => failures.set(token, { kind: 'offline' })
  }
}

describe('a session before anything is set up', () => {
  it('asks nobody', async () => {
    const { session } = open()
    expect(await session.ask(() => Promise.resolve(ok(1)))).toEqual(err({ kind: 'not-connected' }))
  })

  it('trains with the training service and shows its business', async () => {
    const { session, stored } = open()
    await session.startTraining()
    expect(stored().mode).toBe('training')
    expect(session.business?.name).toBe('training')
  })

  it('comes back from training to the first start', async () => {
    const { session, stored } = open()
    await session.startTraining()
    await session.leaveTraining()
    expect(stored().mode).toBe('onboarding')
  })
})

describe('a session with a business', () => {
  const business = { mode: 'business', baseUrl: SHOP.baseUrl } as const

  it('remembers the profile that it read', async () => {
    const { session, stored } = open(business)
    session.use(SHOP)
    await session.refresh()
    expect(stored().business?.name).toBe('shop')
  })

  it('keeps the profile when the network fails', async () => {
    const { session, silence, stored } = open({ ...business, business: account('kept') })
    silence('shop')
    session.use(SHOP)
    await session.refresh()
    expect(stored().business?.name).toBe('kept')
    expect(session.accepted).toBe(true)
  })

  it('is refused after a 401, whatever was asked, and says so once', async () => {
    const { session, changes } = open(business)
    session.use(SHOP)
    const before = changes()
    await session.ask(() => Promise.resolve(err({ kind: 'unauthorised' })))
    await session.ask(() => Promise.resolve(err({ kind: 'unauthorised' })))
    expect(session.accepted).toBe(false)
    expect(changes() - before).toBe(1)
  })

  it('is accepted again when the service answers', async () => {
    const { session } = open(business)
    session.use(SHOP)
    await session.ask(() => Promise.resolve(err({ kind: 'unauthorised' })))
    await session.ask(() => Promise.resolve(ok('anything')))
    expect(session.accepted).toBe(true)
  })

  it('takes no word of the new token from an answer to the old one', async () => {
    const { session } = open(business)
    session.use(SHOP)
    const late = Promise.withResolvers<Result<never>>()
    const asked = session.ask(() => late.promise)
    session.use({ ...SHOP, token: 'new' })
    late.resolve(err({ kind: 'unauthorised' }))
    await asked
    expect(session.accepted).toBe(true)
  })

  it('asks nobody when its token could not be read', async () => {
    const { session } = open(business)
    session.use(null)
    expect(await session.ask(() => Promise.resolve(ok(1)))).toEqual(err({ kind: 'unauthorised' }))
  })

  it('keeps the business while it trains', async () => {
    const { session, stored } = open({ ...business, business: account('shop') })
    session.use(SHOP)
    await session.startTraining()
    expect(session.business?.name).toBe('training')
    await session.leaveTraining()
    expect(stored().mode).toBe('business')
    expect(session.business?.name).toBe('shop')
  })
})

describe('checking a connection', () => {
  it('keeps the pair that was accepted', async () => {
    const { session } = open()
    await session.check(SHOP)
    expect(session.candidate?.credentials).toEqual(SHOP)
  })

  it('forgets an earlier pair when the next is refused', async () => {
    const { session, refuse } = open()
    await session.check(SHOP)
    refuse('wrong')
    await session.check({ ...SHOP, token: 'wrong' })
    expect(session.candidate).toBeNull()
  })
})
