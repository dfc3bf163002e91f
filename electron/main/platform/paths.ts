/** The paths of the till's files: those of the installation, and those in the user-data folder. */
import { app } from 'electron'
import { join } from 'node:path'
import { BUNDLE_ID } from './system.ts'

/** Absolute paths. Everything that the till writes is in the user-data folder, which `--user-data-dir` moves. */
export interface AppPaths {
  readonly page: string
  readonly preload: string
  readonly customerDisplayPreload: string
  /** the program of the utility process that makes PDFs */
  readonly pdfWorker: string
  readonly fonts: string
  readonly icon: string
  /** the third-party licences as text */
  readonly licences: string
  readonly manifest: string
  /** with the settings of many tills, see `policy/` */
  readonly policy: string
  /** where macOS writes what a profile sets for this app; null on other systems */
  readonly managedPreference: string | null
  /** the user id that must own them on Linux and macOS */
  readonly administrator: number
  readonly userData: string
  readonly slips: string
  readonly journal: string
  readonly logos: string
  readonly rewards: string
  readonly training: string
  readonly logs: string
  readonly backups: string
  /** lists the customers whose removal is not finished */
  readonly removal: string
}

/** Returns where the administrator of a system keeps the policy of its tills. */
function policyFile(): string {
  const folders: Partial<Record<NodeJS.Platform, string>> = {
    darwin: '/Library/Application Support/Tillpoints',
    win32: join(process.env['ProgramData'] ?? 'C:\\ProgramData', 'Tillpoints')
  }
  return join(folders[process.platform] ?? '/etc/tillpoints', 'policy.json')
}

/** Returns the paths of this installation. */
export function appPaths(): AppPaths {
  const built = join(app.getAppPath(), 'out')
  // Outside the asar archive in a packaged app, so that the fonts are plain files.
  const resources = app.isPackaged ? process.resourcesPath : join(app.getAppPath(), 'resources')
  const userData = app.getPath('userData')
  // Tests have a policy of their own. An installed till obeys that of its administrator only.
  const testPolicy = app.isPackaged ? undefined : process.env['TILLPOINTS_TEST_POLICY']
  return {
    page: join(built, 'renderer'),
    preload: join(built, 'preload', 'index.cjs'),
    customerDisplayPreload: join(built, 'preload', 'customer-display.cjs'),
    pdfWorker: join(built, 'main', 'pdf-worker.js'),
    fonts: join(resources, 'fonts'),
    icon: join(resources, app.isPackaged ? 'icon.png' : 'icons/icon.png'),
    licences: join(app.isPackaged ? resources : built, 'THIRD-PARTY-LICENCES.txt'),
    manifest: join(app.getAppPath(), 'package.json'),
    policy: testPolicy ?? policyFile(),
    managedPreference:
      process.platform === 'darwin' && testPolicy === undefined
        ? `/Library/Managed Preferences/${BUNDLE_ID}.plist`
        : null,
    administrator: testPolicy === undefined ? 0 : (process.getuid?.() ?? 0),
    userData,
    slips: join(userData, 'slips'),
    journal: join(userData, 'journal.sqlite'),
    logos: join(userData, 'logos'),
    rewards: join(userData, 'rewards.json'),
    training: join(userData, 'training.sqlite'),
    logs: join(userData, 'logs'),
    backups: join(userData, 'backups'),
    removal: join(userData, 'customer-removal.json')
  }
}
