/** A local interface that listens on loopback, with a journal in a temporary folder and the service's own implementation. */
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import type { SlipExpiry } from '../../../../electron/contract/earning-rules.ts'
import type { Result } from '../../../../electron/contract/failure.ts'
import type { Account, Customer } from '../../../../electron/contract/loyalty.ts'
import { EMPTY_CATALOGUE } from '../../../../electron/contract/catalogue.ts'
import type { EarningRule } from '../../../../electron/contract/points-calculation.ts'
import type { CustomerReference } from '../../../../electron/contract/privacy.ts'
import type { Mode } from '../../../../electron/contract/till.ts'
import {
  LocalInterface,
  type LocalInterfaceDependencies
} from '../../../../electron/main/local-interface/local-interface.ts'
import type { StoredCaller } from '../../../../electron/main/settings/settings-schema.ts'
import { LoyaltyClient } from '../../../../electron/main/loyalty/loyalty-client.ts'
import { RecentCustomers } from '../../../../electron/main/session/recent-customers.ts'
import { Standings } from '../../../../electron/main/session/standings.ts'
import { Session } from '../../../../electron/main/session/session.ts'
import { fingerprintOf, removeCustomerFromSlips } from '../../../../electron/main/journal/customer-slips.ts'
import { openSlips, type SlipService } from '../../../../electron/main/slips/slip-service.ts'
import { slipDependencies, type SlipDoubles } from '../../../support/slip-service.ts'
import { LoyaltyPointsService } from '../../../../electron/service/index.ts'
import { NO_STAFF } from '../../../../electron/contract/staff.ts'
import { DEFAULT_SETTINGS } from '../../../../electron/main/settings/settings-schema.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'
import { openInterfaceClient } from '../../../support/interface-client.ts'
import { connectorOf } from '../../../support/session.ts'
import { DEFAULT_SLIP_SETTINGS } from '../../../../electron/contract/settings.ts'
import { temporaryFolder, valueOf } from '../slips/slip-service-fixture.ts'

const TOKEN = 'demo'

export interface OpenOptions {
  readonly folder?: string
  readonly callers?: readonly StoredCaller[]
  readonly limits?: LocalInterfaceDependencies['limits']
  readonly serverLimits?: LocalInterfaceDependencies['serverLimits']
  readonly slips?: Partial<SlipDoubles>
  readonly log?: LocalInterfaceDependencies['log']
}

/** Sets the time until the end of the test, at which it stands. */
export const setTime = (moment: string | number): void => {
  vi.setSystemTime(moment)
  onTestFinished(() => void vi.useRealTimers())
}

/** Opens the parts and starts the interface on a free port. They are closed after the test. */
export async function openInterface(options: OpenOptions = {}) {
  const { folder = temporaryFolder() } = options
  const points = await LoyaltyPointsService.open({
    file: ':memory:',
    tokens: [TOKEN],
    publicUrl: 'http://127.0.0.1:4010',
    seed: { customers: 60 }
  })
  onTestFinished(() => points.close())
  /** what the service received, as method and path */
  const requests: string[] = []
  const till = {
    locked: false,
    manager: NO_STAFF.manager,
    cashiersRedeem: true,
    earningRule: null as EarningRule | null,
    /** of the slips */
    expiry: null as SlipExpiry | null,
    callers: options.callers ?? ([] as readonly StoredCaller[]),
    enabled: true,
    /** 0: a free one */
    port: 0,
    mode: 'business' as Mode,
    account: null as Account | null,
    /** delays a request to the service */
    before: null as ((path: string) => Promise<unknown>) | null,
    /** replaces the service's response */
    respond: null as ((request: Request) => Promise<Response>) | null
  }
  const loyaltyClient = new LoyaltyClient({
    baseUrl: 'http://127.0.0.1:4010/api',
    token: TOKEN,
    languages: { screen: 'en' },
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      requests.push(`${request.method} ${pathname}`)
      await till.before?.(pathname)
      return till.respond === null ? points.fetch(request) : till.respond(request)
    }
  })
  const session = new Session({
    settings: {
      get values() {
        return {
          ...DEFAULT_SETTINGS,
          mode: till.mode,
          baseUrl: 'http://127.0.0.1:4010/api',
          business: till.account
        }
      },
      update(change) {
        till.account = change.business ?? till.account
        till.mode = change.mode ?? till.mode
      }
    },
    connector: connectorOf(() => loyaltyClient),
    onChange: () => undefined
  })
  session.use({ baseUrl: 'http://127.0.0.1:4010/api', token: TOKEN })
  onTestFinished(() => session.close())
  await session.refresh()
  const openOnce = (): Result<SlipService> => {
    const { slips } = openSlips(
      slipDependencies(folder, {
        now: () => new Date(),
        createQr: (wanted) => session.ask((current) => current.createQr(wanted)),
        issueCode: (key, asked) => session.ask((current) => current.issueCode(key, asked)),
        redeem: (key, asked) => session.askExtension((current) => current.redeem(key, asked)),
        credit: (key, asked) => session.askExtension((current) => current.credit(key, asked)),
        reverseCredit: (key, asked) => session.askExtension((current) => current.reverseCredit(key, asked)),
        takeBack: (key, asked) => session.askExtension((current) => current.takeBack(key, asked)),
        reverseRedemption: (key, asked) =>
          session.askExtension((current) => current.reverseRedemption(key, asked)),
        retryDelaysMs: [],
        currentBusiness: () =>
          session.business && {
            ...session.business,
            // A test that answers `POST /qr` itself has a vendor's service.
            extensions: session.business.extensions.filter(
              (one) => one !== 'codes/1' || options.slips?.createQr === undefined
            ),
            training: session.mode === 'training',
            locale: 'en-GB',
            slip: DEFAULT_SLIP_SETTINGS,
            expiry: till.expiry,
            logo: null
          },
        connectedId: () => till.account?.id ?? null,
        onSlip: (slip) => {
          recent.handleSlip(slip)
          localInterface.handleSlip(slip)
        },
        ...options.slips
      })
    )
    if (slips.ok) onTestFinished(() => slips.value.close())
    return slips
  }
  const found: Customer[] = []
  const recent = new RecentCustomers(session)
  let opened: Result<SlipService> | null = null
  const lazySlips = {
    get: () => Promise.resolve((opened ??= openOnce())),
    get opened() {
      return opened ?? null
    }
  }
  const slips = async (): Promise<SlipService> => valueOf(await lazySlips.get())
  let changes = 0
  const localInterface = new LocalInterface({
    settings: {
      get values() {
        return {
          ...DEFAULT_SETTINGS,
          localInterface: { enabled: till.enabled, port: till.port },
          callers: [...till.callers],
          redemptions: { byCashiers: till.cashiersRedeem, slip: false }
        }
      },
      update({ callers }) {
        if (callers !== undefined) till.callers = callers
      }
    },
    session,
    shopRules: {
      get current() {
        return till.earningRule
      }
    },
    slips: lazySlips,
    staff: {
      get state() {
        return { ...NO_STAFF, locked: till.locked, manager: till.manager }
      }
    },
    catalogue: { open: () => Promise.resolve(EMPTY_CATALOGUE) },
    display: { isOpen: () => false },
    country: { code: 'GR' },
    recent,
    standings: new Standings({
      session,
      shopRules: {
        get ofShop() {
          return (till.earningRule?.version ?? null) === null ? null : till.earningRule
        }
      },
      recent
    }),
    onFound: (customer) => {
      found.push(customer)
      recent.see([customer])
    },
    version: '1.2.3',
    onChange: () => {
      changes += 1
    },
    log: options.log ?? noOpLogger,
    ...(options.limits && { limits: options.limits }),
    ...(options.serverLimits && { serverLimits: options.serverLimits })
  })
  await localInterface.update()
  onTestFinished(() => localInterface.close())
  const port = localInterface.state.listeningPort ?? 0
  const client = await openInterfaceClient(port)
  /** Closes the journal for `work`. */
  const whileClosed = async (work: () => Promise<unknown>): Promise<void> => {
    await (await slips()).close()
    await work()
    opened = null
  }
  return {
    folder,
    port,
    till,
    requests,
    localInterface,
    session,
    slips,
    /** Removes a customer from the journal. */
    forget: (customer: CustomerReference): Promise<void> =>
      whileClosed(() =>
        removeCustomerFromSlips(
          join(folder, 'journal.db'),
          fingerprintOf({ training: false, businessId: session.business?.id ?? '' }, customer),
          false
        )
      ),
    /** The response of the service. */
    serve: (request: Request): Promise<Response> => points.fetch(request),
    document: client.document,
    call: client.call,
    changes: () => changes,
    found,
    recent,
    /** Pairs a program, and returns its token with what it calls. */
    pair: (name = 'Shop POS') => client.pair(localInterface.startPairing().code, name),
    codesRequested: () => requests.filter((request) => /^POST \/(?:api\/qr|ext\/codes)$/.test(request)).length
  }
}

export type InterfaceFixture = Awaited<ReturnType<typeof openInterface>>
