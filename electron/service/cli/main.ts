/**
 * `npm run service`: without a command it serves sample data, with one it runs or manages a shop's own service. Exits with
 * 0, with 1 when something is refused or fails, and then nothing was changed (but for the other lines of an import), and with
 * 2 for arguments that cannot be used.
 */
import { enableCompileCache } from 'node:module'
import { isAbsolute, join } from 'node:path'

// Compiled code is kept for the next start, in the user's cache: in Node's own place, the system's folder for temporary
// files, another user could put code. Node goes on without it where the folder cannot be written.
const { LOCALAPPDATA, XDG_CACHE_HOME, HOME = '' } = process.env
const userCache = LOCALAPPDATA ?? XDG_CACHE_HOME ?? join(HOME, '.cache')
if (isAbsolute(userCache)) enableCompileCache(join(userCache, 'tillpoints-service'))

/** Runs the command. Resolves with the exit code; undefined for a program that goes on. */
const run = async (args: readonly string[]): Promise<number | undefined> => {
  const { Log } = await import('../monitoring/log.ts')
  const log = new Log()
  process.on('uncaughtException', (error) => {
    log.failure('The process', error)
    process.exit(1)
  })
  if (args[0]?.startsWith('-') !== false) {
    const { failureText } = await import('./failure-text.ts')
    const { runSampleData } = await import('./sample-data.ts')
    return runSampleData(args, log).catch((error: unknown) => {
      log.error(`The service cannot start: ${failureText(error)}`)
      return 1
    })
  }
  const { runShopCommand } = await import('./commands.ts')
  return runShopCommand(args, log)
}

process.exitCode = await run(process.argv.slice(2))
