import { DEFAULT_SLIP_SETTINGS } from '../../electron/contract/settings.ts'
import type { SlipBusiness } from '../../electron/main/session/current-business.ts'

/** The business that tests issue slips for. */
export const business: SlipBusiness = {
  id: 'business-1',
  name: 'Corner Café',
  address: { street: 'Ermou 12', city: 'Athens', state: '', country: 'Greece', zipCode: '10563' },
  timeZone: 'Europe/Athens',
  training: false,
  extensions: ['redemptions/1', 'credits/1', 'returns/1', 'collections/1'],
  locale: 'en-GB',
  slip: DEFAULT_SLIP_SETTINGS,
  expiry: null,
  getStartedLink: null,
  logo: null
}
