/** Where things lie: what the till reads from its installation, and what it writes for its user. */
import { app } from 'electron'
import { join } from 'node:path'

/** Absolute paths. What is written lies under the user-data folder, so that `--user-data-dir` moves all of it. */
export interface AppPaths {
  readonly page: string
  readonly preload: string
  readonly customerDisplayPreload: string
  /** the program of the process that papers are made in */
  readonly pdfWorker: string
  readonly fonts: string
  readonly icon: string
  /** the text of the licences of others */
  readonly licences: string
  readonly manifest: string
  readonly userData: string
  readonly slips: string
  readonly journal: string
  readonly logos: string
  readonly rewards: string
  readonly training: string
  readonly logs: string
  readonly backups: string
}

/** The till's places in this installation. */
export function places(): AppPaths {
  const built = join(app.getAppPath(), 'out')
  // Outside the archive in an installed till, so that fonts are read where they lie.
  const resources = app.isPackaged ? process.resourcesPath : join(app.getAppPath(), 'resources')
  const userData = app.getPath('userData')
  return {
    page: join(built, 'renderer'),
    preload: join(built, 'preload', 'index.cjs'),
    customerDisplayPreload: join(built, 'preload', 'customer-display.cjs'),
    pdfWorker: join(built, 'main', 'pdf-worker.js'),
    fonts: join(resources, 'fonts'),
    icon: join(resources, app.isPackaged ? 'icon.png' : 'icons/icon.png'),
    licences: join(app.isPackaged ? resources : join(app.getAppPath(), 'out'), 'THIRD-PARTY-LICENCES.txt'),
    manifest: join(app.getAppPath(), 'package.json'),
    userData,
    slips: join(userData, 'slips'),
    journal: join(userData, 'journal.sqlite'),
    logos: join(userData, 'logos'),
    rewards: join(userData, 'rewards.json'),
    training: join(userData, 'training.sqlite'),
    logs: join(userData, 'logs'),
    backups: join(userData, 'backups')
  }
}
