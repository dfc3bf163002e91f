/** Where the till's main process begins: what must be said before Chromium runs. The rest is read while that starts. */
import { app } from 'electron'
import { FileLogger } from './log/log-file.ts'
import { keepHeapsSmall } from './platform/heap.ts'
import { createGlobalErrorHandler } from './platform/global-error-handler.ts'
import { places } from './platform/paths.ts'
import { registerAppProtocol } from './platform/app-protocol.ts'
import { acquireSingleInstanceLock } from './platform/single-instance.ts'

// What the till writes is its own account's alone: journals, backups, logs, slips. Windows knows no such mask.
process.umask(0o077)
keepHeapsSmall()

const now = (): Date => new Date()
const where = places()
const log = new FileLogger({
  folder: where.logs,
  now,
  echo: (line) => process.stderr.write(`${line}\n`)
})

const lastResort = createGlobalErrorHandler(log, where.logs)
lastResort.watch()

registerAppProtocol()
if (acquireSingleInstanceLock()) {
  // A turn later, and not waited for: Electron starts Chromium once this module has run.
  setImmediate(() => {
    import('./app/create-app.ts')
      .then(({ createApp }) => createApp({ log, where, lastResort, now }))
      .catch((error: unknown) => lastResort.report('start', error))
  })
} else {
  app.quit()
}
