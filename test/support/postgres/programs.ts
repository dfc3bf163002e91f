/** The programs of PostgreSQL, Patroni and etcd that the tests start, from Debian's packages. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** `postgresql` is the release of the system: 15 on Debian 12. */
export const POSTGRES_PACKAGES = ['postgresql', 'patroni', 'etcd-server']

/** The packages have a folder for each release. */
const RELEASES = '/usr/lib/postgresql'

/** Where the packages put the programs of the newest PostgreSQL that is installed. */
export const POSTGRES_PROGRAMS = join(
  RELEASES,
  (existsSync(RELEASES) ? readdirSync(RELEASES) : [])
    .toSorted((one, other) => Number(one) - Number(other))
    .at(-1) ?? '15',
  'bin'
)

export const PATRONI = '/usr/bin/patroni'
export const ETCD = '/usr/bin/etcd'

/** Returns whether the programs are installed. */
export const hasPostgres = (): boolean =>
  [join(POSTGRES_PROGRAMS, 'initdb'), PATRONI, ETCD].every((program) => existsSync(program))

const POSTGRES_MISSING =
  'The tests on PostgreSQL need it, Patroni and etcd: ' +
  `apt-get install --no-install-recommends ${POSTGRES_PACKAGES.join(' ')}`

/** Throws one sentence with the installing command if a program is missing. */
export const requirePostgres = (): void => {
  if (!hasPostgres()) throw new Error(POSTGRES_MISSING)
}

/**
 * Returns why the tests on PostgreSQL are skipped, as one sentence; null when they run. The paths of the programs are
 * Debian's. With `CI` set they run on Linux in any case, and fail on what is missing.
 */
export const postgresSkipReason = (): string | null => {
  if (process.platform !== 'linux')
    return `The tests on PostgreSQL run on Linux only; this is ${process.platform}.`
  return hasPostgres() || process.env['CI'] ? null : POSTGRES_MISSING
}

/** The account that runs the programs, as options of `spawn`: PostgreSQL refuses to run as root. */
export const POSTGRES_ACCOUNT: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
