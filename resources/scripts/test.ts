/**
 * `npm test`: everything, in the order in which it fails soonest, and one closing line that counts. Each check of
 * the code (types, lint, format) counts as one test, and they run beside each other; so does the build. A step that
 * could not run at all counts as failed.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { ensureChromium } from './system-packages.ts'
import { playwrightFailures, playwrightReport, unitFailures, unitReport } from './test-reports.ts'
import { PROJECT, runTool, TOOLS } from './tools.ts'

/** How many tests of a step passed and failed, and what is to be said of those that failed. */
interface Count {
  readonly passed: number
  readonly failed: number
  /** one text each: the test's name, and below it why */
  readonly failures?: readonly string[]
}

interface Step {
  readonly name: string
  readonly run: () => Promise<Count>
}

const REPORTS = join(PROJECT, 'out/test')

/** A check that is one test: its exit code tells. */
const check = (name: string, tool: string, args: readonly string[]): Step => ({
  name,
  run: async () =>
    (await runTool(tool, args)) === 0
      ? { passed: 1, failed: 0 }
      : { passed: 0, failed: 1, failures: [`${name}: see above`] }
})

const report = (name: string): unknown => JSON.parse(readFileSync(join(REPORTS, name), 'utf8'))

/** A red exit code without a failed test (no test found, a crash of the runner) is a failure too. */
const counted = (code: number, count: Count): Count =>
  code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count

const unit: Step = {
  name: 'unit and integration',
  async run() {
    const code = await runTool(TOOLS.vitest, [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${join(REPORTS, 'unit.json')}`
    ])
    const unit = v.parse(unitReport, report('unit.json'))
    const { numPassedTests, numFailedTests, numPendingTests } = unit
    // A skipped test is a test that did not hold.
    return counted(code, {
      passed: numPassedTests,
      failed: numFailedTests + numPendingTests,
      failures: unitFailures(unit)
    })
  }
}

/** Tests that Playwright runs, in a window. */
const driven = (name: string, reportFile: string, args: readonly string[] = []): Step => ({
  name,
  async run() {
    const code = await runTool(TOOLS.playwright, ['test', ...args])
    const drove = v.parse(playwrightReport, report(reportFile))
    const { expected, unexpected, flaky, skipped } = drove.stats
    return counted(code, {
      passed: expected,
      failed: unexpected + flaky + skipped,
      failures: playwrightFailures(drove)
    })
  }
})

/** Runs a step and says what came of it. */
async function run(step: Step): Promise<Count> {
  console.log(`\n── ${step.name}`)
  const started = Date.now()
  const count = await step.run().catch((error: unknown) => {
    console.error(error)
    return { passed: 0, failed: 1, failures: [`${step.name}: could not run, see above`] }
  })
  const seconds = ((Date.now() - started) / 1000).toFixed(0)
  console.log(`── ${step.name}: ${count.passed} passed, ${count.failed} failed (${seconds} s)`)
  return count
}

const sum = (counts: readonly Count[]): Required<Count> => ({
  passed: counts.reduce((all, { passed }) => all + passed, 0),
  failed: counts.reduce((all, { failed }) => all + failed, 0),
  failures: counts.flatMap(({ failures = [] }) => failures)
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
  check('the demo', 'resources/scripts/demo.ts', [])
]

rmSync(REPORTS, { recursive: true, force: true })
await ensureChromium()

const { passed, failed, failures } = sum([
  await run(check('messages', TOOLS.messages, [])),
  ...(await Promise.all([run(lint), oneByOne(besideLint)])),
  await oneByOne(tests)
])
// Once more at the end: above it lie thousands of lines.
if (failures.length > 0) console.log(`\n── what failed\n${failures.join('\n')}`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
