/** `npm run test:windows`: the Windows parts on a Windows Node, and SumatraPDF, in Wine. */
import { join } from 'node:path'
import { ensureDebootstrap } from '../../resources/scripts/system-packages.ts'
import { TOOLS } from '../../resources/scripts/tools.ts'
import { makeChroot, PROJECT_IN_CHROOT, runInChroot } from './chroot.ts'

const TIMEOUT_MS = 10 * 60_000

if (process.platform !== 'linux' || process.arch !== 'x64') {
  process.stderr.write('The Windows tests need Linux on x64.\n')
  process.exit(1)
}
await ensureDebootstrap()
await makeChroot()
const [node, vitest, config] = [
  'node_modules/node/bin/node',
  TOOLS.vitest,
  'test/windows/vitest.config.ts'
].map((path) => join(PROJECT_IN_CHROOT, path))
const options = ['run', '--config', String(config), '--root', PROJECT_IN_CHROOT, ...process.argv.slice(2)]
const code = await runInChroot([String(node), String(vitest), ...options], TIMEOUT_MS)
if (code === null) process.stderr.write(`Stopped after ${String(TIMEOUT_MS / 60_000)} minutes.\n`)
process.exitCode = code ?? 1
