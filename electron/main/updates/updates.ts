/** From what electron-updater throws to what is told. */
import type { InstallObstacle, InstallResult, UpdateFault, UpdateState } from '../../contract/updates.ts'
import type { Logger } from '../log/log.ts'
import type { Updater } from './updater.ts'

/** Its own codes, and HTTP's refusals, as `builder-util-runtime` names them. */
const CODES: Readonly<Record<string, UpdateFault>> = {
  ERR_CHECKSUM_MISMATCH: 'damaged',
  ERR_UPDATER_INVALID_SIGNATURE: 'untrusted',
  ERR_UPDATER_INVALID_UPDATE_INFO: 'no-feed',
  ERR_UPDATER_INVALID_VERSION: 'no-feed',
  ERR_UPDATER_CHANNEL_FILE_NOT_FOUND: 'no-feed',
  ERR_UPDATER_NO_FILES_PROVIDED: 'no-feed',
  ERR_UPDATER_ASSET_NOT_FOUND: 'no-feed',
  ERR_UPDATER_NO_CHECKSUM: 'no-feed'
}

/** The fault behind an error of a check or a download. */
export function updateFaultOf(error: unknown): UpdateFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return CODES[code] ?? (code.startsWith('HTTP_ERROR_4') ? 'no-feed' : 'unreachable')
}

/* from index.ts:
 * Keeping the till up to date without being in anybody's way: it looks and fetches in the background, tells how far it
 * is, and replaces the program only when somebody says so and nobody is served, or when the till is closed.
 */

/** Looking for an update does not compete with the till's start. */
const FIRST_CHECK_MS = 60_000
const CHECK_EVERY_MS = 6 * 60 * 60_000
/** A percent is worth telling when it is this much more. */
const TOLD_PERCENT = 5

/** What the updates are made of. */
interface UpdatesOptions {
  /** address of the feed, as `parseFeedUrl` gives it; null: off */
  readonly feed: () => string | null
  /** Opens what replaces the program; called at the first check only. */
  readonly openUpdater: () => Promise<Updater>
  /** What of the till's own work a restart would disturb now. */
  readonly obstacle: () => Exclude<InstallObstacle, 'customer'> | null
  /** Ends the till's services, so that nothing of them is running when the program is replaced. */
  readonly closeDown: () => Promise<void>
  /** Starts the till again as it was, when the program could not be replaced after all. */
  readonly restart: () => void
  /** whether that is why the till was started now */
  readonly notInstalled: boolean
  readonly onChange: () => void
  readonly now: () => Date
  readonly log: Logger
}

/** The till's updates. */
export interface Updates {
  readonly state: UpdateState
  /** Looks now and then from here on. */
  start(): void
  /** Looks now, and fetches what is there; resolves when that has ended. Never rejects. */
  check(): Promise<void>
  /**
   * Restarts into the new version, unless that would disturb somebody.
   * @param serving whether a customer is being served on the screen
   */
  install(serving: boolean): Promise<InstallResult>
  stop(): void
}

/** Makes the updates; asks nobody yet. */
export function createUpdates(options: UpdatesOptions): Updates {
  const { feed, openUpdater, obstacle, closeDown, restart, onChange, now, log } = options
  let current: UpdateState = options.notInstalled
    ? { kind: 'failed', fault: 'not-installed', checkedAt: now().toISOString() }
    : { kind: 'unchecked' }
  let opened: Promise<Updater> | null = null
  let underWay: Promise<void> | null = null
  /** the feed that the state was told by */
  let asked: string | null = null
  let timer: NodeJS.Timeout | null = null

  const become = (next: UpdateState): void => {
    current = next
    onChange()
  }

  const fetched = (): boolean => current.kind === 'ready' || current.kind === 'installing'

  const look = async (from: string): Promise<void> => {
    asked = from
    become({ kind: 'checking' })
    const updater = await (opened ??= openUpdater())
    if (!updater.able) {
      become({ kind: 'unsupported' })
      return
    }
    const version = await updater.check(from)
    if (version === null) {
      become({ kind: 'newest', checkedAt: now().toISOString() })
      return
    }
    let told = 0
    become({ kind: 'downloading', version, percent: told })
    await updater.download((percent) => {
      if (percent < told + TOLD_PERCENT) return
      told = Math.floor(percent)
      become({ kind: 'downloading', version, percent: told })
    })
    log.info('update-ready', { version })
    become({ kind: 'ready', version })
  }

  const check = async (): Promise<void> => {
    const from = feed()
    if (from === null || fetched()) return
    underWay ??= look(from)
      .catch((error: unknown) => {
        const fault = updateFaultOf(error)
        log.warn('update-failed', { fault, error })
        become({ kind: 'failed', fault, checkedAt: now().toISOString() })
      })
      .finally(() => (underWay = null))
    await underWay
  }

  const again = (delay: number): void => {
    timer = setTimeout(() => {
      void check().finally(() => {
        if (timer !== null) again(CHECK_EVERY_MS)
      })
    }, delay)
    // A till that is being closed waits for no update.
    timer.unref()
  }

  return {
    get state(): UpdateState {
      if (fetched()) return current
      if (feed() === null) return { kind: 'off' }
      // What another feed said no longer counts.
      return asked !== null && asked !== feed() && underWay === null ? { kind: 'unchecked' } : current
    },
    start: () => again(FIRST_CHECK_MS),
    check,
    async install(serving) {
      if (current.kind !== 'ready') return { kind: 'nothing' }
      const inTheWay = serving ? 'customer' : obstacle()
      if (inTheWay !== null) return { kind: 'wait', for: inTheWay }
      const { version } = current
      become({ kind: 'installing', version })
      log.info('update-installing', { version })
      const updater = await (opened ??= openUpdater())
      // First the services, then the program: an installer ends what it finds running.
      await closeDown()
      try {
        updater.install()
      } catch (error) {
        log.error('update-not-installed', { version, error })
        restart()
      }
      return { kind: 'restarting' }
    },
    stop() {
      if (timer !== null) clearTimeout(timer)
      timer = null
    }
  }
}
