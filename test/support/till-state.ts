import { NO_LOCAL_INTERFACE } from '../../electron/contract/local-interface.ts'
import { DEFAULT_TILL_SETTINGS } from '../../electron/contract/settings.ts'
import { NO_STAFF } from '../../electron/contract/staff.ts'
import type { TillState } from '../../electron/contract/till.ts'

/** Returns the state of a connected till with default settings. */
export const tillState = (change: Partial<TillState> = {}): TillState => ({
  mode: 'business',
  owner: 1,
  accepted: true,
  baseUrl: 'https://points.example/api',
  business: null,
  isNameRequired: false,
  settings: DEFAULT_TILL_SETTINGS,
  managed: null,
  staff: NO_STAFF,
  language: 'en',
  slipLanguage: 'en',
  country: 'GR',
  offlineSince: null,
  customerDisplayOpen: false,
  customerDisplayTouch: false,
  billWaiting: false,
  system: { everyScreenLock: true, customerDisplay: true },
  notices: [],
  slipsFolder: '/slips',
  version: '0.1.0',
  update: { kind: 'off' },
  localInterface: NO_LOCAL_INTERFACE,
  collectionsAsOf: null,
  hinderedPrint: null,
  offlineSlips: null,
  shopRule: null,
  pointsExpiry: null,
  ...change
})
