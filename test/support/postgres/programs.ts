/** The programs of PostgreSQL that the tests start, from Debian's package. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export const POSTGRES_PACKAGE = 'postgresql-15'

/** Where the package puts its programs. */
export const POSTGRES_PROGRAMS = '/usr/lib/postgresql/15/bin'

/** Returns whether the programs are installed. */
export const hasPostgres = (): boolean => existsSync(join(POSTGRES_PROGRAMS, 'initdb'))
