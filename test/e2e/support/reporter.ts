/** The reporter of the end-to-end tests. Its first line names the Electron that they run on. */
import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter'
import { describeElectron } from './electron.ts'

const MARKS: Readonly<Record<TestResult['status'], string>> = {
  passed: '✓',
  failed: '✗',
  timedOut: '✗ (timed out)',
  skipped: '✗ (skipped)',
  interrupted: '✗ (interrupted)'
}

/** The text of an attachment: a log file, or the page at the time of the failure. */
const textOf = ({ name, body }: TestResult['attachments'][number]): string =>
  body ? `── ${name}\n${body.toString()}` : ''

/** Prints one line for each test, and the errors and attachments below a failed one. */
export default class TillReporter implements Reporter {
  onBegin(): void {
    console.log(describeElectron())
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const title = test.titlePath().slice(3).join(' › ')
    console.log(`${MARKS[result.status]} ${title} (${(result.duration / 1000).toFixed(1)} s)`)
    for (const error of result.errors) console.log(error.stack ?? error.message ?? '')
    if (result.errors.length > 0) for (const attached of result.attachments) console.log(textOf(attached))
  }

  onEnd(result: FullResult): void {
    console.log(`End to end: ${result.status}`)
  }

  printsToStdio(): boolean {
    return true
  }
}
