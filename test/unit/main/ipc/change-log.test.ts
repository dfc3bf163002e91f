import { describe, expect, test } from 'vitest'
import { createChangeLog } from '../../../../electron/main/ipc/index.ts'
import type { TillState } from '../../../../electron/contract/till.ts'
import { DEFAULT_TILL_SETTINGS } from '../../../../electron/contract/settings.ts'
import { NO_STAFF } from '../../../../electron/contract/staff.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'

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
