import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  closingLine,
  costTable,
  countPlaywright,
  countVitest,
  sumCounts,
  type TestCount
} from '../../../resources/scripts/test-reports.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'

const assertion = (status: string, failureMessages: string[] = []) => ({
  status,
  fullName: `a ${status} test`,
  failureMessages
})
const file = (status: string, assertionResults: object[], message = '') => ({
  name: join(PROJECT, 'test/unit/x.test.ts'),
  status,
  startTime: 1000,
  endTime: 3000,
  message,
  assertionResults
})

const counted = (...testResults: object[]): TestCount =>
  sumCounts(countVitest({ testResults }).map(({ count }) => count))

describe('countVitest', () => {
  it('counts passed, failed and skipped tests', () => {
    const passing = file('passed', [assertion('passed'), assertion('skipped')])
    const failing = {
      ...file('failed', [assertion('failed', ['Error: 1 is not 2'])]),
      name: join(PROJECT, 'test/unit/y.test.ts')
    }
    const count = counted(passing, failing)
    expect(count).toMatchObject({ passed: 1, failed: 1, skipped: 1 })
    expect(count.skips).toEqual(['– test/unit/x.test.ts: 1 test'])
    expect(count.failures).toEqual(['✗ test/unit/y.test.ts › a failed test\n    Error: 1 is not 2'])
  })

  it('counts the tests behind a failed hook as failed', () => {
    const broken = file('failed', [assertion('skipped'), assertion('pending')], 'Error: no hook')
    const count = counted(broken)
    expect(count).toMatchObject({ passed: 0, failed: 2, skipped: 0 })
    expect(count.failures[0]).toContain('Error: no hook')
    expect(count.failures[1]).toContain('did not run')
  })

  it('adds up the tests and the seconds of each folder', () => {
    const unit = file('passed', [assertion('passed')])
    const crash = { ...unit, name: join(PROJECT, 'test/crash/z.test.ts'), endTime: 1500 }
    const suites = countVitest({ testResults: [unit, crash, unit] })
    expect(suites.map(({ name, count, seconds }) => [name, count.passed, seconds])).toEqual([
      ['test/unit', 2, 4],
      ['test/crash', 1, 0.5]
    ])
  })
})

describe('countPlaywright', () => {
  it('counts flaky tests as failed, and suites within suites', () => {
    const spec = (status: string) => ({ title: status, tests: [{ status, results: [] }] })
    const inner = { title: 'inner', specs: [spec('flaky'), spec('unexpected')] }
    const outer = { title: 'x.spec.ts', specs: [spec('expected'), spec('skipped')], suites: [inner] }
    const count = countPlaywright({ suites: [outer] })
    expect(count).toMatchObject({ passed: 1, failed: 2, skipped: 1 })
    expect(count.failures[0]).toContain('x.spec.ts › inner › flaky')
    expect(count.skips).toEqual(['– x.spec.ts: 1 test'])
  })
})

describe('closingLine', () => {
  const count = { passed: 3, failed: 0, skipped: 0, failures: [], skips: [] }

  it('has two counts where every test ran', () => {
    expect(closingLine(count)).toBe('3 passed, 0 failed')
  })

  it('has a third one where tests were skipped', () => {
    expect(closingLine({ ...count, skipped: 2 })).toBe('3 passed, 0 failed, 2 skipped')
  })
})

describe('costTable', () => {
  it('has a line for each suite with its share, the longest first, and its parts added up', () => {
    const count = { passed: 3, failed: 1, skipped: 2, failures: [], skips: [] }
    const table = costTable([
      { name: 'short', count, seconds: 10 },
      { name: 'long', count, seconds: 6 },
      { name: 'long', count, seconds: 24 }
    ])
    expect(table.split('\n').map((line) => line.split(/\s+/))).toEqual([
      ['suite', 'tests', 'seconds', 'share'],
      ['long', '8', '30', '75', '%'],
      ['short', '4', '10', '25', '%']
    ])
  })
})
