/** `npm run test:printing:debian-13`: the tests of CUPS queues on the CUPS of Debian 13. */
import { join } from 'node:path'
import { ensureDebootstrap } from '../../resources/scripts/system-packages.ts'
import { ensureDebian, runVitestInDebian, TEST_CACHE } from '../support/debian.ts'
import { CUPS_PACKAGES } from '../support/print-system/programs.ts'

const FOLDER = join(TEST_CACHE, 'debian-13')
const QUEUES = ['paper-sizes', 'printer-list', 'raw-queue', 'remote-cups', 'system-queue']
const TIMEOUT_MS = 20 * 60_000

await ensureDebootstrap()
await ensureDebian(FOLDER, { release: 'trixie', packages: CUPS_PACKAGES })
const files = QUEUES.map((name) => `test/printing/${name}.test.ts`)
const names = process.argv.slice(2)
process.exitCode = await runVitestInDebian(
  FOLDER,
  ['--maxWorkers=1', ...(names.length > 0 ? names : files)],
  TIMEOUT_MS
)
