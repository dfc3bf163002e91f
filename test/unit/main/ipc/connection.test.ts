import { parse } from 'valibot'
import { expect, it } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import { accountSchema } from '../../../../electron/contract/loyalty.ts'
import { AppState } from '../../../../electron/main/ipc/app-state.ts'
import { createConnectionHandlers } from '../../../../electron/main/ipc/connection.ts'
import { PAIRING_CODE_UNKNOWN, PairingClient } from '../../../../electron/main/session/pairing-client.ts'
import { StoredConnection } from '../../../../electron/main/session/stored-connection.ts'
import type { Credentials } from '../../../../electron/main/loyalty/credentials.ts'
import { Session } from '../../../../electron/main/session/session.ts'
import { AccountClient, connectorOf, MemorySettings } from '../../../support/session.ts'

const ACCOUNT = parse(accountSchema, { id: 'a1', name: 'Shop' })
const ADDRESS = 'https://shop.example/api'

/** Handlers of a till before a service that accepts one token, and what it is asked. */
const openHandlers = (accepted: string, pair: () => Response | Promise<Response>, api = ADDRESS) => {
  const used: Credentials[] = []
  const settings = new MemorySettings()
  const session = new Session({
    settings,
    connector: connectorOf((credentials) => {
      used.push(credentials)
      const isKnown = credentials.token === accepted
      const isApi = credentials.baseUrl.replace(/\/$/, '') === api
      return new AccountClient(() =>
        isApi ? (isKnown ? ok(ACCOUNT) : err({ kind: 'unauthorised' })) : err({ kind: 'not-found' })
      )
    }),
    onChange: () => undefined
  })
  const pairing = new PairingClient({ fetch: async () => pair(), languages: { screen: 'en' } })
  const handlers = createConnectionHandlers({
    appState: Object.create(AppState.prototype) as AppState,
    session,
    pairing,
    connection: new StoredConnection({
      session,
      settings,
      tokens: { seal: () => Promise.resolve({ kind: 'no-encryption' }), open: () => Promise.resolve(null) },
      pairing,
      onWaiting: () => undefined
    }),
    catalogue: { clear: () => Promise.resolve() },
    logos: { clear: () => Promise.resolve() },
    images: { path: (link) => link }
  })
  return { handlers, used, session }
}

const unknown = (): Response => new Response('{}', { status: 404 })

it('connects with the token that a pairing code is traded for', async () => {
  const { handlers, used } = openHandlers('secret', () =>
    Response.json({ token: 'secret', baseUrl: 'https://shop.example/api' })
  )
  expect(await handlers.check({ baseUrl: 'https://shop.example', token: 'WDJB-MJHT' })).toEqual(ok(ACCOUNT))
  expect(used).toEqual([{ baseUrl: 'https://shop.example/api', token: 'secret' }])
})

it('takes what looks like a code for a token where the service has no pairing', async () => {
  const { handlers, used } = openHandlers('WDJBMJHT', unknown)
  expect(await handlers.check({ baseUrl: ADDRESS, token: 'WDJBMJHT' })).toEqual(ok(ACCOUNT))
  expect(used).toEqual([{ baseUrl: `${ADDRESS}/`, token: 'WDJBMJHT' }])
})

it('says that a code is unknown when it is no token either', async () => {
  const { handlers } = openHandlers('secret', unknown)
  expect(await handlers.check({ baseUrl: ADDRESS, token: 'WDJB-MJHT' })).toEqual(err(PAIRING_CODE_UNKNOWN))
})

it('sends a token nowhere but to the account', async () => {
  const { handlers, used } = openHandlers('demo', () => {
    throw new Error('no pairing')
  })
  expect(await handlers.check({ baseUrl: ADDRESS, token: 'demo' })).toEqual(ok(ACCOUNT))
  expect(used).toHaveLength(1)
})

it.each(['wdjb mjht', 'WD JB MJ HT', ' W-D-J-B-M-J-H-T\u200b'])(
  'takes the code as it was typed: %j',
  async (code) => {
    const { handlers } = openHandlers('secret', () => Response.json({ token: 'secret', baseUrl: ADDRESS }))
    expect(await handlers.check({ baseUrl: 'https://shop.example', token: code })).toEqual(ok(ACCOUNT))
  }
)

it.each([
  ['https://shop.example', ADDRESS, `${ADDRESS}/`],
  ['shop.example/', ADDRESS, `${ADDRESS}/`],
  ['https://shop.example/api', ADDRESS, `${ADDRESS}/`],
  ['https://shop.example', 'https://shop.example', 'https://shop.example/']
])('finds the API for a token at %s', async (typed, api, found) => {
  const { handlers, session } = openHandlers('demo', unknown, api)
  expect(await handlers.check({ baseUrl: typed, token: 'demo' })).toEqual(ok(ACCOUNT))
  expect(session.candidates.current?.credentials.baseUrl).toBe(found)
})

it('looks for no API elsewhere than at the address of an origin', async () => {
  const { handlers, used } = openHandlers('demo', unknown)
  const wrong = { baseUrl: 'https://shop.example/v1', token: 'demo' }
  expect(await handlers.check(wrong)).toEqual(err({ kind: 'not-found' }))
  expect(used).toHaveLength(1)
})

it('saves what the page shows: the business of the check that began last, whatever answers last', async () => {
  const late = Promise.withResolvers<Response>()
  const { handlers, session } = openHandlers('secret', () => late.promise)
  const first = handlers.check({ baseUrl: ADDRESS, token: 'WDJB-MJHT' })
  expect(await handlers.check({ baseUrl: ADDRESS, token: 'secret' })).toEqual(ok(ACCOUNT))
  const shown = session.candidates.current
  late.resolve(Response.json({ token: 'secret', baseUrl: 'https://shop.example/api' }))
  expect(await first).toEqual(err({ kind: 'aborted' }))
  expect(session.candidates.current).toBe(shown)
})

it('saves nothing of an earlier check once a later one was refused', async () => {
  const { handlers, session } = openHandlers('secret', unknown)
  await handlers.check({ baseUrl: ADDRESS, token: 'secret' })
  await handlers.check({ baseUrl: 'http://shop.example', token: 'secret' })
  expect(session.candidates.current).toBeNull()
  await handlers.check({ baseUrl: ADDRESS, token: 'secret' })
  await handlers.check({ baseUrl: ADDRESS, token: 'two words' })
  expect(session.candidates.current).toBeNull()
})
