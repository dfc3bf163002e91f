/** Two shops of one hosted service have one address: their tokens tell them apart, and their profiles. */
import { beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'valibot'
import { err, ok } from '../../../../electron/contract/failure.ts'
import { accountSchema } from '../../../../electron/contract/loyalty.ts'
import type { Credentials } from '../../../../electron/main/loyalty/credentials.ts'
import { Session } from '../../../../electron/main/session/session.ts'
import { AccountClient, connectorOf, MemorySettings } from '../../../support/session.ts'

const ADDRESS = 'https://points.example/api/'
const profile = (id: string) => parse(accountSchema, { id, name: `Shop ${id}` })
const of = (id: string, baseUrl = ADDRESS): Credentials => ({ baseUrl, token: id })

/** who was asked for what, in order */
let requests: string[]
let settings: MemorySettings
let session: Session

/** The service answers each token with the business of its name. */
class ShopClient extends AccountClient {
  readonly #id: string
  constructor(id: string) {
    super(() => {
      requests.push(`${id}: account`)
      return ok(profile(id))
    })
    this.#id = id
  }

  get id(): string {
    return this.#id
  }
}

const open = (stored: string | null): void => {
  settings = new MemorySettings(
    stored === null ? {} : { mode: 'business', baseUrl: ADDRESS, business: profile(stored) }
  )
  session = new Session({
    settings,
    connector: connectorOf(({ token }) => new ShopClient(token)),
    onChange: () => undefined
  })
}

/** Connects as the page does: with a profile that was read. */
const connect = (id: string, baseUrl = ADDRESS): void => {
  settings.update({ mode: 'business', baseUrl, business: profile(id) })
  session.use(of(id, baseUrl))
}

const askId = () =>
  session.ask((client) => {
    const { id } = client as ShopClient
    requests.push(`${id}: customers`)
    return Promise.resolve(ok(id))
  })

beforeEach(() => {
  requests = []
  open('a')
  session.use(of('a'))
})

describe('the owner of what is kept', () => {
  it('is another one for another business at the same address', () => {
    const { owner } = session
    connect('b')
    expect(session.owner).not.toBe(owner)
    expect(session.owner.number).not.toBe(owner.number)
  })

  it('is another one for the same business after it was disconnected', () => {
    const { owner } = session
    settings.update({ mode: 'onboarding', baseUrl: null, business: null })
    session.use(null)
    expect(session.owner).not.toBe(owner)
    connect('a')
    expect(session.owner).not.toBe(owner)
  })

  it('is another one for the same id at another address', () => {
    const { owner } = session
    connect('a', 'https://other.example/api/')
    expect(session.owner).not.toBe(owner)
  })

  it('is the same for another token of the same business', async () => {
    const { owner, generation } = session
    session.use(of('a'), true)
    expect(await askId()).toEqual(ok('a'))
    expect(session.owner).toBe(owner)
    expect(session.generation).not.toBe(generation)
  })

  it('is another one in training mode, and the same again after it', async () => {
    const { owner } = session
    await session.startTraining()
    expect(session.owner).not.toBe(owner)
    await session.leaveTraining()
    expect(session.owner).toBe(owner)
  })

  it('stays when the profile is read for the first time, and not when another one is read', async () => {
    settings.update({ business: null })
    session.use(of('a'))
    const { owner, generation } = session
    await session.refresh()
    expect(session.owner).toBe(owner)
    expect(session.generation).toBe(generation)
    settings.update({ business: profile('z') })
    open('z')
    session.use(of('a'))
    const before = session.owner
    await session.refresh()
    expect(session.owner).not.toBe(before)
  })

  it('is never that of an unknown business before, at the same address', () => {
    settings.update({ business: null })
    session.use(of('a'))
    const { owner } = session
    session.use(of('b'))
    expect(session.owner).not.toBe(owner)
  })
})

describe('a token that was replaced without disconnecting', () => {
  it('is asked for its business before anything else, and for nothing that was meant for the one before', async () => {
    const { owner } = session
    session.use(of('b'), true)
    expect(await askId()).toEqual(err({ kind: 'not-connected' }))
    expect(requests).toEqual(['b: account'])
    expect(session.business?.id).toBe('b')
    expect(session.owner).not.toBe(owner)
    expect(await askId()).toEqual(ok('b'))
  })

  it('is asked for its business before a slip names one', async () => {
    session.use(of('b'), true)
    expect(await session.requireBusiness()).toEqual(ok(profile('b')))
  })

  it('is asked once for all that waits', async () => {
    session.use(of('a'), true)
    // The till reads the profile at its start, too.
    await Promise.all([session.refresh(), askId(), session.requireBusiness(), askId()])
    expect(requests.filter((request) => request.endsWith('account'))).toEqual(['a: account'])
  })

  it('is asked once at a start, also by what waits for its token', async () => {
    const decrypted = Promise.withResolvers<Credentials>()
    const using = session.useWhenDecrypted(decrypted.promise, true)
    const asked = [session.refresh(), askId(), session.requireBusiness()]
    decrypted.resolve(of('a'))
    await using
    await Promise.all([...asked, askId()])
    expect(requests.filter((request) => request.endsWith('account'))).toEqual(['a: account'])
  })
})

it('an answer that comes for another business is not kept', async () => {
  const answer = Promise.withResolvers<string>()
  const read = session.read(() => session.ask(async () => ok(await answer.promise)))
  connect('b')
  answer.resolve('Maria, of shop a')
  expect(await read).toEqual(err({ kind: 'aborted' }))
})
