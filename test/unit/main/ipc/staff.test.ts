import { NO_LOCAL_INTERFACE } from '../../../../electron/contract/local-interface.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'valibot'
import { err, ok, type Result } from '../../../../electron/contract/failure.ts'
import { accountSchema, type Account } from '../../../../electron/contract/loyalty.ts'
import { AppState, Notices, StateChanges } from '../../../../electron/main/ipc/app-state.ts'
import type { Handlers } from '../../../../electron/contract/bridge.ts'
import { createStaffHandlers } from '../../../../electron/main/ipc/staff.ts'
import { PAIRING_CODE_UNKNOWN, PairingClient } from '../../../../electron/main/session/pairing-client.ts'
import { DEFAULT_SETTINGS } from '../../../../electron/main/settings/settings-schema.ts'
import { Staff } from '../../../../electron/main/staff/staff.ts'
import { AccountClient, connectorOf, hashCheaply, MemorySettings } from '../../../support/session.ts'

const account = (id: string): Account => parse(accountSchema, { id, name: id })

let baseUrl: string | null
let business: Result<Account>
let staff: Staff
/** what was sent to `POST /pair…` */
let sent: { readonly path: string; readonly body: unknown }[]
/** how the service answers a pairing code */
let pairingStatus: number
/** how often what prints was made ready */
let expectedSlips: number

/** The service knows two tokens. */
const connector = connectorOf(
  ({ token }) =>
    new AccountClient(() =>
      ['ours', 'theirs', 'BCDFGHJK'].includes(token)
        ? ok(account(token === 'BCDFGHJK' ? 'ours' : token))
        : err({ kind: 'unauthorised' })
    )
)

const createHandlers = (): Handlers<'staff'> => {
  const changes = new StateChanges()
  const settings = { values: DEFAULT_SETTINGS, kept: true }
  const appState = new AppState({
    changes,
    notices: new Notices(changes),
    settings,
    session: {
      mode: 'business',
      owner: { number: 1 },
      accepted: true,
      business: null,
      offlineSince: null,
      isNameRequired: false
    },
    staff,
    languages: { screen: 'en', slip: 'en' },
    country: { code: 'GR' },
    images: { path: () => null },
    shopRules: { ofShop: null, expiry: null },
    customerDisplay: { isOpen: () => false, hasTouch: () => false },
    billLinks: { waiting: false },
    updates: { state: { kind: 'off' } },
    localInterface: { state: NO_LOCAL_INTERFACE },
    slipServices: { collectionsAsOf: null, hinderedPrint: null, offlineSlips: null },
    system: { everyScreenLock: true, customerDisplay: true },
    slipsFolder: '',
    version: ''
  })
  return createStaffHandlers({
    appState,
    staff,
    settings: { values: { ...DEFAULT_SETTINGS, baseUrl } },
    session: { refresh: () => Promise.resolve(business), connectedBusinessId: null },
    connector,
    pairing: new PairingClient({
      fetch: async (request) => {
        sent.push({ path: new URL(request.url).pathname, body: await request.json() })
        return new Response('{}', { status: pairingStatus })
      },
      languages: { screen: 'en' }
    }),
    slipServices: {
      expectSlip: () => {
        expectedSlips++
      },
      forgetCashiers: () => undefined
    }
  })
}

beforeEach(async () => {
  baseUrl = 'https://points.example/api/'
  business = ok(account('ours'))
  sent = []
  pairingStatus = 200
  expectedSlips = 0
  staff = new Staff({
    settings: new MemorySettings(),
    system: { idleSeconds: () => 0, isLocked: () => false },
    hash: hashCheaply,
    onChange: () => undefined
  })
  await staff.setManagerPin({ current: null, pin: '4711' })
  staff.lock()
})

it('a person at the till, also at its lock screen, makes ready what prints', async () => {
  expect(await createHandlers().active()).toEqual(ok(null))
  expect(expectedSlips).toBe(1)
})

describe('a forgotten manager PIN', () => {
  it('is removed with the token of the connected business, and the till unlocks', async () => {
    expect(await createHandlers().reset({ token: ' ours ' })).toMatchObject({
      ok: true,
      value: { staff: { manager: 'open', locked: false } }
    })
  })

  it.each([
    ['the token of another business', 'theirs', { kind: 'other-business' }],
    ['an unknown token', 'guessed', { kind: 'unauthorised' }],
    ['no token', null, { kind: 'invalid-input', field: 'token', fault: 'missing' }]
  ])('is kept with %s', async (_, token, failure) => {
    expect(await createHandlers().reset({ token })).toEqual(err(failure as Parameters<typeof err>[0]))
    expect(staff.state).toMatchObject({ manager: 'locked', locked: true })
  })

  it.each(['WDJB-MJHT', ' wdjb mjht ', 'WDJBMJHT'])(
    'is removed with the pairing code %j of the connected business, for which the till gets no other token',
    async (code) => {
      expect(await createHandlers().reset({ token: code })).toMatchObject({
        ok: true,
        value: { staff: { manager: 'open', locked: false } }
      })
      expect(sent).toEqual([{ path: '/pair/confirm', body: { code: 'WDJBMJHT', business: 'ours' } }])
    }
  )

  it.each([
    [409, { kind: 'invalid-input', field: 'token', fault: 'pairing-code-elsewhere' }],
    [404, PAIRING_CODE_UNKNOWN],
    [500, PAIRING_CODE_UNKNOWN],
    [429, { kind: 'busy', retryAfterSeconds: null }]
  ])('is kept with a pairing code that the service answers with %i', async (status, failure) => {
    pairingStatus = status
    expect(await createHandlers().reset({ token: 'WDJB-MJHT' })).toEqual({ ok: false, failure })
    expect(staff.state).toMatchObject({ manager: 'locked', locked: true })
  })

  it('is removed with a token that looks like a pairing code', async () => {
    pairingStatus = 404
    expect(await createHandlers().reset({ token: 'BCDFGHJK' })).toMatchObject({ ok: true })
  })

  it('is kept while the profile of the connected business cannot be read', async () => {
    business = err({ kind: 'offline' })
    expect(await createHandlers().reset({ token: 'theirs' })).toEqual(business)
    expect(staff.state.locked).toBe(true)
  })

  it('is removed without a token if no business is connected', async () => {
    baseUrl = null
    expect(await createHandlers().reset({ token: null })).toMatchObject({ ok: true })
  })
})
