/** Reads the JSON reports of Vitest and Playwright: counts of tests, what failed and why, and what each suite costs. */
import { relative, sep } from 'node:path'
import * as v from 'valibot'
import { PROJECT } from './tools.ts'

/** How many tests passed, failed and were skipped, and what the end of the run repeats about them. */
export interface TestCount {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** for each failed test its name, and below it the reason */
  readonly failures: readonly string[]
  /** for each file with skipped tests its name and their number */
  readonly skips: readonly string[]
}

/** A row of the table at the end of a run. */
export interface Suite {
  readonly name: string
  readonly count: TestCount
  readonly seconds: number
}

/** Lines of a failure that the end of a run repeats. Its full text is printed where the test ran. */
const MAX_FAILURE_LINES = 12

export const describeFailure = (name: string, reason: string): string =>
  [`✗ ${name}`, ...reason.split('\n', MAX_FAILURE_LINES).map((line) => `    ${line}`)].join('\n')

const describeSkips = (file: string, count: number): string[] =>
  count === 0 ? [] : [`– ${file}: ${count} ${count === 1 ? 'test' : 'tests'}`]

/** The part of Vitest's JSON report that is read. */
const vitestSchema = v.object({
  testResults: v.array(
    v.object({
      name: v.string(),
      status: v.string(),
      /** in milliseconds since 1970 */
      startTime: v.number(),
      endTime: v.number(),
      /** why a file could not run */
      message: v.optional(v.string(), ''),
      assertionResults: v.array(
        v.object({
          status: v.string(),
          fullName: v.string(),
          failureMessages: v.nullish(v.array(v.string()), [])
        })
      )
    })
  )
})

type VitestFile = v.InferOutput<typeof vitestSchema>['testResults'][number]

/**
 * Counts the tests of a file. A test that did not run in a failed file, because a hook failed or the file could not be
 * loaded, is a failed test; elsewhere it is a skipped one.
 */
function countFile(file: VitestFile): TestCount {
  const { message, assertionResults } = file
  const name = relative(PROJECT, file.name)
  const passed = assertionResults.filter(({ status }) => status === 'passed').length
  const unsuccessful = assertionResults.filter(({ status }) => status !== 'passed')
  const fails = (status: string): boolean => status === 'failed' || file.status === 'failed'
  const failed = unsuccessful.filter(({ status }) => fails(status))
  const skipped = unsuccessful.length - failed.length
  return {
    passed,
    failed: failed.length,
    skipped,
    failures: [
      ...(message === '' ? [] : [describeFailure(name, message)]),
      ...failed.map(({ fullName, status, failureMessages }) =>
        describeFailure(
          `${name} › ${fullName}`,
          failureMessages.join('\n') ||
            (status === 'failed' ? status : 'did not run: its file failed, see above')
        )
      )
    ],
    skips: describeSkips(name, skipped)
  }
}

/** Counts the tests of a Vitest report for each folder of `test/`. Files run side by side: their seconds overlap. */
export function countVitest(report: unknown): readonly Suite[] {
  const files = v.parse(vitestSchema, report).testResults
  const folderOf = ({ name }: VitestFile): string => relative(PROJECT, name).split(sep).slice(0, 2).join('/')
  return Object.entries(Object.groupBy(files, folderOf)).map(([name, some = []]) => ({
    name,
    count: sumCounts(some.map(countFile)),
    seconds: some.reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0) / 1000
  }))
}

const specSchema = v.object({
  title: v.string(),
  tests: v.array(
    v.object({
      status: v.picklist(['expected', 'unexpected', 'flaky', 'skipped']),
      results: v.array(
        v.object({ errors: v.optional(v.array(v.object({ message: v.optional(v.string()) })), []) })
      )
    })
  )
})

interface PlaywrightSuite {
  readonly title: string
  readonly specs?: readonly v.InferOutput<typeof specSchema>[] | undefined
  readonly suites?: readonly PlaywrightSuite[] | undefined
}

const suiteSchema: v.GenericSchema<unknown, PlaywrightSuite> = v.object({
  title: v.string(),
  specs: v.optional(v.array(specSchema)),
  suites: v.optional(v.array(v.lazy(() => suiteSchema)))
})

const playwrightSchema = v.object({ suites: v.array(suiteSchema) })

function countSuite(suite: PlaywrightSuite, parentName: string): TestCount {
  const name = [parentName, suite.title].filter(Boolean).join(' › ')
  const tests = (suite.specs ?? []).flatMap(({ title, tests }) => tests.map((test) => ({ title, ...test })))
  const failed = tests.filter(({ status }) => status === 'unexpected' || status === 'flaky')
  const skipped = tests.filter(({ status }) => status === 'skipped').length
  const own: TestCount = {
    passed: tests.filter(({ status }) => status === 'expected').length,
    failed: failed.length,
    skipped,
    failures: failed.map(({ title, status, results }) => {
      const reasons = results.flatMap(({ errors }) => errors.map(({ message = '' }) => message))
      return describeFailure(`${name} › ${title}`, reasons.join('\n') || status)
    }),
    skips: describeSkips(name, skipped)
  }
  return sumCounts([own, ...(suite.suites ?? []).map((child) => countSuite(child, name))])
}

/** Counts the tests of a Playwright report. A flaky test is a failed one. */
export const countPlaywright = (report: unknown): TestCount =>
  sumCounts(v.parse(playwrightSchema, report).suites.map((suite) => countSuite(suite, '')))

/** Adds counts up. */
export const sumCounts = (counts: readonly TestCount[]): TestCount => ({
  passed: counts.reduce((sum, { passed }) => sum + passed, 0),
  failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  skipped: counts.reduce((sum, { skipped }) => sum + skipped, 0),
  failures: counts.flatMap(({ failures }) => failures),
  skips: counts.flatMap(({ skips }) => skips)
})

/** Returns the closing line of a run: `N passed, N failed`, and `, N skipped` where tests were skipped. */
export const closingLine = ({ passed, failed, skipped }: TestCount): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

/** Returns a table of what each suite costs, the longest first. Parts of a suite that ran apart are added up. */
export function costTable(suites: readonly Suite[]): string {
  const secondsOf = (some: readonly Suite[]): number => some.reduce((sum, { seconds }) => sum + seconds, 0)
  const total = Math.max(secondsOf(suites), 1)
  const rows = Object.entries(Object.groupBy(suites, ({ name }) => name))
    .map(([name, parts = []]) => ({ name, parts, seconds: secondsOf(parts) }))
    .toSorted((one, other) => other.seconds - one.seconds)
    .map(({ name, parts, seconds }) => {
      const { passed, failed } = sumCounts(parts.map(({ count }) => count))
      return [name, String(passed + failed), seconds.toFixed(0), `${((100 * seconds) / total).toFixed(0)} %`]
    })
  const table = [['suite', 'tests', 'seconds', 'share'], ...rows]
  const width = Math.max(...table.map(([name = '']) => name.length))
  return table
    .map(([name = '', ...numbers]) => name.padEnd(width) + numbers.map((text) => text.padStart(9)).join(''))
    .join('\n')
}
