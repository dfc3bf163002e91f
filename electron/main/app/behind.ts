/** What begins behind the window, when the page stands: nobody waits for it, and before that it would be in the way. */
import type { Log } from '../log/index.ts'
import { followSleep } from '../platform/sleep.ts'
import type { Display } from './display.ts'
import type { Help } from './help.ts'
import type { Service } from './service.ts'
import type { Issuing } from './slips.ts'

/** All that begins. */
export interface BehindParts {
  readonly service: Service
  readonly issuing: Issuing
  readonly help: Help
  readonly display: Display
  readonly log: Log
}

/** Milliseconds after which it begins even behind a page that does not stand: an update may mend that one. */
const AT_LATEST = 10_000

/** What begins behind the window. */
export interface Behind {
  /** The profile is wanted at once, before the page stands: without it the till takes the system's country for its own. */
  profileWanted(): void
  /** The page stands: it begins, unless it has. */
  pageStands(): void
  /** The window is there: it begins in ten seconds, unless it has. */
  windowShows(): void
}

/** Prepares it: the journal is opened, the profile read, the network and updates followed. */
export function prepareBehind({ service, issuing, help, display, log }: BehindParts): Behind {
  let begun = false
  let asked = false
  const askForProfile = (): void => {
    if (asked) return
    asked = true
    void service.session.refresh()
  }
  const begin = (): void => {
    if (begun) return
    begun = true
    askForProfile()
    // A machine that slept has another network under it, perhaps.
    followSleep(() => void service.session.tryNow(), log)
    help.updates.start()
    // It was shown from the disk, and may be another one by now.
    const { business } = service.session
    if (business?.logo) void service.pictures.renew(business.logo)
    issuing.begin().then(
      // It can show codes from here on.
      () => display.shows.changed(),
      // Whoever needs it tries again, and is told then.
      (error: unknown) => log.error('slips-not-opened', { error })
    )
  }
  return {
    profileWanted: askForProfile,
    pageStands() {
      // Once: whatever a page says again and again must not push older lines out of the log.
      if (!begun) log.info('page-stands')
      begin()
    },
    windowShows() {
      const late = (): void => {
        if (!begun) log.warn('page-does-not-stand')
        begin()
      }
      setTimeout(late, AT_LATEST).unref()
    }
  }
}
