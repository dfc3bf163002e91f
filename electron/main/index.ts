/** Where the till's main process begins: what must be said before Chromium runs. The rest is read while that starts. */
import { app } from 'electron'
import { openLogFile } from './log/index.ts'
import { keepHeapsSmall } from './platform/heap.ts'
import { createLastResort } from './platform/last-resort.ts'
import { places } from './platform/places.ts'
import { registerScheme } from './platform/scheme.ts'
import { mayOpen } from './platform/single-till.ts'

// What the till writes is its own account's alone: journals, backups, logs, slips. Windows knows no such mask.
process.umask(0o077)
keepHeapsSmall()

const now = (): Date => new Date()
const where = places()
const logFile = openLogFile({
  folder: where.logs,
  now,
  echo: (line) => process.stderr.write(`${line}\n`)
})

const lastResort = createLastResort(logFile.log, where.logs)
lastResort.watch()

registerScheme()
if (mayOpen()) {
  // A turn later, and not waited for: Electron starts Chromium once this module has run.
  setImmediate(() => {
    import('./app/open.ts')
      .then(({ openTill }) => openTill({ ...logFile, where, lastResort, now }))
      .catch((error: unknown) => lastResort.report('start', error))
  })
} else {
  app.quit()
}
