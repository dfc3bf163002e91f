/** The programs of PostgreSQL, Patroni and etcd that the tests start, from Debian's packages. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export const POSTGRES_PACKAGES = ['postgresql-15', 'patroni', 'etcd-server']

/** Where the package puts the programs of PostgreSQL. */
export const POSTGRES_PROGRAMS = '/usr/lib/postgresql/15/bin'

export const PATRONI = '/usr/bin/patroni'
export const ETCD = '/usr/bin/etcd'

/** Returns whether the programs are installed. */
export const hasPostgres = (): boolean =>
  [join(POSTGRES_PROGRAMS, 'initdb'), PATRONI, ETCD].every((program) => existsSync(program))

/** Throws one sentence with the installing command if a program is missing. */
export const requirePostgres = (): void => {
  if (hasPostgres()) return
  throw new Error(
    'These tests need PostgreSQL 15, Patroni and etcd: ' +
      `apt-get install --no-install-recommends ${POSTGRES_PACKAGES.join(' ')}`
  )
}

/** The account that runs the programs, as options of `spawn`: PostgreSQL refuses to run as root. */
export const POSTGRES_ACCOUNT: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
