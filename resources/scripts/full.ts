/** `npm run test:faults`, `npm run test:fuzz`: tests in full size, of which `npm test` runs a part. */
import { runTool, TOOLS } from './tools.ts'

process.exitCode = await runTool(TOOLS.vitest, ['run', ...process.argv.slice(2)], {
  TILLPOINTS_TESTS: 'full'
})
