/**
 * Runs checks and tests, and closes with a table of what each suite costs and one line with the counts:
 *
 * - `npm test`: types, and the suites that a change to the code most often breaks.
 * - `npm run test:all`: the same, the rest, and the checks.
 * - `npm run check`: the checks alone: types, lint, format, and what nothing uses.
 *
 * Each check and build counts as one test. A step that cannot run counts as failed. A step that needs a program which this
 * machine lacks is skipped, and the end of the run says what installs it; with `CI` set it fails.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { chromiumSkipReason } from '../../test/support/chromium.ts'
import { postgresSkipReason } from '../../test/support/postgres/programs.ts'
import { printSystemSkipReason } from '../../test/support/print-system/programs.ts'
import { caddySkipReason } from '../../test/support/proxy/caddy.ts'
import {
  ensureCaddy,
  ensureSmallPrograms,
  ensurePostgres,
  ensurePrintSystem,
  installChromium
} from './system-packages.ts'
import {
  closingLine,
  costTable,
  countPlaywright,
  countVitest,
  sumCounts,
  type Suite,
  type TestCount
} from './test-reports.ts'
import { PROJECT, runTool, runToolBehindOthers, TOOLS } from './tools.ts'

interface Step {
  readonly name: string
  /** Resolves with the suites of the step. Their seconds are relative to each other. */
  readonly run: () => Promise<readonly Suite[]>
  /** Returns why this machine cannot run it, or null. */
  readonly skipReason?: () => string | null
}

const REPORTS = join(PROJECT, 'out/test')

const PASSED: TestCount = { passed: 1, failed: 0, skipped: 0, failures: [], skips: [] }

const failedBecause = (name: string, reason: string): Suite => ({
  name,
  count: { ...PASSED, passed: 0, failed: 1, failures: [`✗ ${name}: ${reason}`] },
  seconds: 1
})

/** A step that runs where `skipReason` returns null. */
const where = (skipReason: () => string | null, step: Step): Step => ({ ...step, skipReason })

const skipped = (name: string): Suite => ({
  name,
  count: { ...PASSED, passed: 0, skipped: 1, skips: [`– ${name}`] },
  seconds: 1
})

/** A tool whose exit code is one test. */
const exits = (
  name: string,
  tool: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
  run = runTool
): Step => ({
  name,
  run: async () => [
    (await run(tool, args, env)) === 0
      ? { name, count: PASSED, seconds: 1 }
      : failedBecause(name, 'see above')
  ]
})

/** The same for what computes and waits for nothing: tests have the processors first. */
const check = (name: string, tool: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Step =>
  exits(name, tool, args, env, runToolBehindOthers)

/**
 * A test runner that writes a report. A non-zero exit code without a failed test is a failure: no tests were found, or
 * the runner crashed.
 */
const runner = (
  name: string,
  tool: string,
  args: readonly string[],
  report: string,
  count: (report: unknown) => readonly Suite[]
): Step => ({
  name,
  async run() {
    const code = await runTool(tool, args)
    const suites = count(JSON.parse(readFileSync(join(REPORTS, report), 'utf8')))
    const explained = code === 0 || suites.some((suite) => suite.count.failed > 0)
    return explained ? suites : [...suites, failedBecause(name, `exit code ${code}`)]
  }
})

const reportersTo = (report: string): readonly string[] => [
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${join(REPORTS, report)}`
]

/** Files of some projects of `vitest.config.ts`. */
const vitest = (name: string, projects: readonly string[]): Step => {
  const report = `${projects.join('-')}.json`
  const args = projects.flatMap((project) => ['--project', project])
  return runner(name, TOOLS.vitest, ['run', ...args, ...reportersTo(report)], report, countVitest)
}

/** The tests of the service again, on PostgreSQL. */
const onPostgres = (name: string): Step => {
  const args = ['run', '-c', 'test/postgres/vitest.config.ts', ...reportersTo('postgres.json')]
  return runner(name, TOOLS.vitest, args, 'postgres.json', (json) => [
    { name, count: countOf(countVitest(json)), seconds: 1 }
  ])
}

/** Specs of a Playwright configuration. `report` is the file that the configuration writes. */
const playwright = (name: string, report: string, args: readonly string[]): Step =>
  runner(name, TOOLS.playwright, ['test', ...args], report, (json) => [
    { name, count: countPlaywright(json), seconds: 1 }
  ])

/** Runs a step and prints its counts. */
async function run({ name, run, skipReason }: Step): Promise<readonly Suite[]> {
  const reason = skipReason?.() ?? null
  if (reason !== null) {
    console.log(`\n── ${name}: skipped. ${reason}`)
    return [skipped(name)]
  }
  console.log(`\n── ${name}`)
  const started = Date.now()
  const suites: readonly Suite[] = await run().catch((error: unknown) => {
    console.error(error)
    return [failedBecause(name, 'could not run, see above')]
  })
  const seconds = (Date.now() - started) / 1000
  console.log(`── ${name}: ${closingLine(countOf(suites))} (${seconds.toFixed(0)} s)`)
  const scale = seconds / suites.reduce((sum, suite) => sum + suite.seconds, 0)
  return suites.map((suite) => ({ ...suite, seconds: suite.seconds * scale }))
}

const countOf = (suites: readonly Suite[]): TestCount => sumCounts(suites.map(({ count }) => count))

/**
 * Runs tests two at a time: most of them wait half of their time, for pages, processes and printers. Beside them the checks use
 * what is left of the processors.
 */
async function runInSequences({ tests, checks }: Size): Promise<readonly Suite[]> {
  const waiting = tests.values()
  const runInSequence = async (steps: Iterable<Step>): Promise<readonly Suite[]> => {
    const suites: Suite[] = []
    for (const step of steps) suites.push(...(await run(step)))
    return suites
  }
  return (await Promise.all([waiting, waiting, checks].map(runInSequence))).flat()
}

const SVELTE_CHECK = ['--tsconfig', 'renderer/tsconfig.json', '--fail-on-warnings', '--output', 'human']
const types = [
  check('types', TOOLS.tsc, ['--noEmit']),
  check('types of the tests', TOOLS.tsc, ['--noEmit', '-p', 'test']),
  check('types of the page', TOOLS.svelteCheck, SVELTE_CHECK)
]
const lint = check('lint', TOOLS.oxlint)
const lintPage = check('lint of the page', TOOLS.eslint, ['.', '--max-warnings=0'], {
  // It makes so many short-lived objects that collecting them takes a fifth of its processor time with the default of 16 MB.
  NODE_OPTIONS: '--max-semi-space-size=64',
  // TypeScript reads components as the linter does. Otherwise each one changes the program, and types are computed anew.
  SVELTE_ESLINT_PARSER_EXPERIMENTAL_TS_SYS_HOOK: '1'
})
const format = check('format', TOOLS.prettier, ['--check', '--log-level', 'warn', '.'])
const unused = check('unused files, exports and packages', TOOLS.knip)

const build = exits('build', 'resources/scripts/build.ts')
const unit = vitest('unit, components and printing', ['unit', 'isolated', 'components'])
const inChromium = (step: Step): Step => where(chromiumSkipReason, step)
const demo = inChromium(exits('demo', 'resources/scripts/demo.ts'))

interface Size {
  /** the longest first, so that both sequences end at about the same time */
  readonly tests: readonly Step[]
  readonly checks: readonly Step[]
}

/** By the script's argument. */
const SIZES: Readonly<Record<string, Size>> = {
  check: { tests: [lint, lintPage], checks: [...types, format, unused] },
  small: {
    tests: [unit, inChromium(playwright('a cashier’s day', 'e2e.json', ['--project', 'day'])), demo],
    checks: types
  },
  all: {
    tests: [
      vitest('large suites', ['large']),
      inChromium(playwright('specs', 'e2e.json', [])),
      inChromium(vitest('suites in Chromium', ['chromium', 'accessibility'])),
      unit,
      where(postgresSkipReason, onPostgres('the service on PostgreSQL')),
      inChromium(playwright('packed app', 'packed.json', ['-c', 'test/packed/playwright.config.ts'])),
      demo
    ],
    checks: [lint, lintPage, ...types, format, unused]
  }
}

const MEMORY = '/dev/shm'
/** What all suites at once have in temporary files, several times over. */
const ROOM_BYTES = 4 * 2 ** 30

/**
 * Makes a folder in memory for temporary files: databases wait for the disk at each commit, which takes a tenth of the time
 * of their tests. Null on a system that has none, too small a one, or one that may hold no program.
 */
function makeMemoryFolder(): string | null {
  if (process.platform !== 'linux' || !existsSync(MEMORY)) return null
  const { bavail, bsize } = statfsSync(MEMORY)
  const isNoexec = /^\S+ \/dev\/shm \S+ \S*\bnoexec\b/m.test(readFileSync('/proc/mounts', 'utf8'))
  if (bavail * bsize < ROOM_BYTES || isNoexec) return null
  const folder = mkdtempSync(join(MEMORY, 'tillpoints-'))
  // As `/tmp`: print systems and databases run as other users.
  chmodSync(folder, 0o1777)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  // Without them an interrupted run would keep the memory.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  return folder
}

const [, , size = 'small'] = process.argv
const steps = SIZES[size]
if (steps === undefined) throw new Error(`There is no size ${size}`)

const started = Date.now()
rmSync(REPORTS, { recursive: true, force: true })
// The tests start hundreds of Node processes, which compile the same files: a fifth of the time of each start.
process.env['NODE_COMPILE_CACHE'] ??= join(PROJECT, 'out/compile-cache')
if (size !== 'check') {
  await installChromium()
  await ensurePrintSystem()
  await ensureSmallPrograms()
  if (size === 'all') {
    await ensurePostgres()
    await ensureCaddy()
  }
}

const memoryFolder = size === 'check' ? null : makeMemoryFolder()
if (memoryFolder !== null) process.env['TMPDIR'] = memoryFolder

const suites = [
  ...(await run(exits('messages', TOOLS.messages))),
  ...(size === 'check' ? [] : await run(build)),
  ...(await runInSequences(steps))
]
const total = countOf(suites)
const minutes = (Date.now() - started) / 60_000
console.log(`\n── what it costs, in ${minutes.toFixed(1)} minutes\n${costTable(suites)}`)
if (total.failures.length > 0) console.log(`\n── failed\n${total.failures.join('\n')}`)
if (total.skips.length > 0) {
  const reasons = [chromiumSkipReason(), printSystemSkipReason()]
  if (size === 'all') reasons.push(postgresSkipReason(), caddySkipReason())
  console.log(`\n── skipped\n${[...total.skips, ...reasons.filter((reason) => reason !== null)].join('\n')}`)
}
console.log(`\n${closingLine(total)}`)
process.exitCode = total.failed === 0 ? 0 : 1
