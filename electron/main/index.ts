/** The till's main process, as a table of contents: make each part, wire the bridge, open the window. */
import { app } from 'electron'
import type { CustomerDisplayView } from '../contract/customer-display.ts'
import { answerPage } from './composition/answers.ts'
import { prepareBehind } from './composition/behind.ts'
import { prepareDisplay, prepareDisplayWindow } from './composition/display.ts'
import { prepareEnd } from './composition/end.ts'
import { prepareHelp } from './composition/help.ts'
import { openMemory } from './composition/memory.ts'
import { openService } from './composition/service.ts'
import { prepareSlips } from './composition/slips.ts'
import { prepareStanding } from './composition/standing.ts'
import { startTill } from './composition/start.ts'
import { openLogFile } from './log/index.ts'
import { installGuards } from './shell/guards.ts'
import { keepYoungGenerationsSmall } from './shell/heap.ts'
import { createLastResort } from './shell/last-resort.ts'
import { places } from './shell/places.ts'
import { registerScheme } from './shell/scheme.ts'
import { mayOpen } from './shell/single-till.ts'

const now = (): Date => new Date()
// What the till writes is its own account's alone: journals, backups, logs, slips. Windows knows no such mask.
process.umask(0o077)
keepYoungGenerationsSmall()
const where = places()
const { log, learn, secrets, files } = openLogFile({
  folder: where.logs,
  now,
  echo: (line) => process.stderr.write(`${line}\n`)
})

const lastResort = createLastResort(log, where.logs)
lastResort.watch()

/** Opens the till. A function, since a top-level await of `whenReady` never ends in an ES module. */
async function open(): Promise<void> {
  await app.whenReady()
  installGuards()
  const changed = (): void => standing.standing.changed()

  // What it remembers, and whom it asks
  const memory = openMemory(where, now, changed)
  const service = openService({ where, memory, now, changed, log, learn })

  // What it issues, and where that goes
  const issuing = prepareSlips({
    where,
    memory,
    service,
    now,
    handingOver: () => (displayWindow.isOpen() ? memory.settings.values.handingOver : 'print'),
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
    log,
    logFiles: files,
    secrets
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
  const parts = { where, memory, service, issuing, help, display, behind, ...standing, lastResort, now, log }
  answerPage({ ...parts, drawn: () => behind.pageStands() })

  // How it starts
  await startTill(parts)
  end.follow()
}

registerScheme()
if (mayOpen()) {
  open().catch((error: unknown) => lastResort.report('start', error))
} else {
  app.quit()
}
