/** What the reports of Vitest and of Playwright say: how many tests held, and which did not, and why. */
import * as v from 'valibot'

/** Lines of a failure that are repeated at the end of a run. The whole of it stands where the test ran. */
const LINES = 12

const shortened = (name: string, reason: string): string =>
  [`✗ ${name}`, ...reason.split('\n', LINES).map((line) => `    ${line}`)].join('\n')

/** Vitest's JSON report, as far as it is read. */
export const unitReport = v.object({
  numPassedTests: v.number(),
  numFailedTests: v.number(),
  numPendingTests: v.number(),
  testResults: v.array(
    v.object({
      name: v.string(),
      /** why a file could not run */
      message: v.optional(v.string(), ''),
      assertionResults: v.array(
        v.object({
          status: v.string(),
          fullName: v.string(),
          failureMessages: v.array(v.string())
        })
      )
    })
  )
})

/** Each test that did not pass, skipped ones too, and each file that could not run, with its reason. */
export function unitFailures(report: v.InferOutput<typeof unitReport>): string[] {
  return report.testResults.flatMap(({ name, message, assertionResults }) => [
    ...(message === '' ? [] : [shortened(name, message)]),
    ...assertionResults
      .filter(({ status }) => status !== 'passed')
      .map(({ fullName, status, failureMessages }) =>
        shortened(`${name} › ${fullName}`, failureMessages.join('\n') || status)
      )
  ])
}

interface Suite {
  readonly title: string
  readonly specs?: readonly v.InferOutput<typeof spec>[] | undefined
  readonly suites?: readonly Suite[] | undefined
}

const spec = v.object({
  title: v.string(),
  ok: v.boolean(),
  tests: v.array(
    v.object({
      status: v.string(),
      results: v.array(
        v.object({ errors: v.optional(v.array(v.object({ message: v.optional(v.string()) })), []) })
      )
    })
  )
})

const suite: v.GenericSchema<unknown, Suite> = v.object({
  title: v.string(),
  specs: v.optional(v.array(spec)),
  suites: v.optional(v.array(v.lazy(() => suite)))
})

/** Playwright's JSON report, as far as it is read. */
export const playwrightReport = v.object({
  stats: v.object({ expected: v.number(), unexpected: v.number(), flaky: v.number(), skipped: v.number() }),
  suites: v.array(suite)
})

const failuresOf = (of: Suite, above: string): string[] => {
  const name = [above, of.title].filter(Boolean).join(' › ')
  return [
    ...(of.specs ?? []).flatMap(({ title, tests }) =>
      tests
        .filter(({ status }) => status !== 'expected')
        .map(({ status, results }) => {
          const reasons = results.flatMap(({ errors }) => errors.map(({ message = '' }) => message))
          return shortened(`${name} › ${title}`, reasons.join('\n') || status)
        })
    ),
    ...(of.suites ?? []).flatMap((one) => failuresOf(one, name))
  ]
}

/** Each test that did not hold, skipped and flaky ones too, with its reason. */
export const playwrightFailures = (report: v.InferOutput<typeof playwrightReport>): string[] =>
  report.suites.flatMap((one) => failuresOf(one, ''))
