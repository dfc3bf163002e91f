/**
 * `npm run test:installed`: packs the Linux installers and the package of the service, and tests them in a Debian of their
 * own. With `-- service` it runs the specs of that name only.
 */
import { ensureDebootstrap, ensurePackingPrograms } from './system-packages.ts'
import { build } from './build.ts'
import { runTool, TOOLS } from './tools.ts'

await ensureDebootstrap()
await ensurePackingPrograms()
await build()
const names = process.argv.slice(2)
process.exitCode = await runTool(TOOLS.playwright, [
  'test',
  '-c',
  'test/installed/playwright.config.ts',
  ...names
])
