/**
 * A till with the local interface that runs until it is killed: `node interface-process.ts <folder> <base URL>`. It
 * prints the port of the interface. The programs of `<folder>/callers.json` are paired.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'valibot'
import { NO_STAFF } from '../../electron/contract/staff.ts'
import { DEFAULT_SETTINGS, type StoredCaller } from '../../electron/main/settings/settings-schema.ts'
import { accountSchema } from '../../electron/contract/loyalty.ts'
import { EMPTY_CATALOGUE } from '../../electron/contract/catalogue.ts'
import { LocalInterface } from '../../electron/main/local-interface/local-interface.ts'
import { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import { Session } from '../../electron/main/session/session.ts'
import { ownRules } from '../support/shop-rules.ts'
import { business } from '../support/sample-business.ts'
import { connectorOf, MemorySettings } from '../support/session.ts'
import { lazySlips, openTestSlips } from '../support/slip-service.ts'
import { stderrLog } from './stderr-log.ts'

const [folder = '', baseUrl = ''] = process.argv.slice(2)
const log = { ...stderrLog, info: () => undefined, warn: () => undefined }
// Otherwise loaded with the first request.
await import('../../electron/main/loyalty/http-client.ts')

const loyaltyClient = new LoyaltyClient({
  baseUrl: `${baseUrl}/`,
  token: 'demo',
  fetch,
  languages: { screen: 'en' }
})
const session = new Session({
  settings: new MemorySettings({
    mode: 'business',
    baseUrl,
    business: parse(accountSchema, { id: business.id, name: business.name })
  }),
  connector: connectorOf(() => loyaltyClient),
  onChange: () => undefined
})
session.use({ baseUrl, token: 'demo' })
const slips = openTestSlips(folder, {
  createQr: (points) => session.ask((client) => client.createQr(points)),
  onSlip: (slip) => localInterface.handleSlip(slip),
  log
})
let callers = JSON.parse(readFileSync(join(folder, 'callers.json'), 'utf8')) as readonly StoredCaller[]
const localInterface: LocalInterface = new LocalInterface({
  settings: {
    get values() {
      return { ...DEFAULT_SETTINGS, localInterface: { enabled: true, port: 0 }, callers }
    },
    update(change) {
      callers = change.callers ?? callers
    }
  },
  session,
  shopRules: ownRules(() => null),
  slips: lazySlips(slips),
  staff: { state: NO_STAFF },
  catalogue: { open: () => Promise.resolve(EMPTY_CATALOGUE) },
  display: { isOpen: () => false },
  country: { code: 'GR' },
  recent: { known: () => [] },
  standings: { read: () => Promise.resolve(null) },
  onFound: () => undefined,
  version: '0.0.0',
  onChange: () => undefined,
  log,
  // The client of the test sends as much as it can in the short life of a process.
  limits: { perSecond: 10_000, atOnce: 100 }
})
await localInterface.update()
process.stdout.write(`${String(localInterface.state.listeningPort)}\n`)
