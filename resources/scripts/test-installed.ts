/** `npm run test:installed`: packs the Linux installers and tests them in a Debian of their own. */
import { ensureDebootstrap, ensurePackingPrograms } from './system-packages.ts'
import { build } from './build.ts'
import { runTool, TOOLS } from './tools.ts'

await ensureDebootstrap()
await ensurePackingPrograms()
await build()
process.exitCode = await runTool(TOOLS.playwright, ['test', '-c', 'test/installed/playwright.config.ts'])
