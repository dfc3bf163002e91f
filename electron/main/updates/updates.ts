/**
 * Updates: checks and downloads in the background, and installs when the user asks for it and no customer is being served,
 * or when the app quits.
 */
import type { Result } from '../../contract/failure.ts'
import type { InstallResult, UpdateFault, UpdateState } from '../../contract/updates.ts'
import { errorCode } from '../fs/atomic-write.ts'
import type { Lazy } from '../lazy.ts'
import type { Logger } from '../log/log.ts'
import type { Settings } from '../settings/index.ts'
import type { SlipService } from '../slips/slip-service.ts'

/** The interface to the engine that replaces the app. Implemented with electron-updater in `platform/updater.ts`. */
export interface Updater {
  /** false: this installation cannot update itself */
  readonly able: boolean
  /**
   * Resolves with the newer version that the update server offers to a ring (null: to all), or null. Rejects if the feed
   * cannot be read.
   */
  check(feed: string, ring: string | null): Promise<string | null>
  /**
   * Downloads and verifies the version that `check` found. It is then installed when the app quits.
   * @param onPercent receives the progress, 0 to 100
   * @throws if the download breaks off or does not match the feed
   */
  download(onPercent: (percent: number) => void): Promise<void>
  /** Leaves the downloaded version uninstalled when the app quits. */
  discard(): void
  /** Installs the downloaded version, quits the app and starts the new one. Throws if it cannot be installed. */
  install(): void
}

/** Delay of the first check, which must not slow down the start. */
const FIRST_CHECK_MS = 60_000
const CHECK_INTERVAL_MS = 6 * 60 * 60_000
/** Minimum difference between two progress notifications. */
const PROGRESS_STEP_PERCENT = 5

/** Error codes of electron-updater (builder-util-runtime) and their faults. */
const FAULTS: Readonly<Record<string, UpdateFault>> = {
  ERR_CHECKSUM_MISMATCH: 'damaged',
  ERR_UPDATER_INVALID_SIGNATURE: 'untrusted',
  ERR_UPDATER_INVALID_UPDATE_INFO: 'no-feed',
  ERR_UPDATER_INVALID_VERSION: 'no-feed',
  ERR_UPDATER_CHANNEL_FILE_NOT_FOUND: 'no-feed',
  ERR_UPDATER_NO_FILES_PROVIDED: 'no-feed',
  ERR_UPDATER_ASSET_NOT_FOUND: 'no-feed',
  ERR_UPDATER_NO_CHECKSUM: 'no-feed'
}

/** Returns the fault of an error that a check or a download threw. */
function faultOf(error: unknown): UpdateFault {
  const code = errorCode(error)
  return FAULTS[code] ?? (code.startsWith('HTTP_ERROR_4') ? 'no-feed' : 'unreachable')
}

/** Implemented by `Shutdown` in `app/`. */
export interface TillShutdown {
  /** Closes all services, so that nothing runs while the installer replaces the app. */
  closeServices(): Promise<void>
  /** Restarts the app after a failed installation. */
  restartWithoutUpdate(): void
}

interface UpdatesDependencies {
  readonly settings: Pick<Settings, 'values'>
  /** the update server where the settings name none, as `parseFeedUrl` formats it; null: updates are off */
  readonly defaultFeed: string | null
  /** opened at the first check */
  readonly updater: Pick<Lazy<Updater>, 'get'>
  /** their pending work is not interrupted */
  readonly slips: Pick<Lazy<Result<Pick<SlipService, 'pendingWork'>>>, 'opened'>
  readonly shutdown: TillShutdown
  /** whether this start is such a restart */
  readonly notInstalled: boolean
  readonly onChange: () => void
  readonly log: Logger
}

/** Checks for updates, downloads and installs them. */
export class Updates {
  readonly #dependencies: UpdatesDependencies
  #state: UpdateState
  #pendingCheck: Promise<void> | null = null
  /** the update server and the ring that #state is about */
  #checkedFeed: string | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(dependencies: UpdatesDependencies) {
    this.#dependencies = dependencies
    this.#state = dependencies.notInstalled
      ? { kind: 'failed', fault: 'not-installed', checkedAt: new Date().toISOString() }
      : { kind: 'unchecked' }
  }

  get state(): UpdateState {
    if (this.#isDownloaded()) return this.#state
    const feed = this.#feed
    if (feed === null) return { kind: 'off' }
    // The result of another update server no longer counts.
    const isOutdated =
      this.#checkedFeed !== null && this.#checkedFeed !== this.#key(feed) && this.#pendingCheck === null
    return isOutdated ? { kind: 'unchecked' } : this.#state
  }

  /** Starts the periodic checks. */
  start(): void {
    this.#schedule(FIRST_CHECK_MS)
  }

  /** Stops the periodic checks. Call before the app quits: only an update of the current server is installed then. */
  stop(): void {
    // In any other state too: the updater still has what it downloaded from the server of before, or is downloading.
    if (!this.#isDownloaded() && this.#checkedFeed !== null) {
      const { updater } = this.#dependencies
      void updater.get().then(
        (opened) => opened.discard(),
        () => undefined
      )
    }
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  /** Checks now and downloads a newer version. Resolves when that is finished. Never rejects. */
  async check(): Promise<void> {
    const feed = this.#feed
    if (feed === null || this.#isDownloaded()) return
    this.#pendingCheck ??= this.#checkAndDownload(feed)
      .catch((error: unknown) => {
        const fault = faultOf(error)
        this.#dependencies.log.warn('update-failed', { fault, error })
        this.#setState({ kind: 'failed', fault, checkedAt: new Date().toISOString() })
      })
      .finally(() => (this.#pendingCheck = null))
    await this.#pendingCheck
  }

  /**
   * Restarts into the downloaded version unless something would be interrupted.
   * @param serving whether a customer is selected on the screen
   */
  async install(serving: boolean): Promise<InstallResult> {
    if (this.#state.kind !== 'ready' || !this.#isDownloaded()) return { kind: 'nothing' }
    const { slips, shutdown, log } = this.#dependencies
    const waitsFor = serving
      ? 'customer'
      : slips.opened?.ok === true
        ? slips.opened.value.pendingWork()
        : null
    if (waitsFor !== null) return { kind: 'wait', for: waitsFor }
    const { version } = this.#state
    this.#setState({ kind: 'installing', version })
    log.info('update-installing', { version })
    const updater = await this.#dependencies.updater.get()
    // Services are closed first: an installer ends running processes.
    await shutdown.closeServices()
    try {
      updater.install()
    } catch (error) {
      log.error('update-not-installed', { version, error })
      // The exit would install it a second time, which removes the program first.
      updater.discard()
      shutdown.restartWithoutUpdate()
    }
    return { kind: 'restarting' }
  }

  get #feed(): string | null {
    const { settings, defaultFeed } = this.#dependencies
    return settings.values.updates.feed ?? defaultFeed
  }

  #key(feed: string): string {
    return `${feed} ${this.#dependencies.settings.values.updateRing ?? ''}`
  }

  #setState(state: UpdateState): void {
    this.#state = state
    this.#dependencies.onChange()
  }

  /** Whether a version of the current update server is downloaded. */
  #isDownloaded(): boolean {
    if (this.#state.kind === 'installing') return true
    const feed = this.#feed
    return this.#state.kind === 'ready' && feed !== null && this.#checkedFeed === this.#key(feed)
  }

  async #checkAndDownload(feed: string): Promise<void> {
    const { settings, log } = this.#dependencies
    this.#checkedFeed = this.#key(feed)
    this.#setState({ kind: 'checking' })
    const updater = await this.#dependencies.updater.get()
    if (!updater.able) {
      this.#setState({ kind: 'unsupported' })
      return
    }
    const version = await updater.check(feed, settings.values.updateRing)
    if (version === null) {
      this.#setState({ kind: 'newest', checkedAt: new Date().toISOString() })
      return
    }
    let reported = 0
    this.#setState({ kind: 'downloading', version, percent: reported })
    await updater.download((percent) => {
      if (percent < reported + PROGRESS_STEP_PERCENT) return
      reported = Math.floor(percent)
      this.#setState({ kind: 'downloading', version, percent: reported })
    })
    log.info('update-ready', { version })
    this.#setState({ kind: 'ready', version })
  }

  #schedule(delayMs: number): void {
    this.#timer = setTimeout(() => {
      void this.check().finally(() => {
        if (this.#timer !== null) this.#schedule(CHECK_INTERVAL_MS)
      })
    }, delayMs)
    this.#timer.unref()
  }
}
