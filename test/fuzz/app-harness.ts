/** The main process of a till without Electron: its services and handlers, in a temporary folder. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { err, ok } from '../../electron/contract/failure.ts'
import { BillLinksHandlers } from '../../electron/main/ipc/bill-links.ts'
import { AppState, Notices, settingsNotices, StateChanges } from '../../electron/main/ipc/app-state.ts'
import {
  createAboutHandlers,
  createDiagnosticsHandlers,
  createUpdatesHandlers
} from '../../electron/main/ipc/installation.ts'
import { createConnectionHandlers } from '../../electron/main/ipc/connection.ts'
import { createCustomerDisplayHandlers } from '../../electron/main/ipc/customer-display.ts'
import { CustomersHandlers } from '../../electron/main/ipc/customers.ts'
import { createPrintersHandlers } from '../../electron/main/ipc/printers.ts'
import { createCreditsHandlers } from '../../electron/main/ipc/credits.ts'
import { createReturnsHandlers } from '../../electron/main/ipc/returns.ts'
import { createOperationsHandlers } from '../../electron/main/ipc/operations.ts'
import { createRedemptionsHandlers } from '../../electron/main/ipc/redemptions.ts'
import { createRewardsHandlers } from '../../electron/main/ipc/rewards.ts'
import { CheckoutDrafts, createTillHandlers } from '../../electron/main/ipc/till.ts'
import { createBatchesHandlers } from '../../electron/main/ipc/batches.ts'
import { createCheckCode } from '../../electron/main/ipc/check-code.ts'
import { SlipCalls } from '../../electron/main/ipc/slip-calls.ts'
import { createSlipsHandlers } from '../../electron/main/ipc/slips.ts'
import { PrivacyHandlers } from '../../electron/main/ipc/privacy.ts'
import { createLocalInterfaceHandlers } from '../../electron/main/ipc/local-interface.ts'
import { LocalInterface } from '../../electron/main/local-interface/local-interface.ts'
import { createStaffHandlers } from '../../electron/main/ipc/staff.ts'
import { CustomerDisplay } from '../../electron/main/customer-display/customer-display.ts'
import { DiagnosticsService } from '../../electron/main/diagnostics/diagnostics.ts'
import type { Fetch } from '../../electron/main/loyalty/buffered-fetch.ts'
import type { RequestObserver } from '../../electron/main/loyalty/http-client.ts'
import { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import { Images } from '../../electron/main/images/images.ts'
import { SlipPdfRenderer } from '../../electron/main/slip-pdf/slip-pdf-renderer.ts'
import {
  LoyaltyPointsService,
  TRAINING_BASE_URL,
  TRAINING_PUBLIC_URL,
  TRAINING_TOKEN
} from '../../electron/service/index.ts'
import { CatalogueCache, RewardCatalogue } from '../../electron/main/rewards/reward-catalogue.ts'
import { Settings } from '../../electron/main/settings/index.ts'
import { registerIpcHandlers } from '../../electron/main/platform/ipc.ts'
import { registerWindow } from '../../electron/main/platform/windows.ts'
import { drawQr } from '../../electron/images/qr-code.ts'
import { CustomerData } from '../../electron/main/upkeep/customer-data.ts'
import { SampleSlips } from '../../electron/main/slips/sample-slips.ts'
import { SlipFolder } from '../../electron/main/printing/slip-folder.ts'
import { Staff } from '../../electron/main/staff/staff.ts'
import { requiredRole } from '../../electron/main/staff/permissions.ts'
import { RecentCustomers } from '../../electron/main/session/recent-customers.ts'
import { Standings } from '../../electron/main/session/standings.ts'
import type { Credentials } from '../../electron/main/loyalty/credentials.ts'
import { Session } from '../../electron/main/session/session.ts'
import { PairingClient } from '../../electron/main/session/pairing-client.ts'
import { StoredConnection } from '../../electron/main/session/stored-connection.ts'
import { TestPages } from '../../electron/main/slips/test-pages.ts'
import { ShopCountry } from '../../electron/main/loyalty/country.ts'
import { Updates } from '../../electron/main/updates/updates.ts'
import { shopRulesOf } from '../support/shop-rules.ts'
import { noOpLogger } from '../support/no-op-logger.ts'
import { connectorOf } from '../support/session.ts'
import { TILL_WINDOW } from './fake-electron.ts'
import {
  fontsFolder,
  lazySlips,
  openTestSlips,
  slipDependencies,
  type SlipDoubles
} from '../support/slip-service.ts'

const NOW = new Date('2026-11-21T12:05:33.000Z')
const now = (): Date => NOW

const printed = { printer: 'Counter', job: 1 }

const unreachable = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'))

export interface AppHarness {
  /** Whether the till can still list its slips. */
  readonly isAlive: () => boolean
  close(): Promise<void>
}

/** Opens a till in training mode, and registers its handlers at the test's `ipcMain`. No request leaves this process. */
export async function openAppHarness(): Promise<AppHarness> {
  const folder = mkdtempSync(join(tmpdir(), 'tillpoints-fuzz-'))
  const settings = new Settings(folder)
  settings.update({ mode: 'training' })
  const training = await LoyaltyPointsService.open({
    file: ':memory:',
    tokens: [TRAINING_TOKEN],
    publicUrl: TRAINING_PUBLIC_URL,
    seed: { customers: 30 }
  })
  const client = (credentials: Credentials, fetch: Fetch, observer?: RequestObserver): LoyaltyClient =>
    new LoyaltyClient({ ...credentials, fetch, observer, languages: { screen: 'en' }, retryDelay: () => 0 })
  const connector = connectorOf(
    (credentials, observer) => client(credentials, unreachable, observer),
    () =>
      Promise.resolve(
        client({ baseUrl: TRAINING_BASE_URL, token: TRAINING_TOKEN }, (request) => training.fetch(request))
      )
  )
  const session = new Session({ settings, connector, onChange: () => undefined })
  const images = new Images(unreachable, () => null)
  const country = new ShopCountry(settings, session, { country: 'GR', locale: 'el' })
  const pdfRenderer = new SlipPdfRenderer(fontsFolder)
  const doubles: Partial<SlipDoubles> = {
    journalFile: join(folder, 'journal.sqlite'),
    pdfRenderer,
    createQr: (points) => session.ask((service) => service.createQr(points)),
    issueCode: (key, asked) => session.ask((service) => service.issueCode(key, asked)),
    redeem: (key, asked) => session.ask((service) => service.redeem(key, asked)),
    credit: (key, asked) => session.ask((service) => service.credit(key, asked)),
    reverseCredit: (key, asked) => session.ask((service) => service.reverseCredit(key, asked)),
    takeBack: (key, asked) => session.ask((service) => service.takeBack(key, asked)),
    reverseRedemption: (key, asked) => session.ask((service) => service.reverseRedemption(key, asked)),
    currentBusiness: () =>
      session.business && {
        ...session.business,
        training: session.mode === 'training',
        locale: 'en-GB',
        slip: settings.values.slip,
        expiry: null,
        logo: null
      },
    now,
    printOnPrinter: () => Promise.resolve(ok(printed)),
    settings: () => settings.values
  }
  const slips = openTestSlips(folder, doubles)
  const dependencies = slipDependencies(folder, doubles)
  const samples = new SampleSlips({
    ...dependencies,
    folder: new SlipFolder(join(folder, 'slips'), noOpLogger),
    pdfRenderer
  })
  const openedSlips = lazySlips(slips)
  const calls = new SlipCalls(openedSlips, session)
  const diagnostics = new DiagnosticsService({
    languages: { screen: 'en' },
    versions: { till: '0.0.0', electron: '0', chromium: '0', node: process.versions.node },
    platform: { system: process.platform, release: '0', architecture: process.arch, locale: 'en' },
    printing: { list: () => Promise.resolve(ok([])) },
    slips: openedSlips,
    settings,
    log: { ...noOpLogger, files: () => [], redact: (text) => text }
  })
  const askWhereToSave = (name: string): Promise<string> => Promise.resolve(join(folder, name))
  const updates = new Updates({
    settings,
    defaultFeed: null,
    updater: { get: () => Promise.reject(new Error('No updater here')) },
    slips: openedSlips,
    shutdown: { closeServices: () => Promise.resolve(), restartWithoutUpdate: () => undefined },
    notInstalled: false,
    onChange: () => undefined,
    log: noOpLogger
  })
  const staff = new Staff({
    settings,
    system: { idleSeconds: () => 0, isLocked: () => false },
    onChange: () => undefined
  })
  const recent = new RecentCustomers(session)
  const catalogue = new RewardCatalogue({
    session,
    languages: { screen: 'en' },
    cache: new CatalogueCache(join(folder, 'rewards.json')),
    onChange: () => undefined,
    onAffordableChange: () => undefined
  })
  const changes = new StateChanges()
  const notices = new Notices(changes, () => settingsNotices(settings))
  const shopRules = shopRulesOf({ session, settings })
  const standings = new Standings({ session, shopRules, recent })
  const billLinks = new BillLinksHandlers({
    notices,
    session,
    shopRules,
    country,
    slips: openedSlips,
    changes,
    log: noOpLogger
  })
  // Never told to listen.
  const localInterface = new LocalInterface({
    settings,
    session,
    shopRules,
    slips: openedSlips,
    staff,
    catalogue,
    display: { isOpen: () => false },
    country,
    recent,
    standings,
    onFound: () => undefined,
    version: '0.0.0',
    onChange: () => undefined,
    log: noOpLogger
  })
  const appState = new AppState({
    changes,
    notices,
    settings,
    session,
    staff,
    languages: { screen: 'en', slip: 'en' },
    country,
    images,
    shopRules,
    customerDisplay: { isOpen: () => false, hasTouch: () => false },
    billLinks,
    updates,
    localInterface,
    slipServices: { collectionsAsOf: null, hinderedPrint: null, offlineSlips: null },
    system: { everyScreenLock: true, customerDisplay: true },
    slipsFolder: join(folder, 'slips'),
    version: '0.0.0'
  })
  const display = new CustomerDisplay({
    session,
    settings,
    staff,
    languages: { slip: 'en' },
    country,
    images,
    catalogue,
    qr: { opened: { drawQr } },
    window: { isOpen: () => true, hasTouch: () => true, send: () => undefined },
    clock: { now, after: () => () => undefined },
    sendTypedPhone: () => undefined
  })
  const drafts = new CheckoutDrafts(session)
  const customerData = new CustomerData({
    journalFile: join(folder, 'journal.sqlite'),
    backupsFolder: join(folder, 'backups'),
    slipsFolder: join(folder, 'slips'),
    trainingFile: join(folder, 'training.sqlite'),
    markerFile: join(folder, 'customer-removal.json'),
    training: { reset: () => Promise.resolve() },
    clearCaches: () => Promise.resolve(),
    log: noOpLogger
  })
  const checkCode = createCheckCode(session, openedSlips)
  const pairing = new PairingClient({ fetch, languages: { screen: 'en' } })
  const connection = new StoredConnection({
    session,
    settings,
    // `token-store.test.ts` tests the keyring of the operating system.
    tokens: {
      seal: (token: string) =>
        Promise.resolve({
          kind: 'sealed' as const,
          sealed: { ciphertext: Buffer.from(token).toString('base64'), weak: false }
        }),
      open: () => Promise.resolve(null)
    },
    pairing: { pair: () => Promise.resolve(err({ kind: 'offline' })) },
    onWaiting: () => undefined
  })
  await session.refresh()
  // The part of a window that the bridge reads.
  Reflect.apply(registerWindow, undefined, ['till', TILL_WINDOW])
  registerIpcHandlers(
    {
      till: createTillHandlers({
        appState,
        settings,
        session,
        drafts,
        slipServices: { expectSlip: () => undefined },
        deferredStartup: { onRendererReady: () => undefined }
      }),
      connection: createConnectionHandlers({
        appState,
        session,
        pairing,
        connection,
        catalogue,
        images,
        logos: { clear: () => Promise.resolve() }
      }),
      customers: new CustomersHandlers({
        session,
        country,
        images,
        checkCode,
        recent,
        standings,
        slips: openedSlips,
        display,
        sendPartialSearchResult: () => undefined
      }),
      rewards: createRewardsHandlers(session, catalogue),
      localInterface: createLocalInterfaceHandlers({ get: () => Promise.resolve(localInterface) }, appState),
      slips: createSlipsHandlers({
        country: { code: 'GR' },
        calls,
        session,
        checkCode,
        cancelPrint: () => undefined,
        askWhereToSave
      }),
      redemptions: createRedemptionsHandlers(calls, catalogue),
      credits: createCreditsHandlers(calls),
      returns: createReturnsHandlers(calls),
      operations: createOperationsHandlers(calls),
      billLinks,
      batches: createBatchesHandlers(calls),
      printers: createPrintersHandlers({
        printing: { list: () => Promise.resolve(ok([])) },
        discovery: {
          get: () => Promise.resolve({ start: () => Promise.resolve(), stop: () => undefined }),
          opened: null
        },
        sendFoundPrinters: () => undefined,
        samples: { get: () => Promise.resolve(samples) },
        pdfRenderer,
        testPages: new TestPages({
          printing: { print: () => Promise.resolve(ok(printed)) },
          samples: { get: () => Promise.resolve(samples) },
          pdfRenderer,
          business: { slipLocale: () => 'en' },
          onHindered: () => undefined
        })
      }),
      diagnostics: createDiagnosticsHandlers({ get: () => Promise.resolve(diagnostics) }, askWhereToSave),
      updates: createUpdatesHandlers(updates),
      customerDisplay: createCustomerDisplayHandlers({
        display,
        window: { screens: () => [], showNumbers: () => undefined },
        qrDrawing: openedSlips
      }),
      staff: createStaffHandlers({
        appState,
        staff,
        settings,
        session,
        connector,
        pairing,
        slipServices: { expectSlip: () => undefined, forgetCashiers: () => undefined }
      }),
      privacy: new PrivacyHandlers({
        customerData: { get: () => Promise.resolve(customerData) },
        // The slips stay open: their journal is in use, and nothing is removed.
        slips: { opened: ok(slips), whileClosed: (work) => work() },
        session,
        recent,
        images,
        display,
        drafts,
        askWhereToSave,
        languages: { screen: 'en' },
        sendProgress: () => undefined,
        log: noOpLogger
      }),
      about: createAboutHandlers({
        version: '0.0.0',
        versions: process.versions,
        licences: join(folder, 'no-licences.txt'),
        manifest: join(folder, 'no-manifest.json')
      })
    },
    session,
    (group, call, input) => staff.refusal(requiredRole(group, call, input, settings.values)),
    noOpLogger
  )
  return {
    isAlive: () => slips.queries.list({ offset: 0 }).ok,
    async close() {
      staff.close()
      session.close()
      catalogue.close()
      await slips.close()
      await training.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
