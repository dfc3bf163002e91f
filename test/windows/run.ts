/** `npm run test:windows`: the Windows parts on a Windows Node, and SumatraPDF, in Wine. */
import { ensureDebootstrap } from '../../resources/scripts/system-packages.ts'
import { runVitestInDebian } from '../support/debian.ts'
import { CHROOT, makeChroot } from './chroot.ts'

const TIMEOUT_MS = 10 * 60_000

if (process.platform !== 'linux' || process.arch !== 'x64') {
  process.stderr.write('The Windows tests need Linux on x64.\n')
  process.exit(1)
}
await ensureDebootstrap()
await makeChroot()
const config = ['--config', 'test/windows/vitest.config.ts']
process.exitCode = await runVitestInDebian(CHROOT, [...config, ...process.argv.slice(2)], TIMEOUT_MS)
