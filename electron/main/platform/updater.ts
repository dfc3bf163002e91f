/**
 * electron-updater (https://www.electron.build/auto-update), as the till's updates know it. Loaded when an update is
 * looked for, which is never before the window is there.
 */
import { app, session } from 'electron'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { parseFeedUrl } from '../../contract/updates.ts'
import type { Logger } from '../log/log.ts'

/** What a feed must say: which version, and the SHA-512 of each of its files. */
const offerSchema = v.object({
  version: v.string(),
  files: v.pipe(
    v.array(v.object({ url: v.string(), sha512: v.pipe(v.string(), v.minLength(86)) })),
    v.minLength(1)
  )
})

class UnreadableFeed extends Error {
  readonly code = 'ERR_UPDATER_INVALID_UPDATE_INFO'
}

/** Name of the session that electron-updater asks through. */
const PARTITION = 'electron-updater'

/** Lets nothing of an update travel in plain, wherever a server may point to; this machine's own servers may. */
function refusePlainHttp(): void {
  session
    .fromPartition(PARTITION, { cache: false })
    .webRequest.onBeforeRequest({ urls: ['http://*/*'] }, ({ url }, decide) => {
      decide({ cancel: parseFeedUrl(new URL(url).origin) === null })
    })
}

/** Opens electron-updater. What each part of it does is said in `updates/updater.ts`. */
export async function openUpdater(log: Logger) {
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
  // It would send a number of its own with each request, by which a server can tell one till from another.
  autoUpdater.requestHeaders = { 'x-user-staging-id': '' }
  // Failures are told by the calls; without a listener an emitted one would be thrown.
  const emitted: Error[] = []
  autoUpdater.on('error', (error) => emitted.push(error))

  return {
    able: autoUpdater.isUpdaterActive(),
    async check(feed: string): Promise<string | null> {
      autoUpdater.setFeedURL({ provider: 'generic', url: feed })
      const found = await autoUpdater.checkForUpdates()
      if (!found?.isUpdateAvailable) return null
      const offer = v.safeParse(offerSchema, found.updateInfo)
      if (!offer.success) throw new UnreadableFeed(offer.issues[0].message)
      return offer.output.version
    },
    async download(onPercent: (percent: number) => void): Promise<void> {
      const hear = ({ percent }: { percent: number }): void => onPercent(percent)
      autoUpdater.on('download-progress', hear)
      try {
        await autoUpdater.downloadUpdate()
      } finally {
        autoUpdater.off('download-progress', hear)
      }
    },
    install(): void {
      emitted.length = 0
      // The new program starts while this one ends, and must not take it for a till that is open.
      app.releaseSingleInstanceLock()
      autoUpdater.quitAndInstall(true, true)
      const [failure] = emitted
      if (failure) throw failure
    }
  }
}

/* from built-in-feed.ts: Where this installation was packed to look for updates. */

/** The feed that `npm run dist` wrote into package.json, or null. */
export function defaultUpdateFeed(): string | null {
  const manifest: unknown = JSON.parse(readFileSync(join(app.getAppPath(), 'package.json'), 'utf8'))
  const read = v.safeParse(v.object({ updateFeed: v.nullish(v.string()) }), manifest)
  return read.success && read.output.updateFeed ? parseFeedUrl(read.output.updateFeed) : null
}
