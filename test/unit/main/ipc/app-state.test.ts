import { parse } from 'valibot'
import { beforeEach, describe, expect, it, test } from 'vitest'
import { accountSchema, type Account } from '../../../../electron/contract/loyalty.ts'
import { DEFAULT_TILL_SETTINGS } from '../../../../electron/contract/settings.ts'
import { NO_STAFF } from '../../../../electron/contract/staff.ts'
import type { TillState } from '../../../../electron/contract/till.ts'
import { createChangeLog, createStanding } from '../../../../electron/main/ipc/index.ts'
import { DEFAULT_SETTINGS } from '../../../../electron/main/settings/settings-schema.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'

const ACCOUNT: Account = parse(accountSchema, {
  id: 'a',
  name: 'Shop',
  logo: 'https://shop.example/logo.png'
})

let told: TillState[]
let settings: { values: typeof DEFAULT_SETTINGS; kept: boolean }

const standing = () =>
  createStanding({
    settings,
    session: { mode: 'business', accepted: true, business: ACCOUNT, offlineSince: null },
    forPage: (account) => ({ ...account, logo: '/image/key' }),
    staff: () => NO_STAFF,
    language: () => 'el',
    slipLanguage: () => 'de',
    country: () => 'GR',
    customerDisplayOpen: () => true,
    slipsFolder: '/slips',
    version: '1.0.0',
    update: () => ({ kind: 'off' }),
    tell: (state) => told.push(state)
  })

beforeEach(() => {
  told = []
  settings = {
    values: { ...DEFAULT_SETTINGS, token: { ciphertext: 'c2VjcmV0', weak: false } },
    kept: true
  }
})

describe('how the till stands', () => {
  it('holds neither the token nor a remote address of a picture', () => {
    const text = JSON.stringify(standing().state())
    expect(text).not.toMatch(/c2VjcmV0|ciphertext|shop\.example/)
    expect(text).toContain('/image/key')
  })

  it('says once that settings are not kept', () => {
    settings.kept = false
    const one = standing()
    one.state()
    expect(one.state().notices).toEqual([{ kind: 'settings-not-saved' }])
  })

  it('withdraws a notice that holds no more, and tells of it only where it stood', () => {
    const one = standing()
    one.notice({ kind: 'journal-not-saved' })
    one.notice({ kind: 'token-unreadable' })
    one.withdraw('journal-not-saved')
    one.withdraw('journal-not-saved')
    expect(told.map(({ notices }) => notices.map(({ kind }) => kind))).toEqual([
      ['journal-not-saved'],
      ['journal-not-saved', 'token-unreadable'],
      ['token-unreadable']
    ])
  })

  it('tells everyone of a notice, and tells the same kind once', () => {
    const one = standing()
    one.notice({ kind: 'token-unreadable' })
    one.notice({ kind: 'token-unreadable' })
    expect(told.map(({ notices }) => notices)).toEqual([[{ kind: 'token-unreadable' }]])
  })

  it('takes a dismissed notice away, and does not bring it back', () => {
    settings.kept = false
    const one = standing()
    one.state()
    expect([one.dismiss(0), one.state().notices, one.dismiss(0)]).toEqual([true, [], false])
  })
})

const state: TillState = {
  mode: 'onboarding',
  accepted: true,
  baseUrl: null,
  business: null,
  settings: DEFAULT_TILL_SETTINGS,
  staff: NO_STAFF,
  language: 'en',
  slipLanguage: 'en',
  country: 'GR',
  offlineSince: null,
  customerDisplayOpen: false,
  notices: [],
  slipsFolder: '/slips',
  version: '1',
  update: { kind: 'off' }
}

describe('changes of the till in the log', () => {
  test('are the connection, and the names of settings without their values', () => {
    const lines: unknown[] = []
    const tell = createChangeLog({ ...noOpLogger, info: (event, details) => lines.push([event, details]) })
    const connected: TillState = {
      ...state,
      mode: 'business',
      baseUrl: 'https://a:b@loyalty.example/api?token=x'
    }
    tell(state)
    tell(state)
    tell(connected)
    tell({ ...connected, accepted: false })
    tell({ ...connected, accepted: false, settings: { ...state.settings, country: 'FR', copies: 2 } })
    const service = 'https://[value]@loyalty.example/api?[value]'
    expect(lines).toEqual([
      ['connection', { mode: 'onboarding', accepted: true, service: null }],
      ['connection', { mode: 'business', accepted: true, service }],
      ['connection', { mode: 'business', accepted: false, service }],
      ['settings-changed', { settings: ['country', 'copies'] }]
    ])
  })
})
