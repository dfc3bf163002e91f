import { parse } from 'valibot'
import { beforeEach, describe, expect, it, test } from 'vitest'
import { accountSchema, type Account } from '../../../../electron/contract/loyalty.ts'
import { NO_LOCAL_INTERFACE } from '../../../../electron/contract/local-interface.ts'
import { NO_STAFF } from '../../../../electron/contract/staff.ts'
import type { TillState } from '../../../../electron/contract/till.ts'
import {
  AppState,
  createStateChangeLogger,
  Notices,
  settingsNotices,
  StateChanges
} from '../../../../electron/main/ipc/app-state.ts'
import { DEFAULT_SETTINGS } from '../../../../electron/main/settings/settings-schema.ts'
import { tillState } from '../../../support/till-state.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'

const ACCOUNT: Account = parse(accountSchema, {
  id: 'a',
  name: 'Shop',
  logo: 'https://shop.example/logo.png'
})

let sent: TillState[]
let settings: { values: typeof DEFAULT_SETTINGS; kept: boolean }

const createAppState = (): AppState => {
  const changes = new StateChanges()
  const appState = new AppState({
    changes,
    notices: new Notices(changes, () => settingsNotices(settings)),
    settings,
    session: {
      mode: 'business',
      owner: { number: 1 },
      accepted: true,
      business: ACCOUNT,
      offlineSince: null,
      isNameRequired: false
    },
    staff: { state: NO_STAFF },
    languages: { screen: 'el', slip: 'de' },
    country: { code: 'GR' },
    images: { path: () => '/image/key' },
    shopRules: { ofShop: null, expiry: null },
    customerDisplay: { isOpen: () => true, hasTouch: () => true },
    billLinks: { waiting: false },
    updates: { state: { kind: 'off' } },
    localInterface: { state: NO_LOCAL_INTERFACE },
    slipServices: { collectionsAsOf: null, hinderedPrint: null, offlineSlips: null },
    system: { everyScreenLock: true, customerDisplay: true },
    slipsFolder: '/slips',
    version: '1.0.0'
  })
  appState.subscribe((state) => sent.push(state))
  return appState
}

beforeEach(() => {
  sent = []
  settings = {
    values: { ...DEFAULT_SETTINGS, token: { ciphertext: 'c2VjcmV0', weak: false } },
    kept: true
  }
})

describe('AppState', () => {
  it('contains neither the token nor a remote image URL', () => {
    const text = JSON.stringify(createAppState().state())
    expect(text).not.toMatch(/c2VjcmV0|ciphertext|shop\.example/)
    expect(text).toContain('/image/key')
  })

  it('sends the state to its subscribers when it changed', () => {
    createAppState().changed()
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({
      mode: 'business',
      slipLanguage: 'de',
      customerDisplayOpen: true,
      customerDisplayTouch: true
    })
  })

  it('sends one state, with the notice, when the settings cannot be saved any more', () => {
    const appState = createAppState()
    settings.kept = false
    appState.changed()
    expect(sent.map(({ notices }) => notices)).toEqual([[{ kind: 'settings-not-saved' }]])
  })

  it('sends nothing when the state is read', () => {
    settings.kept = false
    const appState = createAppState()
    expect(appState.state()).toEqual(appState.state())
    expect(sent).toEqual([])
  })

  it('has no notice once the settings are saved again', () => {
    settings.kept = false
    const appState = createAppState()
    settings.kept = true
    expect(appState.state().notices).toEqual([])
  })

  it('removes a notice of a kind and no other one, and sends the state only if there was one', () => {
    const { notices } = createAppState()
    notices.add({ kind: 'journal-not-saved' })
    notices.add({ kind: 'token-unreadable' })
    notices.remove('journal-not-saved')
    notices.remove('journal-not-saved')
    expect(sent.map((state) => state.notices.map(({ kind }) => kind))).toEqual([
      ['journal-not-saved'],
      ['journal-not-saved', 'token-unreadable'],
      ['token-unreadable']
    ])
  })

  it('adds a notice of the same kind once', () => {
    const { notices } = createAppState()
    notices.add({ kind: 'token-unreadable' })
    notices.add({ kind: 'token-unreadable' })
    expect(sent.map((state) => state.notices)).toEqual([[{ kind: 'token-unreadable' }]])
  })

  it('removes a dismissed notice for good', () => {
    settings.kept = false
    const appState = createAppState()
    appState.state()
    appState.notices.remove('settings-not-saved')
    expect(appState.state().notices).toEqual([])
  })
})

const state = tillState({ mode: 'onboarding', baseUrl: null })

describe('the state-change logger', () => {
  test('logs the connection, and the names of changed settings without their values', () => {
    const lines: unknown[] = []
    const logChange = createStateChangeLogger({
      ...noOpLogger,
      info: (event, details) => lines.push([event, details])
    })
    const connected: TillState = {
      ...state,
      mode: 'business',
      baseUrl: 'https://a:b@loyalty.example/api?token=x'
    }
    logChange(state)
    logChange(state)
    logChange(connected)
    logChange({ ...connected, accepted: false })
    logChange({ ...connected, accepted: false, settings: { ...state.settings, country: 'FR', copies: 2 } })
    const service = 'https://[value]@loyalty.example/api?[value]'
    expect(lines).toEqual([
      ['connection', { mode: 'onboarding', accepted: true, service: null }],
      ['connection', { mode: 'business', accepted: true, service }],
      ['connection', { mode: 'business', accepted: false, service }],
      ['settings-changed', { settings: ['country', 'copies'] }]
    ])
  })
})
