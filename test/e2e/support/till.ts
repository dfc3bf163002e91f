/** Starts and stops the built till. */
import { _electron, type ElectronApplication, type Page } from '@playwright/test'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import { electron } from './electron.ts'

/** A till that is open. */
export interface OpenTill {
  readonly app: ElectronApplication
  readonly page: Page
  /** the user data folder */
  readonly userData: string
  /** Quits the till; the folder stays. */
  close(): Promise<void>
  isClosed(): boolean
  /** Kills the process, as a power failure would. */
  kill(): Promise<void>
}

/** How to open a till. */
export interface OpenOptions {
  readonly userData: string
  readonly env?: Readonly<Record<string, string>>
  /** additional command line switches */
  readonly args?: readonly string[]
  readonly size?: { readonly width: number; readonly height: number }
  /** executable of a packed till; without it the build in `out/` is started */
  readonly installed?: string
  /** folder of another app, with its `package.json`, instead of this project */
  readonly appFolder?: string
  /** a module that main loads before its script */
  readonly mainPreload?: string
  /** whether a fresh till shows the tour; otherwise its settings mark the tour as seen */
  readonly showTour?: boolean
}

const PROVISIONING = new Set(['TILLPOINTS_BASE_URL', 'TILLPOINTS_TOKEN'])

/** The environment for the child process, without variables that provision a till. */
const environment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || PROVISIONING.has(name) ? [] : [[name, value]]
    )
  )

/** Without a desktop session Electron does not look for the keyring by itself. */
const keyring =
  electron.kind === 'electron' && process.platform === 'linux' ? ['--password-store=gnome-libsecret'] : []

/** Creates a user data folder. */
export const newUserData = (): Promise<string> => mkdtemp(join(tmpdir(), 'tillpoints-'))

/** Removes a user data folder. */
export const removeUserData = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5 })

/** Returns executable, arguments and environment of a till process. */
export function launchOf({
  userData,
  env = {},
  args = [],
  installed,
  appFolder = '.',
  mainPreload
}: OpenOptions): {
  readonly executablePath: string
  readonly args: string[]
  readonly env: Record<string, string>
} {
  return {
    executablePath: installed ?? electron.executable,
    args: [
      ...electron.args,
      ...keyring,
      ...(mainPreload === undefined ? [] : ['-r', mainPreload]),
      ...(installed === undefined ? [appFolder] : []),
      `--user-data-dir=${userData}`,
      '--lang=en-US',
      ...args
    ],
    env: {
      ...environment(),
      ...electron.env,
      // A packed till contains only the launcher of the stand-in.
      ...(electron.kind === 'stand-in' && { TILLPOINTS_STAND_IN_HOME: dirname(electron.executable) }),
      ...env
    }
  }
}

/** Writes settings that mark the tour as seen, unless the folder has settings. */
async function markTourSeen(userData: string): Promise<void> {
  const file = join(userData, 'settings.json')
  if (existsSync(file)) return
  await mkdir(userData, { recursive: true })
  await writeFile(file, JSON.stringify({ tourSeen: true }))
}

/** Starts the till. Resolves when its window is loaded. */
export async function openTill(options: OpenOptions): Promise<OpenTill> {
  const { userData, size, showTour = false } = options
  if (!showTour) await markTourSeen(userData)
  const app = await _electron.launch({ ...launchOf(options), cwd: PROJECT })
  const child = app.process()
  const page = await app.firstWindow()
  // The window exists before its page is loaded.
  await page.waitForURL(/till/)
  await page.waitForLoadState()
  if (size) await page.setViewportSize(size)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    app,
    page,
    userData,
    close: () => app.close(),
    isClosed: () => child.exitCode !== null || child.signalCode !== null,
    async kill() {
      child.kill('SIGKILL')
      await ended
    }
  }
}
