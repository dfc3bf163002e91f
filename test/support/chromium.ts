import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Debian's Chromium without windows: a start takes half of the processor time. */
const HEADLESS = ['/usr/bin/chromium-headless-shell']

/** Where package managers and installers put a Chromium or a Chrome, best first. */
const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/snap/bin/chromium',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium'
]

/** The error message without a Chromium: one sentence with the command that installs one. */
export const CHROMIUM_MISSING =
  'No Chromium was found: run "npx playwright install chromium" (or "apt-get install chromium" as root on Debian), ' +
  'or set TILLPOINTS_CHROMIUM to the path of one.'

/**
 * Finds a Chromium to drive.
 *
 * @param options.windows true: one that can show windows
 * @returns the absolute path of the executable, or undefined when the machine has none. A TILLPOINTS_CHROMIUM that
 * names a missing file counts as none: a wrong path is a mistake to report, not to work around.
 */
export function findChromium({ windows = false } = {}): string | undefined {
  const named = process.env['TILLPOINTS_CHROMIUM']
  if (named) return existsSync(named) ? named : undefined
  const installed = windows ? INSTALLED : [...HEADLESS, ...INSTALLED]
  return installed.find((path) => existsSync(path)) ?? findPlaywrightDownload()
}

/**
 * Returns why the tests in a Chromium are skipped, as one sentence; null when they run. With `CI` set they run in any case,
 * and fail where there is none.
 */
export const chromiumSkipReason = (): string | null =>
  findChromium() !== undefined || process.env['CI'] ? null : CHROMIUM_MISSING

function findPlaywrightDownload(): string | undefined {
  try {
    const playwright: unknown = createRequire(import.meta.url)('playwright-core')
    if (!isPlaywright(playwright)) return undefined
    const path = playwright.chromium.executablePath()
    return existsSync(path) ? path : undefined
  } catch {
    // A folder that was packed without its node_modules has no playwright-core; then there is no download to find.
    return undefined
  }
}

function isPlaywright(value: unknown): value is { chromium: { executablePath(): string } } {
  return typeof value === 'object' && value !== null && 'chromium' in value
}
