/**
 * `npm test`: everything, in the order in which it fails soonest, and one closing line that counts. Each check of
 * the code (types, lint, format) counts as one test, and they run beside each other; so does the build. A step that
 * could not run at all counts as failed.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { ensureChromium } from './ensure-chromium.ts'
import { PROJECT, runTool, TOOLS } from './steps.ts'

/** How many tests of a step passed and failed. */
interface Count {
  readonly passed: number
  readonly failed: number
}

interface Step {
  readonly name: string
  readonly run: () => Promise<Count>
}

const REPORTS = join(PROJECT, 'out/test')

/** A check that is one test: its exit code tells. */
const check = (name: string, tool: string, args: readonly string[]): Step => ({
  name,
  run: async () => ((await runTool(tool, args)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })
})

const report = (name: string): unknown => JSON.parse(readFileSync(join(REPORTS, name), 'utf8'))

/** A red exit code without a failed test (no test found, a crash of the runner) is a failure too. */
const counted = (code: number, count: Count): Count =>
  code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count

const vitestReport = v.object({
  numPassedTests: v.number(),
  numFailedTests: v.number(),
  numPendingTests: v.number()
})

const unit: Step = {
  name: 'unit and integration',
  async run() {
    const code = await runTool(TOOLS.vitest, [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${join(REPORTS, 'unit.json')}`
    ])
    const { numPassedTests, numFailedTests, numPendingTests } = v.parse(vitestReport, report('unit.json'))
    // A skipped test is a test that did not hold.
    return counted(code, { passed: numPassedTests, failed: numFailedTests + numPendingTests })
  }
}

const playwrightReport = v.object({
  stats: v.object({ expected: v.number(), unexpected: v.number(), flaky: v.number(), skipped: v.number() })
})

/** Tests that Playwright runs, in a window. */
const driven = (name: string, reportFile: string, args: readonly string[] = []): Step => ({
  name,
  async run() {
    const code = await runTool(TOOLS.playwright, ['test', ...args])
    const { stats } = v.parse(playwrightReport, report(reportFile))
    return counted(code, { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped })
  }
})

/** Runs a step and says what came of it. */
async function run(step: Step): Promise<Count> {
  console.log(`\n── ${step.name}`)
  const started = Date.now()
  const { passed, failed } = await step.run().catch((error: unknown) => {
    console.error(error)
    return { passed: 0, failed: 1 }
  })
  const seconds = ((Date.now() - started) / 1000).toFixed(0)
  console.log(`── ${step.name}: ${passed} passed, ${failed} failed (${seconds} s)`)
  return { passed, failed }
}

const sum = (counts: readonly Count[]): Count => ({
  passed: counts.reduce((all, { passed }) => all + passed, 0),
  failed: counts.reduce((all, { failed }) => all + failed, 0)
})

async function oneByOne(steps: readonly Step[]): Promise<Count> {
  const counts: Count[] = []
  for (const step of steps) counts.push(await run(step))
  return sum(counts)
}

const lint = check('lint', TOOLS.eslint, ['.', '--max-warnings=0'])

/** What is quicker than lint, all together. */
const besideLint: readonly Step[] = [
  check('types', TOOLS.tsc, ['--noEmit']),
  check('types of the tests', TOOLS.tsc, ['--noEmit', '-p', 'test']),
  check('types of the page', TOOLS.svelteCheck, [
    '--tsconfig',
    'renderer/tsconfig.json',
    '--fail-on-warnings',
    '--output',
    'human'
  ]),
  check('format', TOOLS.prettier, ['--check', '--log-level', 'warn', '.']),
  check('build', TOOLS.electronVite, ['build', '--logLevel', 'warn'])
]

const tests: readonly Step[] = [
  unit,
  driven('end to end', 'e2e.json'),
  driven('the packed till', 'packed.json', ['-c', 'test/packed/playwright.config.ts']),
  check('the demo', 'test/run/demo.ts', [])
]

rmSync(REPORTS, { recursive: true, force: true })
await ensureChromium()

const { passed, failed } = sum([
  await run(check('messages', TOOLS.messages, [])),
  ...(await Promise.all([run(lint), oneByOne(besideLint)])),
  await oneByOne(tests)
])
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
