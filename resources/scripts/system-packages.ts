/** Installs the programs that the tests need and npm does not provide: a Chromium and the print system CUPS. */
import { existsSync, readFileSync } from 'node:fs'
import { CHROMIUM_MISSING, findChromium } from '../../test/support/chromium.ts'
import { CUPS_PACKAGES, missingPrograms } from '../../test/support/print-system/programs.ts'
import { runProgram, runTool, TOOLS } from './tools.ts'

const isRoot = (): boolean => process.getuid?.() === 0

const hasAptGet = (): boolean => existsSync('/usr/bin/apt-get')

/** Debian packages Chromium itself; Ubuntu's package of that name only installs a snap. */
const isDebian = (): boolean =>
  existsSync('/etc/os-release') && /^ID=debian$/mu.test(readFileSync('/etc/os-release', 'utf8'))

/** Installs packages with apt-get. A failure shows in apt-get's output; the caller checks for the programs. */
async function aptInstall(packages: readonly string[]): Promise<void> {
  console.log(`Installing ${packages.join(', ')} (apt-get).`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await runProgram('apt-get', ['update', '-qq'], env)
  await runProgram('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], env)
}

/**
 * Installs a Chromium where none is found: Debian's as root on Debian, else Playwright's download. Exits the process
 * with one sentence when there is none afterwards.
 */
export async function ensureChromium(): Promise<void> {
  if (findChromium()) return
  if (isRoot() && isDebian()) {
    await aptInstall(['chromium'])
  } else {
    console.log('Chromium is missing: downloading the one of Playwright.')
    await runTool(TOOLS.playwright, ['install', ...(isRoot() ? ['--with-deps'] : []), 'chromium'])
  }
  if (findChromium()) return
  console.error(CHROMIUM_MISSING)
  process.exit(1)
}

/** Installs CUPS where it is missing and this process may: as root on Linux with apt-get. */
export async function ensurePrintSystem(): Promise<void> {
  if (process.platform !== 'linux' || missingPrograms().length === 0) return
  if (isRoot() && hasAptGet()) await aptInstall(CUPS_PACKAGES)
}
