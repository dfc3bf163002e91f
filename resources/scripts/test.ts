/**
 * `npm test`: every check and test, the fastest to fail first, and one closing line with the counts. Each check (types,
 * lint, format, build) counts as one test; lint, the longest, runs beside the others. A step that cannot run counts as
 * failed.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { printSystemSkipReason } from '../../test/support/print-system/programs.ts'
import { ensureChromium, ensureCurl, ensurePrintSystem } from './system-packages.ts'
import { closingLine, countPlaywright, countVitest, sumCounts, type TestCount } from './test-reports.ts'
import { PROJECT, runTool, TOOLS } from './tools.ts'

interface Step {
  readonly name: string
  readonly run: () => Promise<TestCount>
}

const REPORTS = join(PROJECT, 'out/test')

const PASSED: TestCount = { passed: 1, failed: 0, skipped: 0, failures: [], skips: [] }
const failedBecause = (reason: string): TestCount => ({
  ...PASSED,
  passed: 0,
  failed: 1,
  failures: [reason]
})

/** A tool whose exit code is one test. */
const check = (name: string, tool: string, args: readonly string[]): Step => ({
  name,
  run: async () => ((await runTool(tool, args)) === 0 ? PASSED : failedBecause(`✗ ${name}: see above`))
})

const readReport = (name: string): unknown => JSON.parse(readFileSync(join(REPORTS, name), 'utf8'))

/** Counts a non-zero exit code without a failed test as a failure: no tests were found, or the runner crashed. */
const withExitCode = (code: number, count: TestCount, name: string): TestCount =>
  code !== 0 && count.failed === 0 ? sumCounts([count, failedBecause(`✗ ${name}: exit code ${code}`)]) : count

const vitest: Step = {
  name: 'unit and integration',
  async run() {
    const report = 'unit.json'
    const reporters = ['--reporter=default', '--reporter=json']
    const code = await runTool(TOOLS.vitest, [
      'run',
      ...reporters,
      `--outputFile.json=${join(REPORTS, report)}`
    ])
    return withExitCode(code, countVitest(readReport(report)), this.name)
  }
}

/** Specs of a Playwright configuration. `report` is the file that the configuration writes. */
const playwright = (name: string, report: string, args: readonly string[] = []): Step => ({
  name,
  async run() {
    const code = await runTool(TOOLS.playwright, ['test', ...args])
    return withExitCode(code, countPlaywright(readReport(report)), name)
  }
})

/** Runs a step and prints its counts. */
async function run(step: Step): Promise<TestCount> {
  console.log(`\n── ${step.name}`)
  const started = Date.now()
  const count = await step.run().catch((error: unknown) => {
    console.error(error)
    return failedBecause(`✗ ${step.name}: could not run, see above`)
  })
  const seconds = ((Date.now() - started) / 1000).toFixed(0)
  console.log(`── ${step.name}: ${closingLine(count)} (${seconds} s)`)
  return count
}

async function runInSequence(steps: readonly Step[]): Promise<TestCount> {
  const counts: TestCount[] = []
  for (const step of steps) counts.push(await run(step))
  return sumCounts(counts)
}

const lint = check('lint', TOOLS.eslint, ['.', '--max-warnings=0'])

const steps: readonly Step[] = [
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
  check('build', 'resources/scripts/build.ts', []),
  vitest,
  playwright('end to end', 'e2e.json'),
  playwright('packed app', 'packed.json', ['-c', 'test/packed/playwright.config.ts']),
  check('demo', 'resources/scripts/demo.ts', [])
]

rmSync(REPORTS, { recursive: true, force: true })
// The tests start hundreds of Node processes, which compile the same files: a fifth of the time of each start.
process.env['NODE_COMPILE_CACHE'] ??= join(PROJECT, 'out/compile-cache')
await ensureChromium()
await ensurePrintSystem()
await ensureCurl()

const total = sumCounts([
  await run(check('messages', TOOLS.messages, [])),
  ...(await Promise.all([run(lint), runInSequence(steps)]))
])
if (total.failures.length > 0) console.log(`\n── failed\n${total.failures.join('\n')}`)
if (total.skips.length > 0) {
  const reason = printSystemSkipReason()
  console.log(`\n── skipped\n${[...total.skips, ...(reason === null ? [] : [reason])].join('\n')}`)
}
console.log(`\n${closingLine(total)}`)
process.exitCode = total.failed === 0 ? 0 : 1
