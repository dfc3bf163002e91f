/** The updates' engine: electron-updater (https://www.electron.build/auto-update), loaded at the first check. */
import { app, session } from 'electron'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { parseFeedUrl } from '../../contract/updates.ts'
import type { Logger } from '../log/log.ts'
import type { Relauncher } from './relaunch.ts'

/** The required fields of a feed: the version, and the SHA-512 of each file. */
const offerSchema = v.object({
  version: v.string(),
  files: v.pipe(
    v.array(v.object({ url: v.string(), sha512: v.pipe(v.string(), v.minLength(86)) })),
    v.minLength(1)
  )
})

class UnreadableFeedError extends Error {
  readonly code = 'ERR_UPDATER_INVALID_UPDATE_INFO'
}

/** The session of electron-updater. */
const PARTITION = 'electron-updater'

/** Blocks plain http, also after redirects, except for loopback hosts. */
function refusePlainHttp(): void {
  session
    .fromPartition(PARTITION, { cache: false })
    .webRequest.onBeforeRequest({ urls: ['http://*/*'] }, ({ url }, decide) => {
      decide({ cancel: parseFeedUrl(new URL(url).origin) === null })
    })
}

/** Loads and configures electron-updater; the methods are documented in `updates/updates.ts`. */
export async function openUpdater(relauncher: Relauncher, log: Logger) {
  const { autoUpdater } = await import('electron-updater')
  refusePlainHttp()
  autoUpdater.logger = {
    info: () => undefined,
    warn: (message: unknown) => log.warn('updater', { message: String(message) }),
    error: (message: unknown) => log.warn('updater', { message: String(message) })
  }
  autoUpdater.autoDownload = false
  autoUpdater.autoInstallOnAppQuit = true
  autoUpdater.allowPrerelease = false
  autoUpdater.allowDowngrade = false
  autoUpdater.disableWebInstaller = true
  // By default each request carries an id that identifies the till.
  autoUpdater.requestHeaders = { 'x-user-staging-id': '' }
  // An AppImage is replaced by a file with the name of its version.
  autoUpdater.on('appimage-filename-updated', (file) => (process.env['APPIMAGE'] = file))
  // The methods reject with the same errors; without a listener the emitted ones would be thrown.
  const emitted: Error[] = []
  autoUpdater.on('error', (error) => emitted.push(error))

  return {
    able: autoUpdater.isUpdaterActive(),
    async check(feed: string, ring: string | null): Promise<string | null> {
      // `autoUpdater.channel` would allow older versions, too.
      autoUpdater.setFeedURL({ provider: 'generic', url: feed, channel: ring ?? 'latest' })
      const found = await autoUpdater.checkForUpdates()
      if (!found?.isUpdateAvailable) return null
      const offer = v.safeParse(offerSchema, found.updateInfo)
      if (!offer.success) throw new UnreadableFeedError(offer.issues[0].message)
      return offer.output.version
    },
    async download(onPercent: (percent: number) => void): Promise<void> {
      const onProgress = ({ percent }: { percent: number }): void => onPercent(percent)
      autoUpdater.on('download-progress', onProgress)
      try {
        await autoUpdater.downloadUpdate()
      } finally {
        autoUpdater.off('download-progress', onProgress)
      }
    },
    discard(): void {
      autoUpdater.autoInstallOnAppQuit = false
    },
    install(): void {
      emitted.length = 0
      // On Linux the update is installed when this returns. Elsewhere its installer starts the new program while this one
      // exits, and that needs the lock.
      const isRelaunched = process.platform === 'linux'
      if (!isRelaunched) app.releaseSingleInstanceLock()
      autoUpdater.quitAndInstall(true, !isRelaunched)
      const [failure] = emitted
      if (failure) throw failure
      if (isRelaunched) relauncher.relaunch()
    }
  }
}

/** Returns the update server that `npm run dist` wrote into package.json, or null. */
export function defaultUpdateFeed(): string | null {
  const manifest: unknown = JSON.parse(readFileSync(join(app.getAppPath(), 'package.json'), 'utf8'))
  const read = v.safeParse(v.object({ updateFeed: v.nullish(v.string()) }), manifest)
  return read.success && read.output.updateFeed ? parseFeedUrl(read.output.updateFeed) : null
}
