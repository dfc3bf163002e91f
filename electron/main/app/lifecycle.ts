/**
 * Starts the till: restores the connection, watches the window, and then does the work that can wait for the page. Closes
 * the services in order when the till quits, or before an update is installed.
 */
import { app, nativeTheme, type BrowserWindow } from 'electron'
import type { Notice } from '../../contract/till.ts'
import type { Notices } from '../ipc/app-state.ts'
import type { DeferredWork } from '../ipc/till.ts'
import type { Lazy } from '../lazy.ts'
import type { GlobalErrorHandler } from '../platform/global-error-handler.ts'
import { type Relauncher, UPDATE_NOT_INSTALLED } from '../platform/relaunch.ts'
import { onResume } from '../platform/system.ts'
import {
  bringTillToFront,
  createTillWindow,
  reloadAfterCrash,
  tillWindow,
  whenPageGone
} from '../platform/windows.ts'
import type { PrinterDiscovery } from '../printer-discovery/printer-discovery.ts'
import { managedRefusal } from '../policy/policy.ts'
import type { PolicyReader } from '../policy/policy-reader.ts'
import type { ProvisionedConnection } from '../settings/index.ts'
import type { TillShutdown, Updates } from '../updates/updates.ts'
import type { LocalInterfaceServices } from './lazy-services.ts'
import type { CustomerDisplayServices, SessionServices, TillContext } from './session.ts'
import type { SlipServices } from './slips.ts'

/** The deferred work starts after this time at the latest: an update can repair a page that never becomes ready. */
const DEFERRED_STARTUP_TIMEOUT_MS = 10_000

/** A keyring without a prompt decrypts in milliseconds. */
const KEYRING_NOTICE_DELAY_MS = 1000

/** The interval at which an open till reads the reward catalogue again. */
const CATALOGUE_INTERVAL_MS = 60 * 60_000

export interface DeferredStartupDependencies extends TillContext {
  readonly sessionServices: SessionServices
  readonly slipServices: SlipServices
  readonly customerDisplay: CustomerDisplayServices
  readonly localInterface: LocalInterfaceServices
  readonly updates: Updates
}

/** Work that starts once, when the page is ready: opening the journal, reading the profile, checking for updates. */
export class DeferredStartup implements DeferredWork {
  readonly #dependencies: DeferredStartupDependencies
  #isStarted = false
  #isProfileRead = false

  constructor(dependencies: DeferredStartupDependencies) {
    this.#dependencies = dependencies
  }

  /** Reads the profile once. Call earlier if the till does not know its business yet. */
  readProfile(): void {
    if (this.#isProfileRead) return
    this.#isProfileRead = true
    const { sessionServices, log } = this.#dependencies
    // The training data of a till in training mode may be damaged; each call reports it.
    sessionServices.session.refresh().catch((error: unknown) => log.error('profile-not-read', { error }))
  }

  onRendererReady(): void {
    // Once: a page that reports it again and again must not fill the log.
    if (!this.#isStarted) this.#dependencies.log.info('renderer-ready')
    this.#start()
  }

  onWindowShown(): void {
    setTimeout(() => {
      if (!this.#isStarted) this.#dependencies.log.warn('renderer-not-ready')
      this.#start()
    }, DEFERRED_STARTUP_TIMEOUT_MS).unref()
  }

  #start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    const { sessionServices, slipServices, customerDisplay, localInterface, updates, log } =
      this.#dependencies
    const { session, images, catalogue } = sessionServices
    this.readProfile()
    sessionServices.profileReads.start()
    sessionServices.shopRules.start()
    // Another till or the business may have changed rewards. The page opens the catalogue at its start.
    setInterval(() => void catalogue.open(), CATALOGUE_INTERVAL_MS).unref()
    // The network may be another one after a sleep.
    onResume(() => void session.retryConnection(), log)
    updates.start()
    localInterface.start()
    // The cached logo was shown, and may be outdated.
    if (session.business?.logo) void images.refresh(session.business.logo)
    slipServices.start().then(
      // QR codes can be drawn from now on.
      () => customerDisplay.display.update(),
      // The next use tries again, and its call fails.
      (error: unknown) => log.error('slips-not-opened', { error })
    )
  }
}

export interface StartupDependencies extends TillContext {
  /** created before */
  readonly window: BrowserWindow
  readonly sessionServices: SessionServices
  /** its connection comes before that of the environment */
  readonly policy: PolicyReader
  /** from the environment; null if not set */
  readonly provisioning: ProvisionedConnection | null
  readonly customerDisplay: CustomerDisplayServices
  readonly discovery: Pick<Lazy<Pick<PrinterDiscovery, 'stop'>>, 'opened'>
  readonly deferredStartup: DeferredStartup
  readonly globalErrorHandler: GlobalErrorHandler
  readonly shutdown: Shutdown
}

/**
 * Restores the stored connection, or takes the one of the policy, or that of the environment unless the policy locks another
 * address. Adds a notice while the system's keyring is locked, and if something was lost. The session is ready for the page
 * when this returns: requests wait.
 */
async function restoreSession({
  persistence,
  sessionServices,
  policy,
  provisioning,
  notices,
  log
}: StartupDependencies): Promise<void> {
  const { settings } = persistence
  const { quarantinedAs, isPartlyRead } = settings
  if (quarantinedAs !== null)
    notices.add({ kind: isPartlyRead ? 'settings-partly-read' : 'settings-quarantined', file: quarantinedAs })
  const isElsewhere =
    provisioning !== null && managedRefusal(settings.values, 'connection', 'check', provisioning) !== null
  if (isElsewhere) log.warn('provisioning-refused', { baseUrl: provisioning.baseUrl })
  const connection = policy.connection ?? (isElsewhere ? null : provisioning)
  const isPairing = settings.values.token === null && connection?.pairingCode !== undefined
  const waiting = isPairing
    ? undefined
    : setTimeout(() => notices.add({ kind: 'keyring-locked' }), KEYRING_NOTICE_DELAY_MS)
  try {
    await showOutcome(notices, sessionServices.connection.restore(connection))
  } finally {
    clearTimeout(waiting)
    notices.remove('keyring-locked')
  }
}

/** Shows what came of connecting, instead of what kept it from connecting meanwhile. */
async function showOutcome(notices: Notices, connecting: Promise<Notice | null>): Promise<void> {
  const notice = await connecting
  notices.remove('provisioning-failed')
  if (notice) notices.add(notice)
}

/** Shows what is wrong with the policy, and connects the till if a policy that changed says so. */
function followPolicy({
  policy,
  sessionServices,
  notices,
  changes,
  globalErrorHandler
}: StartupDependencies): void {
  policy.start((found, isChanged) => {
    for (const kind of ['policy-ignored', 'policy-broken', 'policy-mistakes'] as const) notices.remove(kind)
    for (const notice of found) notices.add(notice)
    if (!isChanged) return
    const { connection, session } = sessionServices
    const { generation } = session
    const outcome = showOutcome(notices, connection.provision(policy.connection))
    outcome.catch((error: unknown) => globalErrorHandler.report('start', error))
    changes.emitChanged()
    const isNew = generation !== session.generation || session.business === null
    if (isNew && session.mode === 'business') void session.refresh()
  })
  app.on('will-quit', () => policy.close())
}

/** Restores the connection, watches the till's window, and opens a window again when the system asks for one. */
export function startTill(dependencies: StartupDependencies): void {
  const { window, paths, persistence, sessionServices, customerDisplay, deferredStartup, log } = dependencies
  restoreSession(dependencies).catch((error: unknown) =>
    dependencies.globalErrorHandler.report('start', error)
  )
  followPolicy(dependencies)
  const watchWindow = (shown: BrowserWindow): void => {
    reloadAfterCrash(shown, {
      name: 'till',
      onGivenUp: () =>
        dependencies.globalErrorHandler.report('page', new Error('The page crashed repeatedly')),
      log
    })
    // The page asked for a search or a phone, and would not end it any more.
    whenPageGone(shown, () => {
      dependencies.discovery.opened?.stop()
      customerDisplay.display.stopAskingForPhone()
    })
    shown.on('move', () => customerDisplay.window.update())
    shown.on('focus', () => sessionServices.profileReads.handleFocus())
    shown.once('closed', () => customerDisplay.window.close())
    shown.once('session-end', () => dependencies.shutdown.closeAtSessionEnd())
    shown.once('ready-to-show', () => deferredStartup.onWindowShown())
    customerDisplay.window.start(customerDisplay.display)
  }
  log.info('till-started', {
    version: app.getVersion(),
    electron: process.versions['electron'],
    system: `${process.platform} ${process.arch}`,
    mode: persistence.settings.values.mode
  })
  watchWindow(window)
  const { session } = sessionServices
  // A newly provisioned till needs the country of its business for the first phone number.
  if (session.mode === 'business' && session.business === null) deferredStartup.readProfile()
  app.on('second-instance', bringTillToFront)
  app.on('activate', () => {
    if (!tillWindow()) watchWindow(createTillWindow(paths, nativeTheme.shouldUseDarkColors, log))
  })
  app.on('window-all-closed', () => app.quit())
}

export interface ShutdownDependencies extends TillContext {
  readonly sessionServices: SessionServices
  readonly slipServices: SlipServices
  readonly customerDisplay: CustomerDisplayServices
  readonly localInterface: Pick<Lazy<unknown>, 'close'>
  readonly discovery: Pick<Lazy<unknown>, 'close'>
  readonly diagnostics: Pick<Lazy<unknown>, 'close'>
  readonly relauncher: Relauncher
}

/** Closes the services in order when the till quits, or before an update is installed. */
export class Shutdown implements TillShutdown {
  readonly #dependencies: ShutdownDependencies
  #isClosed = false

  constructor(dependencies: ShutdownDependencies) {
    this.#dependencies = dependencies
  }

  /** Closes what has files open, dependents first. Resolves when a pending slip ended. */
  async closeServices(): Promise<void> {
    const { slipServices, discovery, localInterface, diagnostics, sessionServices, log } = this.#dependencies
    await discovery.close()
    try {
      // A request that is pending then ends with the slips.
      await localInterface.close()
      await slipServices.close()
    } finally {
      await diagnostics.close()
      await sessionServices.training.close()
      this.#isClosed = true
      log.info('till-stopped')
    }
  }

  /** Starts the till again, which then says that the update was not installed. */
  restartWithoutUpdate(): void {
    this.#dependencies.relauncher.relaunch([UPDATE_NOT_INSTALLED])
    app.exit()
  }

  /**
   * Closes the journal before Windows ends the session, so that the next start does not check it. The process is killed
   * as soon as this returns, without the app's quit events: nothing asynchronous is finished.
   */
  closeAtSessionEnd(): void {
    const { opened } = this.#dependencies.slipServices.slips
    if (opened?.ok === true) opened.value.closeJournal()
    this.#dependencies.log.info('session-ended')
  }

  /** Registers the handlers of the app's quit events. */
  register(updates: Updates): void {
    const { customerDisplay, persistence, sessionServices } = this.#dependencies
    app.on('before-quit', () => customerDisplay.window.close())
    app.on('will-quit', (event) => {
      if (this.#isClosed) return
      // Quitting waits for the services, then quits again.
      event.preventDefault()
      updates.stop()
      persistence.staff.close()
      sessionServices.session.close()
      sessionServices.profileReads.close()
      sessionServices.shopRules.close()
      sessionServices.catalogue.close()
      void this.closeServices().finally(() => app.quit())
    })
  }
}
