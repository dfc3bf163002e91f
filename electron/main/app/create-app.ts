/** Creates the till's services in the order of their dependencies, connects them to the page, and starts the till. */
import { app, nativeTheme } from 'electron'
import type { BridgeHandlers } from '../../contract/bridge.ts'
import {
  createStateChangeLogger,
  AppState,
  Notices,
  settingsNotices,
  StateChanges
} from '../ipc/app-state.ts'
import { BillLinksHandlers } from '../ipc/bill-links.ts'
import { createAboutHandlers, createDiagnosticsHandlers, createUpdatesHandlers } from '../ipc/installation.ts'
import { createConnectionHandlers } from '../ipc/connection.ts'
import { createCustomerDisplayHandlers } from '../ipc/customer-display.ts'
import { CustomersHandlers } from '../ipc/customers.ts'
import { createLocalInterfaceHandlers } from '../ipc/local-interface.ts'
import { createPrintersHandlers } from '../ipc/printers.ts'
import { PrivacyHandlers } from '../ipc/privacy.ts'
import { createOperationsHandlers } from '../ipc/operations.ts'
import { createCreditsHandlers } from '../ipc/credits.ts'
import { createRedemptionsHandlers } from '../ipc/redemptions.ts'
import { createReturnsHandlers } from '../ipc/returns.ts'
import { createRewardsHandlers } from '../ipc/rewards.ts'
import { createBatchesHandlers } from '../ipc/batches.ts'
import { createCheckCode } from '../ipc/check-code.ts'
import { SlipCalls } from '../ipc/slip-calls.ts'
import { createSlipsHandlers } from '../ipc/slips.ts'
import { createStaffHandlers } from '../ipc/staff.ts'
import { CheckoutDrafts, createTillHandlers } from '../ipc/till.ts'
import { createLazy } from '../lazy.ts'
import type { FileLogger } from '../log/log.ts'
import { handleAppProtocol } from '../platform/app-protocol.ts'
import type { BillLinkReceiver } from '../platform/command-line.ts'
import type { GlobalErrorHandler } from '../platform/global-error-handler.ts'
import { registerIpcHandlers, send } from '../platform/ipc.ts'
import type { AppPaths } from '../platform/paths.ts'
import type { Relauncher } from '../platform/relaunch.ts'
import { systemSupport } from '../platform/system.ts'
import {
  askWhereToSave,
  bringTillToFront,
  createTillWindow,
  installSecurityRestrictions
} from '../platform/windows.ts'
import { managedRefusal } from '../policy/policy.ts'
import { installedPolicies, PolicyReader } from '../policy/policy-reader.ts'
import { type ProvisionedConnection, Settings } from '../settings/index.ts'
import { requiredRole } from '../staff/permissions.ts'
import {
  createAppUpdates,
  createLazyDiagnostics,
  createLazyDiscovery,
  LocalInterfaceServices,
  watchMovedPrinters
} from './lazy-services.ts'
import { DeferredStartup, Shutdown, startTill } from './lifecycle.ts'
import { createCustomerDisplayServices, createPersistence, createSessionServices } from './session.ts'
import { createLazyCustomerData, SlipServices } from './slips.ts'

export interface AppDependencies {
  readonly paths: AppPaths
  readonly log: FileLogger
  readonly globalErrorHandler: GlobalErrorHandler
  readonly provisioning: ProvisionedConnection | null
  readonly relauncher: Relauncher
  readonly billLinkReceiver: BillLinkReceiver
}

/** Creates and starts the till. May be called before the app is ready. Rejects if the till cannot start. */
export async function createApp({
  paths,
  log,
  globalErrorHandler,
  provisioning,
  relauncher,
  billLinkReceiver
}: AppDependencies): Promise<void> {
  const settings = new Settings(paths.userData)
  const policy = new PolicyReader({
    sources: installedPolicies(paths, process.platform, process.env),
    settings,
    log
  })
  const policyRead = policy.read()
  await app.whenReady()
  installSecurityRestrictions()
  // Chromium loads the page while the services are created. What the page asks for waits until this function returns.
  handleAppProtocol(paths.page, (key) => sessionServices.images.read(key))
  const window = createTillWindow(paths, nativeTheme.shouldUseDarkColors, log)
  await policyRead

  // State changes: emitted by the services, collected by AppState
  const changes = new StateChanges()
  const notices = new Notices(changes, () => settingsNotices(settings))

  // Services
  const persistence = createPersistence(settings, changes.emitChanged)
  globalErrorHandler.setLanguages(persistence.languages)
  const context = { paths, persistence, changes, notices, log }
  const sessionServices = createSessionServices(context)
  const qrModule = createLazy(() => import('../../images/qr-code.ts'))
  const customerDisplay = createCustomerDisplayServices({ ...context, sessionServices, qr: qrModule })
  const customerData = createLazyCustomerData(context, sessionServices)
  const slipServices = new SlipServices({
    ...context,
    sessionServices,
    customerDisplay,
    customerData,
    qrModule
  })
  const services = { ...context, sessionServices, slipServices, customerDisplay }
  const localInterface = new LocalInterfaceServices(services)
  const discovery = createLazyDiscovery(slipServices.printing, log)
  watchMovedPrinters(slipServices, discovery, log)
  const diagnostics = createLazyDiagnostics(persistence, slipServices, log)
  const shutdown = new Shutdown({
    ...services,
    discovery,
    localInterface: localInterface.localInterface,
    diagnostics,
    relauncher
  })
  const updates = createAppUpdates({ ...services, shutdown, relauncher })
  const billLinks = new BillLinksHandlers({
    notices,
    session: sessionServices.session,
    shopRules: sessionServices.shopRules,
    country: sessionServices.country,
    slips: slipServices.slips,
    changes,
    log
  })

  // State: sent to the page, the log, the theme and the customer display
  const appState = new AppState({
    ...persistence,
    ...sessionServices,
    changes,
    notices,
    customerDisplay: customerDisplay.window,
    billLinks,
    updates,
    localInterface,
    slipServices,
    system: systemSupport(),
    slipsFolder: paths.slips,
    version: app.getVersion()
  })
  nativeTheme.themeSource = settings.values.theme
  appState.subscribe((state) => {
    nativeTheme.themeSource = state.settings.theme
  })
  appState.subscribe(createStateChangeLogger(log))
  appState.subscribe((state) => send('onState', state))
  appState.subscribe(() => {
    sessionServices.catalogue.handleStateChange()
    sessionServices.shopRules.handleStateChange()
    customerDisplay.display.handleStateChange()
    customerDisplay.window.update()
    localInterface.handleStateChange()
    slipServices.handleStateChange()
  })

  // The page
  const deferredStartup = new DeferredStartup({ ...services, localInterface, updates })
  const { staff, languages } = persistence
  const { session, catalogue, recent, country, images } = sessionServices
  const { slips, samples, printing } = slipServices
  const checkCode = createCheckCode(session, slips)
  const calls = new SlipCalls(slips, session)
  const drafts = new CheckoutDrafts(session)
  const handlers: BridgeHandlers = {
    till: createTillHandlers({
      appState,
      settings,
      session,
      drafts,
      slipServices,
      deferredStartup
    }),
    connection: createConnectionHandlers({
      appState,
      session,
      pairing: sessionServices.pairing,
      connection: sessionServices.connection,
      catalogue,
      images,
      logos: sessionServices.logos
    }),
    customers: new CustomersHandlers({
      session,
      country,
      images,
      checkCode,
      recent,
      standings: sessionServices.standings,
      slips,
      display: customerDisplay.display,
      sendPartialSearchResult: (result) => send('onPartialSearchResult', result)
    }),
    rewards: createRewardsHandlers(session, catalogue),
    slips: createSlipsHandlers({
      ...{ calls, session, checkCode, askWhereToSave, country },
      cancelPrint: (jobId) => {
        slipServices.cancelPrint(jobId)
      }
    }),
    redemptions: createRedemptionsHandlers(calls, catalogue),
    credits: createCreditsHandlers(calls),
    returns: createReturnsHandlers(calls),
    operations: createOperationsHandlers(calls),
    billLinks,
    batches: createBatchesHandlers(calls),
    printers: createPrintersHandlers({
      printing,
      discovery,
      sendFoundPrinters: (found) => send('onFoundPrinters', found),
      samples,
      pdfRenderer: slipServices.pdfWorker,
      testPages: slipServices.testPages
    }),
    diagnostics: createDiagnosticsHandlers(diagnostics, askWhereToSave),
    updates: createUpdatesHandlers(updates),
    customerDisplay: createCustomerDisplayHandlers({
      ...customerDisplay,
      qrDrawing: slips
    }),
    staff: createStaffHandlers({
      appState,
      staff,
      settings,
      session,
      connector: sessionServices.connector,
      pairing: sessionServices.pairing,
      slipServices
    }),
    privacy: new PrivacyHandlers({
      customerData,
      slips,
      session,
      recent,
      images,
      display: customerDisplay.display,
      drafts,
      askWhereToSave,
      languages,
      sendProgress: (progress) => send('onForgettingProgress', progress),
      log
    }),
    localInterface: createLocalInterfaceHandlers(localInterface.localInterface, appState),
    about: createAboutHandlers({
      version: app.getVersion(),
      versions: process.versions,
      licences: paths.licences,
      manifest: paths.manifest
    })
  }
  registerIpcHandlers(
    handlers,
    session,
    (group, method, input) =>
      staff.refusal(requiredRole(group, method, input, settings.values)) ??
      managedRefusal(settings.values, group, method, input),
    log
  )
  globalErrorHandler.offerDiagnostics(
    async () => handlers.diagnostics.save(),
    () => staff.refusal('manager') === null
  )

  // Start
  startTill({
    ...services,
    window,
    policy,
    provisioning,
    discovery,
    deferredStartup,
    globalErrorHandler,
    shutdown
  })
  billLinkReceiver.start((link) => {
    bringTillToFront()
    billLinks.receive(link)
  })
  shutdown.register(updates)
}
