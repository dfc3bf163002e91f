/**
 * Installs the programs that the project needs and npm does not provide: a Chromium, the print system CUPS, curl,
 * PostgreSQL with Patroni and etcd, Caddy, and packing tools.
 */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHROMIUM_MISSING, findChromium } from '../../test/support/chromium.ts'
import { CUPS_PACKAGES, missingPrograms } from '../../test/support/print-system/programs.ts'
import { CADDY_PACKAGE, hasCaddy } from '../../test/support/proxy/caddy.ts'
import { ACTIVATE_PACKAGE } from '../../test/support/socket-unit.ts'
import { STRACE_PACKAGE } from '../../test/support/system-calls.ts'
import { ETCD, hasPostgres, POSTGRES_PACKAGES } from '../../test/support/postgres/programs.ts'
import { hasPackingPrograms, PACKING_PACKAGES } from '../packaging/linux/debian-tools.ts'
import { runProgram, runTool, TOOLS } from './tools.ts'

const isRoot = (): boolean => process.getuid?.() === 0

const hasAptGet = (): boolean => existsSync('/usr/bin/apt-get')

/** Debian packages Chromium itself; Ubuntu's package of that name only installs a snap. */
const isDebian = (): boolean =>
  existsSync('/etc/os-release') && /^ID=debian$/mu.test(readFileSync('/etc/os-release', 'utf8'))

const DEBOOTSTRAP = '/usr/sbin/debootstrap'

/** Installs packages with apt-get. A failure shows in apt-get's output; the caller checks for the programs. */
async function aptInstall(packages: readonly string[]): Promise<void> {
  console.log(`Installing ${packages.join(', ')} (apt-get).`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await runProgram('apt-get', ['update', '-qq'], env)
  await runProgram('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], env)
}

/**
 * Installs a Chromium where none is found: Debian's as root on Debian, else Playwright's download.
 *
 * @param options.windows true: one that can show windows
 * @returns whether there is one afterwards
 */
export async function installChromium({ windows = false } = {}): Promise<boolean> {
  if (findChromium({ windows })) return true
  if (isRoot() && isDebian()) {
    await aptInstall([windows ? 'chromium' : 'chromium-headless-shell'])
  } else {
    console.log('Chromium is missing: downloading the one of Playwright.')
    await runTool(TOOLS.playwright, ['install', ...(isRoot() ? ['--with-deps'] : []), 'chromium'])
  }
  return findChromium({ windows }) !== undefined
}

/** Does the same, and exits the process with one sentence when there is none afterwards. */
export async function ensureChromium({ windows = false } = {}): Promise<void> {
  if (await installChromium({ windows })) return
  console.error(CHROMIUM_MISSING)
  process.exit(1)
}

/** Installs CUPS where it is missing and this process may: as root on Linux with apt-get. */
export async function ensurePrintSystem(): Promise<void> {
  if (process.platform !== 'linux' || missingPrograms().length === 0) return
  if (isRoot() && hasAptGet()) await aptInstall(CUPS_PACKAGES)
}

/** curl runs the client of docs/local-interface.md; the others keep a socket, and kill at system calls. */
const SMALL_PROGRAMS = {
  '/usr/bin/curl': 'curl',
  '/usr/bin/strace': STRACE_PACKAGE,
  '/usr/bin/systemd-socket-activate': ACTIVATE_PACKAGE
}

/** Installs small programs of the tests, where they are missing and this process may. */
export async function ensureSmallPrograms(): Promise<void> {
  if (!isRoot() || !hasAptGet()) return
  const missing = Object.entries(SMALL_PROGRAMS).filter(([program]) => !existsSync(program))
  if (missing.length > 0) await aptInstall(missing.map(([, name]) => name))
}

const CLUSTER_SETTINGS = '/etc/postgresql-common/createcluster.conf'
const SYSTEM_UNITS = '/etc/systemd/system'

/** Forbids a package that is not installed yet to start its server: a unit that is a link to /dev/null is masked. */
function maskUnit(name: string): void {
  const unit = join(SYSTEM_UNITS, name)
  if (existsSync(SYSTEM_UNITS) && !existsSync(unit)) symlinkSync('/dev/null', unit)
}

/**
 * Installs PostgreSQL, on which the service is tested, with Patroni and etcd, where they are missing and this process may.
 * The packages would start a server each: the settings forbid that before they are unpacked.
 */
export async function ensurePostgres(): Promise<void> {
  if (hasPostgres() || !isRoot() || !isDebian()) return
  await aptInstall(['postgresql-common'])
  if (!existsSync(CLUSTER_SETTINGS)) return
  const settings = readFileSync(CLUSTER_SETTINGS, 'utf8')
  writeFileSync(
    CLUSTER_SETTINGS,
    settings.replace(/^#?create_main_cluster\b.*$/mu, 'create_main_cluster = false')
  )
  if (!existsSync(ETCD)) maskUnit('etcd.service')
  await aptInstall(POSTGRES_PACKAGES)
}

/** Installs Caddy, the proxy before the service, where it is missing and this process may. */
export async function ensureCaddy(): Promise<void> {
  if (hasCaddy() || !isRoot() || !isDebian()) return
  maskUnit('caddy.service')
  await aptInstall([CADDY_PACKAGE])
}

/**
 * Installs the programs that pack the Linux installers without github.com: as root with apt-get. Exits the process with
 * one sentence when they are missing afterwards.
 */
export async function ensurePackingPrograms(): Promise<void> {
  if (hasPackingPrograms()) return
  if (isRoot() && hasAptGet()) await aptInstall(PACKING_PACKAGES)
  if (hasPackingPrograms()) return
  console.error(`The packing tools are missing: run "apt-get install ${PACKING_PACKAGES.join(' ')}" as root.`)
  process.exit(1)
}

/** Exits the process with one sentence unless this is root on a machine with apt, where debootstrap can be installed. */
export async function ensureDebootstrap(): Promise<void> {
  if (isRoot() && hasAptGet()) {
    if (!existsSync(DEBOOTSTRAP)) await aptInstall(['debootstrap'])
    if (existsSync(DEBOOTSTRAP)) return
  }
  console.error(
    'This test makes a Debian system of its own: run it as root on Debian or Ubuntu, with debootstrap.'
  )
  process.exit(1)
}
