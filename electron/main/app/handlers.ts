/** Creates the handlers of every call of the bridge, and serves the page. */
import { app } from 'electron'
import type { BridgeCalls } from '../../contract/bridge.ts'
import type { DiagnosticsService } from '../diagnostics/diagnostics.ts'
import type { AppState } from '../ipc/app-state.ts'
import { AboutHandlers, DiagnosticsHandlers, UpdatesHandlers } from '../ipc/installation.ts'
import type { BillLinksHandlers } from '../ipc/bill-links.ts'
import { ConnectionHandlers } from '../ipc/connection.ts'
import { CustomerDisplayHandlers } from '../ipc/customer-display.ts'
import { CustomersHandlers } from '../ipc/customers.ts'
import { LocalInterfaceHandlers } from '../ipc/local-interface.ts'
import { PrintersHandlers } from '../ipc/printers.ts'
import { PrivacyHandlers } from '../ipc/privacy.ts'
import { RedemptionsHandlers } from '../ipc/redemptions.ts'
import { RewardsHandlers } from '../ipc/rewards.ts'
import { BatchesHandlers } from '../ipc/batches.ts'
import { createCheckCode, SlipsHandlers } from '../ipc/slips.ts'
import { StaffHandlers } from '../ipc/staff.ts'
import { CheckoutDrafts, TillHandlers, type DeferredWork } from '../ipc/till.ts'
import type { Lazy } from '../lazy.ts'
import type { LocalInterface } from '../local-interface/local-interface.ts'
import type { CustomerData } from '../privacy/customer-data.ts'
import { sendForgettingProgress, sendFoundPrinters, sendPartialSearchResult } from '../platform/ipc.ts'
import { askWhereToSave } from '../platform/windows.ts'
import type { PrinterDiscovery } from '../printer-discovery/printer-discovery.ts'
import type { Updates } from '../updates/updates.ts'
import type { CustomerDisplayServices } from './customer-display.ts'
import type { TillContext } from './persistence.ts'
import type { SessionServices } from './session.ts'
import type { SlipServices } from './slips.ts'

export interface HandlersDependencies extends TillContext {
  readonly appState: AppState
  readonly sessionServices: SessionServices
  readonly slipServices: SlipServices
  readonly billLinks: BillLinksHandlers
  readonly discovery: Lazy<PrinterDiscovery>
  readonly customerDisplay: CustomerDisplayServices
  readonly localInterface: Lazy<LocalInterface>
  readonly diagnostics: Lazy<DiagnosticsService>
  readonly customerData: Lazy<CustomerData>
  readonly updates: Updates
  readonly deferredStartup: DeferredWork
}

export function createHandlers(dependencies: HandlersDependencies): BridgeCalls {
  const {
    paths,
    appState,
    persistence,
    sessionServices,
    slipServices,
    billLinks,
    discovery,
    customerDisplay,
    localInterface,
    diagnostics,
    customerData,
    updates,
    deferredStartup,
    now,
    log
  } = dependencies
  const { settings, staff, languages } = persistence
  const { session, catalogue, recent, country, images } = sessionServices
  const { slips, samples, business, printing } = slipServices
  const checkCode = createCheckCode(session, slips)
  const drafts = new CheckoutDrafts(() => `${session.mode} ${settings.values.baseUrl ?? ''}`)
  return {
    till: new TillHandlers({
      appState,
      settings,
      session,
      drafts,
      deferredStartup
    }),
    connection: new ConnectionHandlers({
      appState,
      session,
      pairing: sessionServices.pairing,
      connection: sessionServices.connection,
      catalogue,
      images
    }),
    customers: new CustomersHandlers({
      session,
      country,
      images,
      checkCode,
      recent,
      slips,
      display: customerDisplay.display,
      sendPartialSearchResult
    }),
    rewards: new RewardsHandlers(session, catalogue),
    slips: new SlipsHandlers({ slips, session, checkCode, askWhereToSave, now }),
    redemptions: new RedemptionsHandlers({ slips, session, catalogue }),
    billLinks,
    batches: new BatchesHandlers(slips, session),
    printers: new PrintersHandlers({
      printing,
      discovery,
      sendFoundPrinters,
      samples,
      pdfRenderer: slipServices.pdfWorker,
      business,
      now
    }),
    diagnostics: new DiagnosticsHandlers(diagnostics, askWhereToSave, now),
    updates: new UpdatesHandlers(updates),
    customerDisplay: new CustomerDisplayHandlers({
      display: customerDisplay.display,
      window: customerDisplay.window,
      qrDrawing: slips
    }),
    staff: new StaffHandlers({
      appState,
      staff,
      settings,
      session,
      connector: sessionServices.connector
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
      sendProgress: sendForgettingProgress,
      now,
      log
    }),
    localInterface: new LocalInterfaceHandlers(localInterface, appState),
    about: new AboutHandlers({
      version: app.getVersion(),
      versions: process.versions,
      licences: paths.licences,
      manifest: paths.manifest
    })
  }
}
