/** Opening and closing the built till, as an operating system would. */
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
  /** folder of everything it writes */
  readonly userData: string
  /** Closes it as a person would; the folder stays. */
  close(): Promise<void>
  isClosed(): boolean
  /** Ends it as a power cut would. */
  kill(): Promise<void>
}

/** How to open a till. */
export interface OpenOptions {
  readonly userData: string
  readonly env?: Readonly<Record<string, string>>
  /** switches beside those that every till gets */
  readonly args?: readonly string[]
  readonly size?: { readonly width: number; readonly height: number }
  /** executable of a packed till; without it the built one in `out/` is opened */
  readonly installed?: string
  /** folder of another app than this project's, its `package.json` in it */
  readonly appFolder?: string
  /** whether a till that was never opened shows its first steps; otherwise somebody has seen them already */
  readonly newcomer?: boolean
}

const PROVISIONING = new Set(['TILLPOINTS_BASE_URL', 'TILLPOINTS_TOKEN'])

/** What the machine's environment holds, as the child process takes it, without a till's provisioning. */
const environment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || PROVISIONING.has(name) ? [] : [[name, value]]
    )
  )

/** A till without a desktop around it would not look for the keyring that the machine offers. */
const keyring =
  electron.kind === 'electron' && process.platform === 'linux' ? ['--password-store=gnome-libsecret'] : []

/** A new folder for a till's data. */
export const newUserData = (): Promise<string> => mkdtemp(join(tmpdir(), 'tillpoints-'))

/** Removes a till's data. */
export const removeUserData = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5 })

/** How a till's process is started: its executable, arguments and environment. */
export function launchOf({ userData, env = {}, args = [], installed, appFolder = '.' }: OpenOptions): {
  readonly executablePath: string
  readonly args: string[]
  readonly env: Record<string, string>
} {
  return {
    executablePath: installed ?? electron.executable,
    args: [
      ...electron.args,
      ...keyring,
      ...(installed === undefined ? [appFolder] : []),
      `--user-data-dir=${userData}`,
      '--lang=en-US',
      ...args
    ],
    env: {
      ...environment(),
      ...electron.env,
      // A packed till has a copy of the stand-in's launcher alone.
      ...(electron.kind === 'stand-in' && { TILLPOINTS_STAND_IN_HOME: dirname(electron.executable) }),
      ...env
    }
  }
}

/** Leaves in a folder without settings what a till remembers whose first steps have been seen. */
async function seeFirstSteps(userData: string): Promise<void> {
  const file = join(userData, 'settings.json')
  if (existsSync(file)) return
  await mkdir(userData, { recursive: true })
  await writeFile(file, JSON.stringify({ tourSeen: true }))
}

/** Opens the till and waits for its window. */
export async function openTill(options: OpenOptions): Promise<OpenTill> {
  const { userData, size, newcomer = false } = options
  if (!newcomer) await seeFirstSteps(userData)
  const app = await _electron.launch({ ...launchOf(options), cwd: PROJECT })
  const child = app.process()
  const page = await app.firstWindow()
  // The first window is there before its page is.
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
