import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { closingLine, countPlaywright, countVitest } from '../../../resources/scripts/test-reports.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'

const assertion = (status: string, failureMessages: string[] = []) => ({
  status,
  fullName: `a ${status} test`,
  failureMessages
})
const file = (status: string, assertionResults: object[], message = '') => ({
  name: join(PROJECT, 'x.test.ts'),
  status,
  message,
  assertionResults
})

describe('countVitest', () => {
  it('counts passed, failed and skipped tests', () => {
    const passing = file('passed', [assertion('passed'), assertion('skipped')])
    const failing = {
      ...file('failed', [assertion('failed', ['Error: 1 is not 2'])]),
      name: join(PROJECT, 'y.test.ts')
    }
    const count = countVitest({ testResults: [passing, failing] })
    expect(count).toMatchObject({ passed: 1, failed: 1, skipped: 1 })
    expect(count.skips).toEqual(['– x.test.ts: 1 test'])
    expect(count.failures).toEqual(['✗ y.test.ts › a failed test\n    Error: 1 is not 2'])
  })

  it('counts the tests behind a failed hook as failed', () => {
    const broken = file('failed', [assertion('skipped'), assertion('pending')], 'Error: no hook')
    const count = countVitest({ testResults: [broken] })
    expect(count).toMatchObject({ passed: 0, failed: 2, skipped: 0 })
    expect(count.failures[0]).toContain('Error: no hook')
    expect(count.failures[1]).toContain('did not run')
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
