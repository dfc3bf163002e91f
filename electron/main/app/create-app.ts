/** The till, as a table of contents: make its window and each part, wire the bridge, show the page. */
import { app, nativeTheme } from 'electron'
import type { CustomerDisplayView } from '../../contract/customer-display.ts'
import type { FileLogger } from '../log/log-file.ts'
import { parseCountry } from '../loyalty/country.ts'
import { createSettings } from '../settings/index.ts'
import { installSecurityRestrictions } from '../platform/security-restrictions.ts'
import type { GlobalErrorHandler } from '../platform/global-error-handler.ts'
import type { AppPaths } from '../platform/paths.ts'
import { makeTillWindow } from '../platform/windows.ts'
import { answerPage } from './handlers.ts'
import { prepareBehind, startTill } from './startup.ts'
import { prepareDisplay, prepareDisplayWindow } from './customer-display.ts'
import { prepareEnd } from './shutdown.ts'
import { prepareHelp } from './diagnostics-and-updates.ts'
import { openMemory } from './persistence.ts'
import { openService } from './session.ts'
import { prepareSlips } from './slips.ts'
import { prepareStanding } from './standing.ts'

/** What is there before the till opens. */
export interface OpeningParts {
  readonly log: FileLogger
  readonly where: AppPaths
  readonly lastResort: GlobalErrorHandler
  readonly now: () => Date
}

/**
 * Opens the till. May be called before the app is ready: what needs no Chromium is done while that starts. Rejects when
 * it cannot open.
 */
export async function createApp(opening: OpeningParts): Promise<void> {
  const { where, lastResort, now, log } = opening
  const settings = createSettings(where.userData, now)
  const { country, business } = settings.values
  // A name is looked for among those of all countries: some 10 ms, the first time. Nobody asks where it was set.
  if (country === null) parseCountry(business?.address.country ?? '')
  await app.whenReady()
  installSecurityRestrictions()
  // Before what answers its page: Chromium prepares it meanwhile.
  const window = makeTillWindow(where, nativeTheme.shouldUseDarkColors)
  const changed = (): void => standing.standing.changed()

  // What it remembers, and whom it asks
  const memory = openMemory(settings, changed)
  const service = openService({ where, memory, now, changed, log })

  // What it issues, and where that goes
  const issuing = prepareSlips({
    where,
    memory,
    service,
    now,
    deliveryMethod: () => (displayWindow.isOpen() ? memory.settings.values.deliveryMethod : 'print'),
    onHandedOver: (slip, qr) => {
      display.shows.handedOver(slip, qr)
      return displayWindow.isOpen()
    },
    notice: (notice) => standing.standing.notice(notice),
    withdraw: (kind) => standing.standing.withdraw(kind),
    log
  })

  // How it ends, and what keeps it well
  const end = prepareEnd(() => ({ memory, service, issuing, help, display, log }))
  const help = prepareHelp({
    memory,
    issuing,
    now,
    changed,
    closeDown: end.closeDown,
    log
  })
  lastResort.offer(help.saveDiagnostics)

  // What it says to the page, and what customers see
  const view = (): CustomerDisplayView => display.shows.view()
  const displayWindow = prepareDisplayWindow({ where, memory, view, changed, log })
  const standing = prepareStanding({
    where,
    memory,
    service,
    update: () => help.updates.state,
    customerDisplayOpen: () => displayWindow.isOpen(),
    saw: (customer) => display.shows.saw(customer),
    tell: () => {
      display.shows.changed()
      displayWindow.follow()
    },
    log
  })
  const display = prepareDisplay({
    window: displayWindow,
    now,
    state: () => standing.standing.state(),
    drawQr: (url) => issuing.slips.opened?.drawQr(url) ?? null
  })
  const behind = prepareBehind({ service, issuing, help, display, log })
  const parts = {
    window,
    where,
    memory,
    service,
    issuing,
    help,
    display,
    behind,
    ...standing,
    lastResort,
    now,
    log
  }
  answerPage({ ...parts, drawn: () => behind.pageStands() })

  // How it starts
  await startTill(parts)
  end.follow()
}
